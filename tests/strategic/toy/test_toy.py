"""The strategic layer with a rule book other than that of Warlords II."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.core.codec import decoder, encode, plain
from engine.core.record import Command, replace
from engine.core.refused import Refused
from engine.strategic import costs, routes
from engine.strategic.battle import forecast
from engine.strategic.commands import (
    AnyCommand,
    BuySlot,
    EndTurn,
    Hire,
    March,
    Produce,
    Raze,
    Settle,
    TakeQuest,
    Walk,
)
from engine.strategic.dispatch import ORDERS, owes
from engine.strategic.events import (
    ArmiesHealed,
    ArmyMade,
    BattleFought,
    CityTaken,
    GameEnded,
    GroupMoved,
    IncomeCame,
)
from engine.strategic.pieces import NOBODY, Army, HitPoints
from engine.strategic.reach import reach
from engine.strategic.refusal import Refusal
from engine.strategic.seen import Seen, known_tiles
from engine.strategic.world import has_quests
from tests.strategic.toy.rule_book import BOG_PRICE, DAMAGE, HORN, TOASTING, TOY, WOUNDING, played
from tests.strategic.toy.world import (
    GUARD,
    RIDER,
    AskToast,
    BlowHorn,
    HornBlown,
    ToyEvent,
    ToyRefusal,
    ToyWorld,
    army,
    evolve,
    land,
    town,
)

OPEN = ("......", "......", "......")
TOWNS = town(1, 0, 1, 0), town(2, 4, 0, 1)


def seen_by(world: ToyWorld, side: int) -> Seen:
    known = known_tiles(world, frozenset((side,)), fog=False)
    return Seen(world, frozenset((side,)), known, known)


def test_step_costs_may_exceed_three_bits() -> None:
    world = land(("...", "bbb", "..."), army(1, 0, 0, RIDER))
    route = routes.ordered(world, TOY, 0, (world.armies[1],), (0, 2))
    assert route is not None
    assert route.costs == (BOG_PRICE, 4)
    who = costs.mover(world, TOY.moving, (world.armies[1],))
    assert who is not None
    assert costs.step(world, TOY, who, (0, 0), (0, 1)) == BOG_PRICE

    after, events = played(world, (0, Walk((1,), ((0, 1), (0, 2)))))
    assert [type(event) for event in events] == [GroupMoved]
    assert (after.armies[1].at, after.armies[1].points) == ((0, 2), 24 - BOG_PRICE - 4)


def test_step_needs_its_points_in_full() -> None:
    world = land((".b",), army(1, 0, 0, GUARD))
    after, _ = played(world, (0, March((1,), (1, 0))))
    assert after.armies[1].at == (0, 0)
    assert after.armies[1].goal == (1, 0)


@pytest.mark.parametrize(("points", "fights"), [(BOG_PRICE - 1, False), (BOG_PRICE, True)])
def test_an_attack_needs_its_points_in_full(points: int, fights: bool) -> None:
    mine = replace(army(1, 0, 0, RIDER), points=points)
    world = land((".b",), mine, army(2, 1, 0, GUARD, owner=1))
    found = reach(world, TOY, 0, (mine,))
    assert dict(found.targets) == ({(1, 0): (0, 0)} if fights else {})
    route = routes.ordered(world, TOY, 0, (mine,), (1, 0))
    assert route is not None
    assert routes.turns(route, points, mine.max_move) == (0 if fights else 1,)

    after, events = played(world, (0, March((1,), (1, 0))))
    assert any(isinstance(event, BattleFought) for event in events) is fights
    assert after.armies[1].points == (0 if fights else points)


def test_battle_follows_the_books_procedure_without_dice() -> None:
    world = land(OPEN, army(1, 0, 0, RIDER), army(2, 1, 0, GUARD, owner=1))
    after, events = played(world, (0, Walk((1,), ((1, 0),))))
    battle = next(event for event in events if isinstance(event, BattleFought))
    assert battle.won
    assert [duel.dice for duel in battle.duels] == [(5, 3, 5)], "damages, blow by blow"
    assert list(after.armies) == [1]
    assert (after.armies[1].at, after.armies[1].strength) == ((1, 0), 6), "toughened by the book"


@pytest.mark.parametrize(
    ("attackers", "defenders", "chance"),
    [((GUARD,), (GUARD,), 1.0), ((GUARD,), (RIDER,), 0.0), ((RIDER,), (GUARD, GUARD), 1.0)],
)
def test_forecast_equals_the_books_procedure(
    attackers: tuple[int, ...], defenders: tuple[int, ...], chance: float
) -> None:
    mine = [army(number, 0, 0, kind) for number, kind in enumerate(attackers, 1)]
    theirs = [army(number, 1, 0, kind, owner=1) for number, kind in enumerate(defenders, 5)]
    world = land(OPEN, *mine, *theirs)
    found = forecast(world, TOY, mine, (1, 0))
    assert found.chance == chance

    after, _ = played(world, (0, Walk(tuple(one.id for one in mine), ((1, 0),))))
    living = [one for one in after.armies.values() if one.owner == 0]
    assert len(living) == round(sum(found.odds.attackers_live))
    assert bool(living) == bool(chance)


def whole(one: Army) -> Army:
    return replace(one, hp=HitPoints(DAMAGE))


def test_wounds_last_are_visible_and_heal() -> None:
    mine, theirs = whole(army(1, 0, 0, RIDER)), whole(army(2, 1, 0, GUARD, owner=1))
    world = land(OPEN, mine, theirs, whole(army(3, 2, 0, GUARD, owner=1)), towns=TOWNS)
    after, events = played(world, (0, Walk((1,), ((1, 0),))), settings=WOUNDING)
    battle = next(event for event in events if isinstance(event, BattleFought))
    assert battle.wounds == ((1, 3),)
    assert (after.armies[1].wounds, after.armies[1].hp) == (3, HitPoints(DAMAGE, 3))
    assert seen_by(after, 1).army(after.armies[1]).wounds == 3

    again, events = played(after, (0, Walk((1,), ((2, 0),))), settings=WOUNDING)
    battle = next(event for event in events if isinstance(event, BattleFought))
    assert battle.attackers[0].hp == HitPoints(DAMAGE, 3), "it goes into the battle wounded"
    assert [duel.dice for duel in battle.duels] == [(6, 3, 6)]
    assert again.armies[1].wounds == 6

    rested, events = played(again, (0, EndTurn()), (1, EndTurn()), settings=WOUNDING)
    assert rested.armies[1].wounds == 4
    (healed,) = (event for event in events if isinstance(event, ArmiesHealed))
    assert healed.redacted(seen_by(again, 1), seen_by(rested, 1)) == healed


def test_encoding_of_an_army_without_hit_points_is_unchanged() -> None:
    assert "hp" not in plain(army(1, 0, 0))
    assert plain(whole(army(1, 0, 0)))["hp"] == {"most": DAMAGE, "lost": 0}
    read = decoder(Army).decode(encode(army(1, 0, 0)))
    assert (read, read.wounds) == (army(1, 0, 0), 0)


def test_book_command_is_executed_and_refused_by_its_own_rules() -> None:
    world, events = played(land(OPEN), (0, BlowHorn()))
    assert events == (HornBlown(0, 20 + HORN),)
    assert (world.blown, world.sides[0].gold) == ((0,), 20 + HORN)
    with pytest.raises(Refused) as refused:
        played(world, (0, BlowHorn()))
    assert (refused.value.code, refused.value.rule) == (ToyRefusal.OUT_OF_BREATH, "TOY-HORN")


def test_book_event_defines_its_own_redaction() -> None:
    world = land(OPEN)
    after, (event,) = played(world, (0, BlowHorn()))
    told = [event.redacted(seen_by(world, side), seen_by(after, side)) for side in (0, 1)]
    assert told == [event, None]


def test_book_question_waits_for_its_answer() -> None:
    world, _ = played(land(OPEN), (0, AskToast(1)), settings=TOASTING)
    assert owes(world) == {1}
    for side, order, code in (
        (0, EndTurn(), Refusal.NOT_YOUR_TURN),
        (1, EndTurn(), Refusal.ANSWER_FIRST),
        (1, Hire(), Refusal.ANSWER_FIRST),
    ):
        with pytest.raises(Refused) as refused:
            played(world, (side, order), settings=TOASTING)
        assert refused.value.code == code
    answered, _ = played(world, (1, BlowHorn()), settings=TOASTING)
    assert owes(answered) == {0}
    with pytest.raises(Refused) as refused:
        played(answered, (0, BlowHorn()), settings=TOASTING)
    assert refused.value.code == Refusal.NO_QUESTION


def test_events_of_book_and_layer_share_a_log() -> None:
    world = land(OPEN, army(1, 0, 0))
    after, events = played(world, (0, BlowHorn()), (0, Walk((1,), ((1, 0),))))
    read = decoder(tuple[ToyEvent, ...]).decode(encode(events))
    assert read == events
    for event in read:
        world = evolve(world, event)
    assert world == after


@pytest.mark.parametrize(
    ("side", "order", "code", "rule"),
    [
        (1, EndTurn(), Refusal.NOT_YOUR_TURN, "TOY-ROUND"),
        (0, Hire(), Refusal.NO_QUESTION, "TOY-TURN"),
        (0, March((1,), (9, 9)), Refusal.NO_SUCH_TILE, "TOY-MAP"),
        (0, March((7,), (1, 0)), Refusal.NO_SUCH_ARMY, "TOY-GROUP"),
        (0, Walk((1,), ((2, 2),)), Refusal.NOT_BESIDE, "TOY-MARCH"),
        (0, BuySlot(1, 0, RIDER), Refusal.NOT_FOR_SALE, "TOY-BUY"),
        (0, Raze(1), Refusal.NOT_ALLOWED, "TOY-CAPTURE"),
        (0, TakeQuest(1), Refusal.NOT_ALLOWED, "TOY-QUEST"),
    ],
)
def test_refusals_of_the_layer_name_the_rules_of_the_book(
    side: int, order: Command, code: Refusal, rule: str
) -> None:
    world = land(OPEN, army(1, 0, 0), towns=(town(1, 4, 0, 0),))
    with pytest.raises(Refused) as refused:
        played(world, (side, order))
    assert (refused.value.code, refused.value.rule) == (code, rule)


def test_toy_game_runs_from_production_to_conquest() -> None:
    towns = town(1, 0, 0, 0), town(2, 4, 0, 1)
    world = land(OPEN, army(1, 3, 1, RIDER), army(2, 4, 0, GUARD, owner=1), towns=towns)
    begun, events = played(world, (0, Produce(1, 0)), (0, EndTurn()), (1, EndTurn()))
    assert [event.side for event in events if isinstance(event, IncomeCame)] == [1, 0]
    assert [event.army.type for event in events if isinstance(event, ArmyMade)] == [GUARD]

    stormed, events = played(begun, (0, Walk((1,), ((4, 1),))))
    (taken,) = (event for event in events if isinstance(event, CityTaken))
    assert (taken.loser, taken.art) == (1, (1, 2, 3, 4))
    assert not has_quests(stormed)
    ended, events = played(stormed, (0, Settle("occupy")), (0, EndTurn()), (1, EndTurn()))
    assert isinstance(events[-1], GameEnded)
    assert (ended.winners, ended.reason) == ((0,), "conquest")


def test_every_command_of_the_layer_is_dispatched_to_a_chapter() -> None:
    assert set(get_args(AnyCommand)) == set(ORDERS)


def test_neutral_armies_fight_by_the_same_procedure() -> None:
    keeper = replace(army(2, 1, 0, RIDER), owner=NOBODY)
    after, events = played(land(OPEN, army(1, 0, 0, GUARD), keeper), (0, Walk((1,), ((1, 0),))))
    assert not next(event for event in events if isinstance(event, BattleFought)).won
    assert list(after.armies) == [2]
