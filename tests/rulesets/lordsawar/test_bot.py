"""Computer players: estimates, sieges without luck, production, and no useless attacks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.record import replace
from engine.core.scenarios import fitted
from engine.rulesets.lordsawar.bot import LEVELS, TEMPERS
from engine.rulesets.lordsawar.commands import Propose
from engine.rulesets.lordsawar.pieces import slot_of
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.strategic.battle import forecast
from engine.strategic.bot.aims import dares_search
from engine.strategic.bot.force import fought_out
from engine.strategic.bot.sieges import Stakes, certain_siege, heals_first
from engine.strategic.bot.situation import Situation
from engine.strategic.commands import Defend, Walk
from engine.strategic.events import BattleFought
from engine.strategic.pieces import UNKNOWN_TYPE, Army, Hero, HitPoints
from engine.strategic.world import WAR
from tui.play.players import think

CITY = (16, 12)
CAMP = (15, 11)


def position(attackers: list[int], defenders: list[int]) -> Any:
    """Return side 0's view with armies of these types beside and in the city of side 1."""
    seats = frozenset({0, 1})
    scenario = fitted(RULES, RULES.scenarios()["ford"], 2, seats)
    view = Game.begin(RULES, scenario, {"view_enemies": "on"}, b"1").view(0)
    rows = [(0, kind, CAMP) for kind in attackers] + [(1, kind, CITY) for kind in defenders]
    armies = [
        Army(100 + number, owner, kind, *at, view.types[kind].strength, 12, 12, 2)
        for number, (owner, kind, at) in enumerate(rows)
    ]
    return replace(view, armies=view.armies.drop(*view.armies).put(*armies))


def situation(view: Any) -> Situation:
    """Return the situation that a hard player derives from a view."""
    estimates = LEVELS["hard"]._estimates_of(view)
    return Situation(view, settings_of(view.options), 0, TEMPERS["hard"], estimates)


def group(view: Any, side: int) -> tuple[Army, ...]:
    return tuple(army for army in view.armies.values() if army.owner == side)


@pytest.mark.rule("LW-18", "LW-7")
def test_battle_ends_as_a_clear_estimate_says() -> None:
    chance = random.Random(7)  # noqa: S311 - what is tried
    clear = wrong = 0
    for _ in range(150):
        sizes = chance.randint(1, 8), chance.randint(1, 8)
        view = position(*([chance.randrange(18) for _ in range(size)] for size in sizes))
        here, settings = situation(view), settings_of(view.options)
        rough = here.win_chance(here.attackers(group(view, 0), CITY), here.held(CITY))
        if not 0.05 < rough < 0.95:
            clear += 1
            wrong += (rough > 0.5) != (forecast(view, settings, group(view, 0), CITY).chance == 1)
    assert clear > 50
    assert wrong <= clear // 20


@pytest.mark.rule("LW-18", "LW-5")
def test_second_wave_fights_the_survivors_of_the_first() -> None:
    view = position([7] * 6, [7, 7, 7, 7])
    here, settings = situation(view), settings_of(view.options)
    city = next(one for one in view.cities.values() if (one.x, one.y) == CITY)
    all_six = group(view, 0)
    waves = all_six[:3], all_six[3:]
    first = fought_out(view, settings, waves[0], CITY)
    second = fought_out(first.world, settings, waves[1], CITY)
    found = certain_siege(here, city, waves, Stakes(1000.0, 0.5))
    assert not first.won
    assert found.first == 0
    assert found.hope == second.won
    assert len(group(first.world, 0)) == 3


@pytest.mark.rule("LW-18")
def test_a_siege_that_no_wave_wins_has_no_hope() -> None:
    view = position([1, 1], [14, 14])
    city = next(one for one in view.cities.values() if (one.x, one.y) == CITY)
    waves = [(army,) for army in group(view, 0)]
    assert certain_siege(situation(view), city, waves, Stakes(1000.0, 0.5)).hope == 0


@pytest.mark.rule("LW-18", "LW-13.2")
def test_rich_city_prefers_strong_types_and_a_poor_one_cheap_types() -> None:
    view = position([1], [1])
    merit = situation(view).estimates.merit
    assert merit is not None
    cheap, dear = slot_of(view.types[1]), slot_of(view.types[7])
    assert merit(view, dear, 200.0) > merit(view, cheap, 200.0)
    assert merit(view, cheap, 0.5) > merit(view, dear, 0.5) * 0.5


@pytest.mark.parametrize("level", list(LEVELS))
@pytest.mark.rule("LW-18")
def test_lost_attacks_prepare_attacks_that_win(level: str) -> None:
    scenario = fitted(RULES, RULES.scenarios()["ford"], 2, frozenset({0, 1}))
    game = Game.begin(RULES, scenario, {"view_enemies": "on"}, b"4")
    lost: list[tuple[int, int]] = []
    won = set[tuple[int, int]]()
    while (owes := RULES.owes(game.state)) and game.state.turn < 25:
        seat = min(owes)
        plan: Sequence[Any] = think(RULES, level, game.view(seat), seat, b"4", len(game.log))
        for number, command in enumerate(plan):
            if number and game.state.question is not None:
                break
            turn = game.state.turn
            for event in game.submit(seat, command).events:
                if isinstance(event, BattleFought):
                    (won.add if event.won else lost.append)((turn, event.city))
            if game.view(seat).question is not None:
                break
    assert won
    assert [one for one in lost if one not in won] == []


def proposed(opinion: int, turn: int = 1) -> list[Any]:
    """Return the proposals of a hard player at peace with a side of this opinion."""
    scenario = fitted(RULES, RULES.scenarios()["ford"], 2, frozenset({0, 1}))
    game = Game.begin(RULES, scenario, {"diplomacy": "on"}, b"1")
    view = replace(game.view(0), opinions=((8, opinion), (8, 8)), turn=turn)
    here = Situation(view, settings_of(view.options), 0, TEMPERS["hard"])
    return list(LEVELS["hard"].stances(here))


@pytest.mark.rule("LW-16", "LW-18")
def test_proposals_follow_opinions() -> None:
    assert proposed(opinion=1) == [Propose(1, WAR)]
    assert proposed(opinion=2) == []
    assert proposed(opinion=15) == []


@pytest.mark.rule("LW-16", "LW-18")
def test_peace_ends_after_many_rounds() -> None:
    assert proposed(opinion=15, turn=200) == [Propose(1, WAR)]


@pytest.mark.rule("LW-17", "LW-18")
def test_scouts_go_to_sea_when_all_land_is_explored() -> None:
    scenario = fitted(RULES, RULES.scenarios()["ford"], 2, frozenset({0, 1}))
    options = {"hidden_map": "on", "diplomacy": "on"}
    game = Game.begin(RULES, scenario, options, b"1")
    while (owes := RULES.owes(game.state)) and game.state.turn < 60:
        seat = min(owes)
        plan: Sequence[Any] = think(RULES, "hard", game.view(seat), seat, b"1", len(game.log))
        for command in plan:
            game.submit(seat, command)
            if game.view(seat).question is not None:
                break
    assert not owes


def ordered(view: Any, turn: int) -> list[Any]:
    """Return the orders of a hard player for a view in a round."""
    view = replace(view, turn=turn)
    return list(LEVELS["hard"].plan(view, lambda _about=None: (), Seeded(b"1", 1, "bot:0")))


def attacks(orders: list[Any]) -> list[Walk]:
    city = {(CITY[0] + dx, CITY[1] + dy) for dx in (0, 1) for dy in (0, 1)}
    return [one for one in orders if isinstance(one, Walk) and one.path[-1] in city]


@pytest.mark.rule("LW-18")
def test_hopeless_player_attacks_in_a_late_round() -> None:
    view = position([1, 1], [14, 14, 14, 14])
    assert attacks(ordered(view, turn=20)) == []
    assert attacks(ordered(view, turn=300))


@pytest.mark.rule("LW-18", "LW-14")
def test_heroes_search_with_an_escort() -> None:
    hero = 27
    alone, led = position([hero], [1]), position([hero] + [1] * 4, [1])
    assert not dares_search(situation(alone), group(alone, 0)[0], 1)
    assert dares_search(situation(led), group(led, 0)[0], 5)


@pytest.mark.rule("LW-18", "LW-17.10")
def test_heroes_assume_unknown_armies_stronger_than_average() -> None:
    view = position([27, 1], [1])
    strange = replace(next(iter(group(view, 1))), type=UNKNOWN_TYPE.id, strength=0)
    known = replace(view, armies=view.armies.put(strange), types=view.types.put(UNKNOWN_TYPE))
    here = situation(known)
    leader, other = group(view, 0)
    hero = replace(leader, hero=Hero("Maud", female=True))
    strength = here.doubted([other]).armies[strange.id].strength
    assert here.doubted([hero]).armies[strange.id].strength == strength + 2


@pytest.mark.rule("LW-18", "LW-6.5")
def test_siege_waits_for_healing_if_that_pays() -> None:
    view = position([7] * 6, [7] * 3)
    hurt = [replace(army, hp=HitPoints(5760, 4000)) for army in group(view, 0)]
    wounded = replace(view, armies=view.armies.put(*hurt))
    city = next(one for one in view.cities.values() if (one.x, one.y) == CITY)
    stakes = Stakes(100.0, 0.5)
    for seen, expected in ((view, False), (wounded, True)):
        waves = [group(seen, 0)]
        now = certain_siege(situation(seen), city, waves, stakes)
        assert heals_first(situation(seen), city, waves, stakes, now) == expected


@pytest.mark.rule("LW-18", "LW-3.2")
def test_armies_that_stay_in_the_open_near_foes_defend() -> None:
    view = position([1, 1], [14, 14, 14, 14])
    tired = (replace(army, points=0) for army in group(view, 0))
    view = replace(view, armies=view.armies.put(*tired))
    defending = [one for one in ordered(view, turn=20) if isinstance(one, Defend)]
    assert [sorted(one.armies) for one in defending] == [[100, 101]]
