"""Attacks and their consequences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Dice, Seeded
from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic.battle import attack, forecast, owner_at
from engine.strategic.decision import Decision
from engine.strategic.events import (
    ArmiesGrew,
    ArmiesRemoved,
    BattleFought,
    DeedsCounted,
    GoalSet,
    ItemsMoved,
    TowersFell,
    TreatyChanged,
)
from engine.strategic.pieces import NOBODY, Army, Deeds, Item
from engine.strategic.refusal import Refusal
from engine.strategic.world import WAR, armies_of
from tests.strategic.ground import (
    DRAGONS,
    GIANTS,
    HEAVY,
    HERO,
    LIGHT,
    SCOUTS,
    army,
    city,
    desk,
    side,
    tower,
    world,
)

BOOK = settings_of(Options())
KILL = [20, 1, 20, 1]
DIE = [1, 20, 1, 20]
ROWS = ["......"] * 3
AT = (1, 0)


def fought(state: State, dice: Iterable[int] | Dice, at: tuple[int, int] = AT) -> Decision:
    """Attack with all armies of side 0; return the decision."""
    decision: Decision = desk(state, dice)
    attack(decision, BOOK, armies_of(state, 0), at, betray=False)
    return decision


def events(decision: Decision, kind: type[Any]) -> list[Any]:
    return [event for event in decision.events if isinstance(event, kind)]


def war(*armies: Army, **more: Any) -> State:
    return world(ROWS, armies=armies, **more)


@pytest.mark.rule("W2-8.1", "W2-8.6")
def test_winners_stay_where_they_are_and_the_dead_are_removed() -> None:
    state = war(army(1, 0, 0), army(2, 0, 0), army(3, 1, 0, owner=1))
    decision = fought(state, [*DIE, *KILL])
    battle = events(decision, BattleFought)[0]
    assert battle.won
    assert (battle.start, battle.at, battle.attacker, battle.defender) == ((0, 0), (1, 0), 0, 1)
    assert [duel.won for duel in battle.duels] == [False, True]
    assert events(decision, ArmiesRemoved) == [ArmiesRemoved((1, 3), "battle")]
    assert list(decision.state.armies) == [2]
    assert decision.state.armies[2].at == (0, 0)


@pytest.mark.rule("W2-8.1")
def test_losing_attackers_are_all_dead() -> None:
    state = war(army(1, 0, 0), army(2, 0, 0), army(3, 1, 0, owner=1))
    decision = fought(state, [*DIE, *DIE])
    assert not events(decision, BattleFought)[0].won
    assert list(decision.state.armies) == [3]


@pytest.mark.rule("W2-8.1")
def test_attack_on_an_empty_tile_succeeds_without_events() -> None:
    state = war(army(1, 0, 0, HERO), cities=[city(1, 1, 0, owner=1)])
    decision: Decision = desk(state)
    assert attack(decision, BOOK, armies_of(state, 0), AT, betray=False)
    assert decision.events == ()


@pytest.mark.rule("W2-8.1")
def test_all_tiles_of_a_city_defend_it_and_its_attacker_is_noted() -> None:
    foes = [army(k + 10, 1 + k % 2, k // 2, owner=NOBODY) for k in range(4)]
    state = war(army(1, 0, 0), *foes, cities=[city(1, 1, 0, attacked_by=4)])
    decision = fought(state, DIE)
    battle = events(decision, BattleFought)[0]
    assert len(battle.defenders) == 4
    assert battle.ground == "city"
    assert decision.state.cities[1].attacked_by == 0b101


@pytest.mark.rule("W2-8.6", "W2-10.2")
@pytest.mark.parametrize(("in_city", "xp"), [(False, 11), (True, 12)])
def test_winning_hero_gains_more_experience_in_a_city(in_city: bool, xp: int) -> None:
    hero = army(1, 0, 0, HERO, xp=10)
    cities = [city(1, 1, 0, owner=1)] if in_city else []
    decision = fought(war(hero, army(3, 1, 0, owner=1), cities=cities), KILL)
    assert decision.state.armies[1].xp == xp
    assert events(decision, ArmiesGrew)[0].reason == "experience"


@pytest.mark.rule("W2-8.6", "W2-10.2")
@pytest.mark.parametrize(("before", "after"), [(59, 60), (60, 60), (0, 1)])
def test_defending_hero_gains_one_experience_up_to_sixty(before: int, after: int) -> None:
    hero = army(3, 1, 0, HERO, owner=1, xp=before)
    decision = fought(war(army(1, 0, 0), hero, cities=[city(1, 1, 0, owner=1)]), DIE)
    assert decision.state.armies[3].xp == after


@pytest.mark.rule("W2-8.6")
def test_items_of_a_dead_hero_drop_and_are_lost_in_the_ocean() -> None:
    sword = Item(0, "weapon", 1, "Sword", "carried", holder=1)
    for sign, where in ((".", "ground"), ("w", "ground"), ("~", "lost")):
        state = world(
            [f".{sign}"],
            armies=[army(1, 0, 0, HERO), army(3, 1, 0, DRAGONS, owner=1)],
            items=[sword],
        )
        decision = fought(state, DIE)
        assert decision.state.items[0].where == where
        assert len(events(decision, ItemsMoved)) == 1


@pytest.mark.rule("W2-6.7")
def test_a_tower_falls_with_its_defenders_only() -> None:
    armies = army(1, 0, 0), army(3, 1, 0, owner=1)
    state = war(*armies, towers=Roster([tower(1, 0, 6, owner=1)]))
    won, lost = fought(state, KILL), fought(state, DIE)
    assert events(won, TowersFell) == [TowersFell((1,))]
    assert not won.state.towers
    assert lost.state.towers == state.towers


@pytest.mark.rule("W2-8.6")
def test_survivors_lose_their_goals() -> None:
    state = war(
        army(1, 0, 0, goal=(5, 2)),
        army(2, 0, 0),
        army(4, 0, 0, to_flag=True),
        army(3, 1, 0, owner=1),
    )
    decision = fought(state, KILL)
    assert events(decision, GoalSet) == [GoalSet((1, 4))]
    assert decision.state.armies[1].goal is None


@pytest.mark.rule("W2-14.1")
def test_deeds_of_both_sides_are_counted() -> None:
    state = war(
        army(1, 0, 0, HERO),
        army(2, 0, 0),
        army(3, 1, 0, HERO, owner=1),
        army(4, 1, 0, owner=1),
        sides=[side(0, deeds=Deeds(battles=5, clean_wins=1)), side(1)],
    )
    decision = fought(state, [*DIE, *KILL, *KILL, 100])
    deeds = [one.deeds for one in decision.state.sides.values()]
    assert deeds[0] == Deeds(heroes_killed=1, armies_killed=2, battles=6, clean_wins=1)
    assert deeds[1] == Deeds(armies_killed=1, battles=1)


@pytest.mark.rule("W2-14.1")
def test_win_without_losses_is_clean_and_neutrals_have_no_deeds() -> None:
    decision = fought(war(army(1, 0, 0), army(3, 1, 0, owner=NOBODY)), KILL)
    counted = events(decision, DeedsCounted)[0].sides
    assert [(one.id, one.deeds) for one in counted] == [
        (0, Deeds(armies_killed=1, battles=1, clean_wins=1))
    ]


# -- medals ------------------------------------------------------------------------------------


def victory(
    *dice: int, group: Iterable[Army] = (), foes: Iterable[Army] = (), **more: Any
) -> tuple[Decision, list[ArmiesGrew]]:
    """Let a hero's group win without losses; ``dice`` are those of the medals."""
    attackers = tuple(group) or (army(1, 0, 0, HERO), army(2, 0, 0), army(4, 0, 0, SCOUTS))
    facing = tuple(foes) or (army(11, 1, 0, owner=1), army(12, 1, 0, owner=1))
    decision = fought(war(*attackers, *facing, **more), [*KILL * len(facing), *dice])
    return decision, [grew for grew in events(decision, ArmiesGrew) if grew.reason == "medal"]


@pytest.mark.rule("W2-8.6")
@pytest.mark.parametrize(
    ("bearers", "die", "given"),
    [
        (0, 39, True),
        (0, 40, False),
        (1, 34, True),
        (1, 35, False),
        (5, 14, True),
        (6, 11, True),
        (6, 12, False),
        (20, 11, True),
        (20, 12, False),
    ],
)
def test_medals_get_rarer_the_more_are_held(bearers: int, die: int, given: bool) -> None:
    borne = [army(100 + k, 5, 2, medals=1) for k in range(bearers)]
    others = [army(200, 4, 2, HERO, medals=1), army(201, 4, 2, DRAGONS, medals=2)]
    group = (army(1, 0, 0, HERO), army(2, 0, 0))
    state = war(*group, army(11, 1, 0, owner=1), army(12, 1, 0, owner=1), *borne, *others, sides=2)
    decision: Decision = desk(state, [*KILL * 2, die])
    attack(decision, BOOK, group, AT, betray=False)
    assert decision.state.armies[2].medals == int(given)
    assert decision.state.armies[2].strength == 2 + int(given)


@pytest.mark.rule("W2-8.6")
def test_medal_goes_to_a_survivor_neither_hero_nor_special() -> None:
    group = (
        army(1, 0, 0, HERO),
        army(2, 0, 0, LIGHT),
        army(4, 0, 0, HEAVY, medals=4),
        army(5, 0, 0, GIANTS, strength=9),
        army(6, 0, 0, DRAGONS),
    )
    decision, grew = victory(1, 2, group=group)
    assert [one.id for one in grew[0].armies] == [5]
    assert (decision.state.armies[5].medals, decision.state.armies[5].strength) == (1, 9)


@pytest.mark.rule("W2-8.6")
def test_medal_never_lowers_strength() -> None:
    group = (army(1, 0, 0, HERO), army(2, 0, 0, GIANTS, strength=12))
    decision, _ = victory(1, group=group)
    assert (decision.state.armies[2].medals, decision.state.armies[2].strength) == (1, 12)


@pytest.mark.rule("W2-8.6")
@pytest.mark.parametrize(
    ("turn", "strength", "rolls"), [(19, 4, True), (20, 4, False), (19, 3, False)]
)
def test_strong_foe_alone_earns_a_medal_early_in_the_game(
    turn: int, strength: int, rolls: bool
) -> None:
    foes = [army(11, 1, 0, owner=1, strength=strength)]
    _, grew = victory(*([1, 1] if rolls else []), foes=foes, turn=turn)
    assert len(grew) == int(rolls)


@pytest.mark.rule("W2-8.6")
def test_no_medals_without_a_hero_nor_from_ships() -> None:
    _, grew = victory(group=(army(1, 0, 0), army(2, 0, 0)))
    assert not grew
    _, grew = victory(group=(army(1, 0, 0, HERO, aboard=True), army(2, 0, 0, aboard=True)))
    assert not grew
    foes = (army(11, 1, 0, owner=1), army(12, 1, 0, owner=1, aboard=True))
    _, grew = victory(foes=foes)
    assert not grew


@pytest.mark.rule("W2-8.6")
def test_defenders_get_no_medals() -> None:
    heroes = [army(11, 1, 0, HERO, owner=1), army(12, 1, 0, owner=1)]
    decision = fought(war(army(1, 0, 0, HERO), army(2, 0, 0), *heroes), [*DIE, *DIE])
    assert [grew.reason for grew in events(decision, ArmiesGrew)] == ["experience"]


# -- treaties ----------------------------------------------------------------------------------

TREATIES = Options(diplomacy="on")


def peaceful(**more: Any) -> State:
    armies = [army(1, 0, 0), army(3, 1, 0, owner=1)]
    return world(ROWS, armies=armies, peace=True, options=TREATIES, **more)


@pytest.mark.rule("W2-12.3")
def test_attack_against_a_treaty_needs_betray() -> None:
    state, settings = peaceful(), settings_of(TREATIES)
    decision: Decision = desk(state)
    with pytest.raises(Refused) as refusal:
        attack(decision, settings, armies_of(state, 0), AT, betray=False)
    assert refusal.value.code == Refusal.TREACHERY
    assert decision.events == ()
    decision = desk(state, [50, *KILL])
    assert attack(decision, settings, armies_of(state, 0), AT, betray=True)
    assert isinstance(decision.events[0], TreatyChanged)
    assert decision.state.treaties[0][1] == WAR
    assert decision.state.sides[0].rating == 150
    assert events(decision, BattleFought)[0].betrayal


@pytest.mark.rule("W2-12.3")
def test_taking_an_empty_city_at_peace_is_treachery() -> None:
    state = peaceful(cities=[city(1, 3, 0, owner=1)])
    decision: Decision = desk(state, [1])
    with pytest.raises(Refused):
        attack(decision, settings_of(TREATIES), (state.armies[1],), (3, 0), betray=False)
    assert attack(decision, settings_of(TREATIES), (state.armies[1],), (3, 0), betray=True)
    assert decision.state.treaties[0][1] == WAR


@pytest.mark.rule("W2-12.3")
def test_neutrals_may_always_be_attacked() -> None:
    state = world(
        ROWS,
        armies=[army(1, 0, 0), army(3, 1, 0, owner=NOBODY)],
        peace=True,
        options=TREATIES,
    )
    decision: Decision = desk(state, KILL)
    assert attack(decision, settings_of(TREATIES), (state.armies[1],), AT, betray=True)
    assert not events(decision, TreatyChanged)
    assert owner_at(state, AT, 0) == NOBODY
    assert owner_at(state, (5, 2), 0) is None


# -- forecasts and casualties ------------------------------------------------------------------

KINDS = st.sampled_from([LIGHT, SCOUTS, HEAVY, GIANTS, DRAGONS, HERO])


@pytest.mark.rule("W2-8.3")
@settings(max_examples=60)
@given(
    st.lists(KINDS, min_size=1, max_size=8),
    st.lists(KINDS, min_size=1, max_size=8),
    st.booleans(),
    st.binary(max_size=3),
)
def test_casualties_and_survivors_are_the_participants(
    group: list[int], foes: list[int], in_city: bool, seed: bytes
) -> None:
    state = war(
        *(army(k, 0, 0, kind) for k, kind in enumerate(group, 1)),
        *(army(k, 1, 0, kind, owner=1) for k, kind in enumerate(foes, 101)),
        cities=[city(1, 1, 0, owner=1)] if in_city else [],
    )
    decision = fought(state, Seeded(seed, 1, "decide"))
    dead = set(events(decision, ArmiesRemoved)[0].armies)
    assert dead | set(decision.state.armies) == set(state.armies)
    left = {one.owner for one in decision.state.armies.values()}
    assert left == ({0} if events(decision, BattleFought)[0].won else {1})


@pytest.mark.rule("W2-8.3")
def test_forecast_uses_the_strengths_of_the_battle() -> None:
    state = war(
        army(1, 0, 0, HERO, strength=7),
        army(2, 0, 0, DRAGONS),
        *(army(10 + k, 1 + k % 2, k // 2, owner=1) for k in range(4)),
        cities=[city(1, 1, 0, owner=1, defence=2)],
        items=[Item(0, "command", 1, "Horn", "carried", holder=1)],
    )
    found = forecast(state, BOOK, armies_of(state, 0), (2, 1))
    battle = events(fought(state, Seeded(b"", 1, "decide"), (2, 1)), BattleFought)[0]
    assert found.lineup is not None
    assert found.lineup.attackers.fighters == battle.attackers
    assert found.lineup.defenders.fighters == battle.defenders
    assert battle.helped == found.lineup.attackers.support.parts
    assert [part.source for part in battle.helped] == ["leader", "command", "pack"]
    assert [(part.source, part.value) for part in battle.covered] == [("defence", 2)]


def test_forecast_against_an_empty_tile_is_certain() -> None:
    state = war(army(1, 0, 0), army(2, 0, 0))
    found = forecast(state, BOOK, armies_of(state, 0), AT)
    assert found.chance == 1.0
    assert found.lineup is None
    assert found.odds.attackers_lost == 0
