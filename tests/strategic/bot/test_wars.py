"""Computer players at war: sieges, heroes as leaders, quests and wishes to sages."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pytest

from engine.core.codec import convert
from engine.core.containers import Plane
from engine.core.dice import Seeded
from engine.core.options import Value
from engine.core.record import replace
from engine.rulesets.warlords2.bot import TEMPERS
from engine.rulesets.warlords2.options import CLASSIC, Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import State
from engine.strategic.battle import forecast
from engine.strategic.bot.assaults import musters
from engine.strategic.bot.campaigns import campaigns_of
from engine.strategic.bot.marching import free_bands, is_perilous_for_hero
from engine.strategic.bot.realm import fate_of_city
from engine.strategic.bot.sieges import Siege, Stakes
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import AnyCommand, AskSage, EndTurn, Produce, Walk
from engine.strategic.events import BattleFought
from engine.strategic.pieces import Army, City, Item, Quest, Question, QuestKind, Wish
from tests.strategic import ground, wars

PLAINS = ("." * 20,) * 8

HOME = (ground.city(0, 0, 0, owner=0), ground.army(90, 0, 0))
"""A city of side 0 far from the fighting, and its guard."""


def world(armies: Iterable[Army], *cities: City, **more: Any) -> State:
    """Return a position on plains for side 0, with its home."""
    home, guard = HOME
    return ground.world(PLAINS, armies=[*armies, guard], cities=[home, *cities], **more)


def planned(state: State, level: str = "hard") -> tuple[AnyCommand, ...]:
    """Return the plan of side 0."""
    view = RULES.view(state, 0)
    plan = RULES.bots[level].plan(view, partial(RULES.offers, view), Seeded(b"bots", 1, "bot:0"))
    return tuple(plan)


def assaults(state: State, city: City) -> list[Walk]:
    """Return the walks of the plan that end in a city."""
    walks = [command for command in planned(state) if isinstance(command, Walk)]
    return [walk for walk in walks if walk.path[-1] in city.tiles]


def chance(state: State, walk: Walk) -> float:
    """Return the exact chance of an assault."""
    group = [state.armies[army] for army in walk.armies]
    return forecast(state, settings_of(state.options), group, walk.path[-1]).chance


def stack(first: int, count: int, x: int, y: int, kind: int, owner: int = 0) -> list[Army]:
    """Return equal armies on a tile."""
    return [ground.army(first + k, x, y, kind, owner=owner) for k in range(count)]


def situation(state: State) -> Situation:
    """Return the position as side 0 sees it."""
    view = RULES.view(state, 0)
    return Situation(view, settings_of(view.options), 0, TEMPERS["hard"])


# -- sieges ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("able", "foes"), [(5, 4), (6, 4), (8, 5)])
@pytest.mark.rule("W2-14.4")
def test_stacks_that_can_meet_attack_together(able: int, foes: int) -> None:
    city = ground.city(1, 12, 3, owner=1)
    armies = [
        *stack(1, able, 7, 4, ground.ARCHERS),
        *stack(20, 2, 8, 6, ground.LIGHT),
        *stack(50, foes, 12, 3, ground.HEAVY, owner=1),
    ]
    (attack,) = assaults(world(armies, city), city)
    assert len(attack.armies) == min(8, able + 2)


@pytest.mark.rule("W2-14.4")
def test_plan_with_an_assault_does_not_end_the_turn() -> None:
    city = ground.city(1, 12, 3, owner=1)
    attackers = stack(1, 8, 9, 3, ground.HEAVY)
    plan = planned(world([*attackers, ground.army(50, 12, 3, ground.LIGHT, owner=1)], city))
    assert isinstance(plan[-1], Walk)
    assert plan[-1].path[-1] in city.tiles
    assert isinstance(planned(world(attackers, replace(city, owner=0)))[-1], EndTurn)


@pytest.mark.rule("W2-14.4")
def test_armies_that_meet_beside_a_city_arrive_and_attack() -> None:
    city = ground.city(1, 12, 3, owner=1)
    armies = [
        *stack(1, 5, 7, 4, ground.ARCHERS),
        *stack(20, 2, 8, 6, ground.LIGHT),
        *stack(50, 4, 12, 3, ground.HEAVY, owner=1),
    ]
    state = world(armies, city)
    before, fought = state, []
    for command in planned(state):
        if isinstance(command, Walk):
            events = RULES.decide(state, 0, command, Seeded(b"bots", 2, "decide"))
            fought += [event for event in events if isinstance(event, BattleFought)]
            for event in events:
                state = RULES.evolve(state, event)
    (battle,) = fought
    assert {one.army for one in battle.attackers} == {1, 2, 3, 4, 5, 20, 21}
    assert before.cities[1].owner == 1


@pytest.mark.rule("W2-6.1", "W2-14.4")
def test_meeting_place_gets_no_more_armies_than_fit() -> None:
    city = ground.city(1, 12, 3, owner=1)
    tired = [replace(army, points=0) for army in stack(30, 5, 11, 3, ground.LIGHT)]
    armies = [
        *tired,
        *stack(1, 6, 8, 3, ground.ARCHERS),
        *stack(50, 4, 12, 3, ground.HEAVY, owner=1),
    ]
    corridor = [row if y in (0, 1, 3) else "~" * len(row) for y, row in enumerate(PLAINS)]
    begun = ground.world(corridor, armies=armies, cities=[city])
    here = situation(begun)
    for made in musters(here, city, free_bands(here, frozenset())):
        state = begun
        for order in made.orders():
            for event in RULES.decide(state, 0, order, Seeded(b"bots", 1, "decide")):
                state = RULES.evolve(state, event)


@pytest.mark.rule("W2-6.2", "W2-14.4")
def test_flyers_join_an_assault_only_if_they_can_arrive_alone() -> None:
    """In the classic column a flyer pays two points for a road tile, an army on foot one."""
    city = ground.city(1, 15, 3, owner=1)
    slow = [replace(army, points=10) for army in stack(20, 2, 4, 3, ground.DWARVES)]
    armies = [
        *stack(1, 5, 10, 3, ground.ARCHERS),
        *slow,
        replace(ground.army(30, 4, 3, ground.BATS), points=18),
        *stack(50, 4, 15, 3, ground.HEAVY, owner=1),
    ]
    roads = [(x, 3) for x in range(15)]
    begun = world(armies, city, roads=roads, options=convert(dict(CLASSIC), Options))
    here = situation(begun)
    near = [band for band in free_bands(here, frozenset()) if 90 not in band.ids]
    assert any(len(band.ids) == 3 for band in near)
    for made in musters(here, city, near):
        state = begun
        for order in made.orders():
            for event in RULES.decide(state, 0, order, Seeded(b"bots", 1, "decide")):
                state = RULES.evolve(state, event)


@pytest.mark.rule("W2-12.1", "W2-14.4")
def test_an_item_in_a_city_of_a_side_at_peace_starts_no_assault() -> None:
    city = ground.city(1, 12, 3, owner=1)
    armies = [
        *stack(1, 4, 8, 3, ground.HEAVY),
        ground.army(9, 10, 3, ground.HERO),
        ground.army(50, 12, 3, ground.LIGHT, owner=1),
    ]
    find = Item(1, "weapon", 1, "Sword", "ground", x=12, y=3)
    state = world(armies, city, items=[find], peace=True, options=Options(diplomacy="on"))
    assert assaults(state, city) == []


@pytest.mark.rule("W2-14.4")
def test_assault_is_not_planned_if_all_together_would_lose_more() -> None:
    city = ground.city(1, 12, 3, owner=1)
    armies = [
        *stack(1, 5, 7, 4, ground.ARCHERS),
        *stack(20, 2, 8, 6, ground.LIGHT),
        *stack(50, 8, 12, 3, ground.HEAVY, owner=1),
    ]
    assert assaults(world(armies, city), city) == []


@pytest.mark.parametrize(("able", "weak", "strong"), [(4, 2, 4), (6, 4, 8), (8, 3, 6)])
@pytest.mark.rule("W2-14.4")
def test_hopeless_siege_is_dropped_for_another_city(able: int, weak: int, strong: int) -> None:
    near, far = ground.city(1, 7, 3, owner=1), ground.city(2, 17, 3, owner=1)
    armies = [
        *stack(1, able, 2, 3, ground.ARCHERS),
        *stack(50, strong, 7, 3, ground.DWARVES, owner=1),
        *stack(60, weak, 17, 3, ground.DWARVES, owner=1),
    ]
    here = situation(world(armies, near, far))
    first = campaigns_of(here, free_bands(here, frozenset({90})))[0]
    assert first.goal.id == far.id


@pytest.mark.rule("W2-8.5", "W2-14.4")
def test_siege_forecast_uses_the_exact_chances_of_its_battles() -> None:
    city = ground.city(1, 12, 3, owner=1)
    first, second = stack(1, 4, 11, 3, ground.ARCHERS), stack(20, 3, 11, 4, ground.DWARVES)
    foes = stack(50, 4, 12, 3, ground.HEAVY, owner=1)
    state = world([*first, *second, *foes], city)
    waves = tuple(first), tuple(second)
    found = Siege(situation(state), city, foes, waves).forecast(Stakes(1000.0, 0.0))
    settings = settings_of(state.options)
    odds = forecast(state, settings, first, (12, 3)).odds
    later = 0.0
    for left, likely in enumerate(odds.defenders_left[1:], start=1):
        fallen = replace(state, armies=state.armies.drop(*(foe.id for foe in foes[:-left])))
        later += likely * forecast(fallen, settings, second, (12, 3)).chance
    assert found.first == odds.chance
    assert found.hope == pytest.approx(odds.chance + later)


# -- heroes ----------------------------------------------------------------------------------------


@pytest.mark.rule("W2-14.2")
def test_nearby_hero_joins_an_assault() -> None:
    city = ground.city(1, 12, 3, owner=1)
    armies = [
        *stack(1, 3, 8, 3, ground.ARCHERS),
        ground.army(9, 7, 6, ground.HERO),
        ground.army(50, 12, 3, owner=1),
    ]
    (attack,) = assaults(world(armies, city), city)
    assert attack.armies == (1, 2, 3, 9)


@pytest.mark.rule("W2-14.2")
def test_lone_hero_does_not_attack_a_foe_that_might_win() -> None:
    city = ground.city(1, 8, 3, owner=1)
    armies = [ground.army(9, 5, 3, ground.HERO), ground.army(50, 8, 3, ground.ARCHERS, owner=1)]
    assert assaults(world(armies, city), city) == []


@pytest.mark.rule("W2-14.2")
def test_only_a_lone_hero_keeps_out_of_reach_of_foes() -> None:
    hero, friends = ground.army(9, 5, 3, ground.HERO), stack(1, 3, 5, 3, ground.ARCHERS)
    here = situation(world([hero, *friends, *stack(50, 3, 12, 3, ground.DRAGONS, owner=1)]))
    assert is_perilous_for_hero(here, [hero], (9, 3))
    assert not is_perilous_for_hero(here, [hero], (1, 1)), "it is at home"
    assert not is_perilous_for_hero(here, [hero, *friends], (9, 3))


# -- quests and sages ------------------------------------------------------------------------------


def questing(quest: Quest | None, **more: Any) -> State:
    """Return a position with a hero and three armies near a city of foes and a stack of foes."""
    chosen = Options(quests="on")
    armies = [
        ground.army(9, 8, 3, ground.HERO),
        *stack(1, 3, 8, 3, ground.ARCHERS),
        *stack(50, 2, 12, 3, ground.LIGHT, owner=1),
    ]
    sides = [ground.side(0, quest=quest), ground.side(1)]
    city = ground.city(1, 12, 3, owner=1, slots=(ground.slot(ground.LIGHT),) * 2)
    return world(armies, city, sides=sides, options=chosen, **more)


@pytest.mark.rule("W2-10.6", "W2-14.2")
def test_only_the_hero_of_a_quest_assaults_its_city() -> None:
    keep = questing(Quest("keep-city", 9, 1, 1))
    (attack,) = assaults(keep, keep.cities[1])
    assert 9 in attack.armies
    other = questing(Quest("keep-city", 80, 1, 1))
    far = other.armies.put(ground.army(80, 1, 7, ground.HERO))
    left = replace(other, armies=far.drop(9))
    assert assaults(left, left.cities[1]) == []


@pytest.mark.rule("W2-10.6", "W2-14.2")
def test_hero_goes_to_a_temple_only_without_a_quest() -> None:
    temple = ground.site(1, 4, 6, "temple")
    far = ground.city(1, 17, 3, owner=1)
    armies = [ground.army(9, 2, 6, ground.HERO), ground.army(50, 17, 3, owner=1)]
    for on, has_one, goes in ((True, False, True), (False, False, False), (True, True, False)):
        options = Options(quests="on" if on else "off")
        quest = Quest("plunder", 9, count=100) if has_one else None
        sides = [ground.side(0, quest=quest), ground.side(1)]
        state = world(armies, far, sites=[temple], sides=sides, options=options)
        ends = [command.path[-1] for command in planned(state) if isinstance(command, Walk)]
        assert ((4, 6) in ends) == goes


@pytest.mark.rule("W2-10.6", "W2-14.6")
def test_fate_of_a_city_follows_the_quest_if_its_hero_is_there() -> None:
    dice = Seeded(b"bots", 1, "bot:0")
    cases: tuple[tuple[QuestKind, int, str], ...] = (
        ("raze-city", 9, "raze"),
        ("raze-city", 1, "occupy"),
        ("plunder", 9, "sack"),
        ("keep-city", 9, "occupy"),
    )
    for kind, hero, fate in cases:
        quest = Quest(kind, hero, 1, 1, count=1000)
        state = questing(quest)
        moved = replace(state.armies[9], x=12, y=3)
        taken = replace(state.cities[1], owner=0)
        left = state.armies.drop(50, 51).put(moved)
        after = replace(state, armies=left, cities=state.cities.put(taken))
        assert fate_of_city(situation(after), dice, taken) == fate


@pytest.mark.parametrize(
    ("gold", "hidden", "wanted"), [(100, False, "gold"), (900, False, "items"), (100, True, "maps")]
)
@pytest.mark.rule("W2-10.5", "W2-14.2")
def test_wish_to_a_sage_depends_on_gold_and_hidden_land(
    gold: int, hidden: bool, wanted: Wish
) -> None:
    state = world(
        [ground.army(9, 8, 3, ground.HERO)],
        ground.city(1, 12, 3, owner=1),
        sites=[ground.site(k, 2 + 3 * k, 6) for k in range(1, 5)],
        sides=[ground.side(0, gold=gold), ground.side(1)],
        hidden=hidden,
        question=Question("sage", 0, site=1, army=9, wishes=("items", "gold", "maps")),
    )
    assert planned(state) == (AskSage(wanted),)


# -- scouts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", TEMPERS)
@pytest.mark.rule("W2-11", "W2-14.4")
def test_plan_with_a_scout_does_not_end_the_turn(
    level: str,
) -> None:
    seen = np.zeros((8, 20), dtype=np.uint8)
    known = replace(
        world(stack(1, 1, 4, 4, ground.HEAVY), hidden=True),
        discovered=Plane(np.full_like(seen, 255)),
    )
    assert planned(known, level)[-1] == EndTurn()
    seen[:, :8] = 255
    scouts = [
        command
        for command in planned(replace(known, discovered=Plane(seen)), level)
        if not isinstance(command, Produce)
    ]
    (scout,) = scouts
    assert isinstance(scout, Walk)
    assert scout.path[-1][0] >= 8, "it goes where nothing is known"


# -- a short game ----------------------------------------------------------------------------------


def test_four_sides_at_war_attack_with_heroes_and_good_chances() -> None:
    told = wars.war("narrows", ("hard",) * 4, {}, 3, 24)
    hopeless = sum(one.chance < wars.HOPELESS for one in told.assaults)
    assert len(told.assaults) >= 10
    assert 10 * hopeless <= len(told.assaults)
    assert any(one.led for one in told.assaults)
    assert told.quiet < 10
    text = wars.report([told])
    assert f"assaults on cities of sides: {len(told.assaults)}" in text


def test_quests_are_taken_and_completed() -> None:
    options: dict[str, Value] = {"quests": "on", "neutral_strength": "strong"}
    told = wars.war("narrows", ("hard",) * 4, options, 2, 40)
    taken, done, _ = told.quests
    assert taken >= done > 0
