"""Policies of the layer that Warlords II leaves at their defaults, with the toy book."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest

from engine.core.codec import decoder, encode
from engine.core.containers import Roster
from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.strategic import cities, diplomacy, turns, victory
from engine.strategic.battle import line_up, standard_line_up
from engine.strategic.battle_records import Battleground
from engine.strategic.commands import (
    EndTurn,
    GoOn,
    March,
    Produce,
    Search,
    SetStance,
    Settle,
    Walk,
)
from engine.strategic.decision import Decision
from engine.strategic.events import (
    ArmiesHealed,
    ArmyMade,
    BattleFought,
    CityTaken,
    GoldChanged,
    IncomeCame,
    TreatyChanged,
    TurnBegan,
)
from engine.strategic.picture.words import traits, usual_effect
from engine.strategic.pieces import (
    NOBODY,
    Army,
    Hero,
    HitPoints,
    Item,
    Question,
    Side,
    Site,
    bonus_on,
)
from engine.strategic.reach import reach
from engine.strategic.refusal import Refusal
from engine.strategic.settings import RuleSettings
from engine.strategic.world import PEACE, WAR, World, enemies, hit_points, treaty
from tests.strategic.fighting.sides import strengths
from tests.strategic.toy.rule_book import BOG_PRICE, DAMAGE, LEARNING, LORE, TOY, played
from tests.strategic.toy.world import GUARD, RIDER, TYPES, Teach, ToyWorld, army, evolve, land, town

ROW = ("......", "......")


def test_attacker_and_defender_can_have_different_ground() -> None:
    def ground(_world: World, _at: Place) -> Battleground:
        return Battleground("bog")

    def stand(_world: World, start: Place, _at: Place) -> Battleground:
        return Battleground("open" if start == (0, 0) else "woods")

    fighting = changed(
        TOY.fighting, line_up=standard_line_up, battleground=ground, attack_ground=stand
    )
    rider = replace(TYPES[RIDER], own=(0, 2, 1, 0))
    world = land(ROW, army(1, 0, 0, RIDER), army(2, 2, 0, RIDER), army(5, 1, 0, RIDER, owner=1))
    world = replace(world, types=Roster((TYPES[GUARD], rider)))
    assert bonus_on(rider.own, "bog") == 0
    for number, strength in ((1, 7), (2, 6)):
        found = line_up(world, changed(TOY, fighting=fighting), [world.armies[number]], (1, 0))
        assert strengths(found.attackers) == (strength,)
        assert strengths(found.defenders) == (5,), "nobody has a bonus in a class of the book's own"


def test_type_can_define_the_hit_points_of_its_armies() -> None:
    kinds = Roster(replace(kind, hp=DAMAGE) for kind in TYPES.values())
    world = replace(land(ROW, army(1, 0, 0, RIDER), army(2, 1, 0, owner=1)), types=kinds)
    assert hit_points(world, world.armies[1]) == HitPoints(DAMAGE)
    after = evolve(world, ArmiesHealed(((1, 4),)))
    assert after.armies[1].hp == HitPoints(DAMAGE, 4)
    assert hit_points(after, after.armies[2]) == HitPoints(DAMAGE)
    assert hit_points(land(ROW, army(1, 0, 0)), army(1, 0, 0)) is None


def test_an_order_to_move_can_end_more_than_defending() -> None:
    woken: list[tuple[int, ...]] = []
    moving = changed(TOY.moving, wakes=lambda _work, armies: woken.append(armies))
    world = land(ROW, army(1, 0, 0), army(2, 0, 0))
    played(world, (0, Walk((1,), ((1, 0),))), settings=changed(TOY, moving=moving))
    assert woken == [(1,)]


def test_members_of_a_group_can_pay_different_prices() -> None:
    def paid(_world: World, one: Army, _ground: int, price: int) -> int:
        return min(price, 2) if one.id == 1 else price

    settings = changed(TOY, moving=changed(TOY.moving, member_price=paid))
    low, high = replace(army(1, 0, 0, RIDER), points=16), army(2, 0, 0, RIDER)
    world = land((".bb.",), low, high)
    after, _ = played(world, (0, Walk((1, 2), ((1, 0), (2, 0)))), settings=settings)
    assert after.armies[1].at == (2, 0), "after the first step it has 14 left, which is enough"
    assert (after.armies[1].points, after.armies[2].points) == (12, 24 - 2 * BOG_PRICE)
    usual, _ = played(world, (0, Walk((1, 2), ((1, 0), (2, 0)))))
    assert usual.armies[1].at == (1, 0)


def test_march_can_cross_the_coast_and_continue_later() -> None:
    world = land(("..q~~q.", "..~~~~."), army(1, 1, 0, RIDER))
    with pytest.raises(Refused) as refused:
        played(world, (0, March((1,), (6, 0))))
    assert refused.value.code == Refusal.NO_WAY
    settings = changed(TOY, moving=changed(TOY.moving, crossing=12))
    sea, _ = played(world, (0, March((1,), (6, 0))), settings=settings)
    assert (sea.armies[1].aboard, sea.armies[1].goal) == (True, (6, 0))
    rested = replace(sea, armies=sea.armies.put(replace(sea.armies[1], points=20)))
    there, _ = played(rested, (0, GoOn()), settings=settings)
    landed = there.armies[1]
    assert (landed.at, landed.aboard, landed.goal) == ((6, 0), False, None)


def test_armies_stay_aboard_or_ashore_on_a_quay() -> None:
    world = land(("..q~~",), army(1, 1, 0, RIDER))
    quay, _ = played(world, (0, Walk((1,), ((2, 0),))))
    assert (quay.armies[1].aboard, quay.armies[1].points) == (False, 20)
    sea, _ = played(quay, (0, Walk((1,), ((3, 0),))))
    assert (sea.armies[1].aboard, sea.armies[1].points) == (True, 0)

    sailing = replace(sea, armies=sea.armies.put(replace(sea.armies[1], points=24)))
    assert set(reach(sailing, TOY, 0, (sailing.armies[1],)).stops) >= {(2, 0), (4, 0)}
    back, _ = played(sailing, (0, Walk((1,), ((2, 0),))))
    assert (back.armies[1].aboard, back.armies[1].points) == (True, 20)
    off, _ = played(back, (0, Walk((1,), ((3, 0),))))
    assert (off.armies[1].aboard, off.armies[1].points) == (True, 16), "it was aboard already"
    landed, _ = played(back, (0, Walk((1,), ((1, 0),))))
    assert (landed.armies[1].aboard, landed.armies[1].points) == (False, 0)


def test_boarding_can_depend_on_the_tile_left() -> None:
    world = land(("pq~",), army(1, 0, 0, RIDER))
    after, _ = played(world, (0, Walk((1,), ((1, 0), (2, 0)))))
    assert (after.armies[1].at, after.armies[1].aboard, after.armies[1].points) == ((1, 0), True, 0)


def test_accounts_of_all_sides_can_be_settled_at_the_round_end() -> None:
    ends = turns.for_all(cities.keep_accounts), victory.eliminate, victory.judge
    phases = changed(TOY.turns, opening=(turns.refill_points,), round_end=ends)
    world = land(ROW, towns=(town(1, 0, 0, 0), town(2, 4, 0, 1)))
    _, events = played(world, (0, EndTurn()), (1, EndTurn()), settings=changed(TOY, turns=phases))
    told = [event for event in events if isinstance(event, IncomeCame | TurnBegan)]
    assert [(type(event), event.side) for event in told] == [
        (TurnBegan, 1),
        (IncomeCame, 0),
        (IncomeCame, 1),
        (TurnBegan, 0),
    ]


def test_new_army_can_have_a_price() -> None:
    priced = changed(TOY.cities, unit_price=lambda slot: slot.cost)
    world = land(ROW, towns=(town(1, 0, 0, 0), town(2, 4, 0, 1)))
    orders = (0, Produce(1, 0)), (0, EndTurn()), (1, EndTurn())
    after, events = played(world, *orders, settings=changed(TOY, cities=priced))
    made = [event for event in events if isinstance(event, ArmyMade | GoldChanged)]
    assert [type(event) for event in made] == [ArmyMade, GoldChanged]
    free, _ = played(world, *orders)
    assert after.sides[0].gold == free.sides[0].gold - TYPES[GUARD].cost


def test_neutrals_can_have_a_purse_without_taking_turns() -> None:
    world = land(ROW, army(1, 3, 0, RIDER), towns=(town(1, 0, 0, 0), town(2, 4, 0, NOBODY)))
    purse = Side(NOBODY, "Nobody", 41, (0, 1), alive=False)
    world = replace(world, sides=world.sides.put(purse))
    after, events = played(world, (0, Walk((1,), ((4, 0),))), (0, Settle("occupy")))
    (taken,) = (event for event in events if isinstance(event, CityTaken))
    assert (taken.loser, taken.loot) == (NOBODY, 20)
    assert (after.sides[0].gold, after.sides[NOBODY].gold) == (40, 1)
    assert enemies(after, 0).at_war == (1,)
    assert enemies(after, 0).hostile == (1, NOBODY)


def test_armies_can_gain_lessons_that_their_owner_chooses() -> None:
    pair = army(1, 3, 0, RIDER), army(2, 3, 0, RIDER)
    world = land(
        ROW, *pair, army(5, 4, 0, GUARD, owner=1), towns=(town(1, 0, 0, 0), town(2, 4, 0, 1))
    )
    won, _ = played(world, (0, Walk((1, 2), ((4, 0),))), settings=LEARNING)
    assert [won.armies[number].xp for number in (1, 2)] == [LORE // 2] * 2
    assert won.risen == (1, 2)
    with pytest.raises(Refused) as refused:
        played(won, (0, Teach("pace")), settings=LEARNING)
    assert refused.value.code == Refusal.ANSWER_FIRST, "the fate of the city comes first"
    kept, _ = played(won, (0, Settle("occupy")), settings=LEARNING)
    with pytest.raises(Refused):
        played(kept, (0, EndTurn()), settings=LEARNING)
    taught, _ = played(kept, (0, Teach("pace")), (0, Teach("strength")), settings=LEARNING)
    assert (taught.armies[1].max_move, taught.armies[2].strength) == (28, 6)
    assert taught.pending is None


def proposing(one: int, other: int, now: int) -> ToyWorld:
    """Return two sides with a treaty and their stances toward each other."""
    sides = (
        Side(0, "Side 0", 20, (0, 1), stances=(WAR, one)),
        Side(1, "Side 1", 20, (0, 1), stances=(other, WAR)),
    )
    return replace(
        land(ROW, towns=(town(1, 0, 0, 0), town(2, 4, 0, 1))),
        sides=Roster(sides),
        treaties=((0, now), (now, 0)),
    )


@pytest.mark.parametrize(
    ("one", "other", "now", "wanted"),
    [
        (WAR, WAR, WAR, WAR),
        (PEACE, PEACE, WAR, PEACE),
        (PEACE, WAR, WAR, WAR),
        (PEACE, WAR, PEACE, WAR),
        (1, PEACE, WAR, 1),
    ],
)
def test_proposals_can_be_settled_at_the_round_end(
    one: int, other: int, now: int, wanted: int
) -> None:
    settled = changed(TOY.turns, diplomacy=True, round_end=(diplomacy.settle_proposals,))
    settings = changed(TOY, turns=settled)
    after, _ = played(proposing(one, other, now), (0, EndTurn()), (1, EndTurn()), settings=settings)
    assert treaty(after, 0, 1) == wanted
    assert (after.sides[0].stances[1], after.sides[1].stances[0]) == (wanted, wanted)
    if one == other == WAR:
        asked, _ = played(after, (0, SetStance(1, PEACE)), settings=settings)
        assert treaty(asked, 0, 1) == WAR, "until the round ends"


def test_book_can_define_consequences_of_treachery() -> None:
    fined: list[tuple[int, int]] = []

    def fine(_work: Decision, _settings: RuleSettings, side: int, other: int) -> None:
        fined.append((side, other))

    rules = changed(TOY.turns, diplomacy=True, betrayal={PEACE: (0, 0)}, betrayed=fine)
    world = replace(
        proposing(PEACE, PEACE, PEACE),
        armies=Roster((army(1, 2, 0, RIDER), army(2, 3, 0, GUARD, owner=1))),
    )
    order = 0, Walk((1,), ((3, 0),), betray=True)
    _, events = played(world, order, settings=changed(TOY, turns=rules))
    assert isinstance(events[0], TreatyChanged)
    assert any(isinstance(event, BattleFought) for event in events)
    assert fined == [(0, 1)]


def test_book_can_define_its_own_kind_of_site() -> None:
    def join(decision: Decision, settings: RuleSettings, hero: Army, site: Site) -> None:
        assert site.kind == "stronghold"
        cities.add_gold(decision, settings, hero.owner, 11, "site")

    search = changed(TOY.heroes.search, guardian_die=100, finds={"stronghold": join})
    settings = changed(TOY, heroes=changed(TOY.heroes, search=search))
    hero = replace(army(1, 0, 0, RIDER), hero=Hero("Ada"))
    world = replace(land(ROW, hero), sites=Roster((Site(1, 0, 0, "Pit", "stronghold"),)))
    after, _ = played(world, (0, Search(1)), settings=settings)
    assert (after.sides[0].gold, after.sites[1].searched) == (31, True)


def test_kinds_accept_values_of_a_book() -> None:
    lute = Item(1, "war-lute", 3, "Lute")
    rows = lute, Site(1, 0, 0, "Pit", "stronghold"), Question("lesson", 0)
    for row in rows:
        assert decoder(type(row)).decode(encode(row)) == row
    assert usual_effect(lute) == "war lute 3"
    assert "confers moves" in traits(replace(TYPES[GUARD], traits=("confers-moves",)))
