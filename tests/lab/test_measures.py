"""Measures of games: each against a count by hand, and all against each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.feed import Change
from engine.core.ids import HOUSE, ROOT, Seat
from engine.core.log import Entry
from engine.core.notation import read
from engine.core.registry import find
from engine.core.ruleset import Outcome
from study.lab import measures
from study.lab.games import play_game
from study.lab.measures import DEFINITIONS, GameMeter
from study.lab.plans import LabPlan, meetings, schedule, setup_of

Script = Sequence[tuple[Seat, str]]

TAKEN_OVER: Script = [
    # Seat 0 lights a lantern: 1 to 0. Seat 1 only seals.
    (0, "order band=1 path=1,0"),
    (0, "seal"),
    (1, "seal"),
    # Both light one: 2 to 1. Seat 0 only seals.
    (0, "seal"),
    (1, "order band=5 path=2,2"),
    (1, "seal"),
    # Seat 0 leaves its shrine: 2 to 2, so neither seat leads. Seat 1 only seals.
    (0, "order band=1 path=0,0"),
    (0, "seal"),
    (1, "seal"),
    # 2 to 3, and that is the end. Both only seal.
    (0, "seal"),
    (1, "seal"),
]
"""A game on two shrines in which seat 0 leads after rounds 1 and 2, and seat 1 wins."""

IDLE: Script = [(seat, "seal") for _ in range(4) for seat in (1, 0)]
"""A game in which both seats only seal, so both win."""

GIVEN_UP: Script = [(0, "order band=1 path=1,0"), (0, "resign")]
"""A game in which seat 0 resigns in the first round and seat 1 never acts."""

WAITING: Script = [(seat, "end-phase") for _ in range(6 * 3) for seat in (0, 1)]
"""Six rounds of three phases without any move: 115 lives to 104 until time is up."""

GAMES = {
    "taken over": ("toy", "crossing", TAKEN_OVER),
    "idle": ("toy", "crossing", IDLE),
    "given up": ("toy", "crossing", GIVEN_UP),
    "waiting": ("weltendaemmerung", "ford", WAITING),
}

COUNTED = {
    "taken over": {
        "rounds": 4,
        "turns": 8,
        "dead_turns": 5,
        "commands": 11,
        "lead_changes": 1,
        "led_from": 4,
        "rounds_behind": 2,
        "margin": 200,  # (3 - 2) of 5
        "drawn": 0,
        "first_seat": 0,
        "first_won": 0,
    },
    "idle": {
        "rounds": 4,
        "turns": 8,
        "dead_turns": 8,
        "commands": 8,
        "lead_changes": 0,
        "led_from": 0,
        "rounds_behind": 0,
        "margin": 0,
        "drawn": 1,
        "first_seat": 1,
        "first_won": 0,
    },
    "given up": {
        "rounds": 1,
        "turns": 1,
        "dead_turns": 0,
        "commands": 2,
        "lead_changes": 0,
        "led_from": 0,
        "rounds_behind": 0,
        "margin": 0,
        "drawn": 0,
        "first_seat": 0,
        "first_won": 0,
    },
    "waiting": {
        "rounds": 6,
        "turns": 36,
        "dead_turns": 36,
        "commands": 36,
        "lead_changes": 0,
        "led_from": 1,
        "rounds_behind": 0,
        "margin": 50,  # (115 - 104) of 219
        "drawn": 0,
        "first_seat": 0,
        "first_won": 1,
    },
}


@cache
def measured(name: str) -> tuple[Outcome, dict[str, int]]:
    """Return outcome and measures of a scripted game."""
    return played(name)


def played(name: str) -> tuple[Outcome, dict[str, int]]:
    """Replay a scripted game, uncached. Return its outcome and measures."""
    ruleset, scenario, script = GAMES[name]
    rules = find(ruleset)
    meter = GameMeter(rules, 2)
    events = rules.begin(rules.scenarios()[scenario], {}, Seeded(b"", 0, "decide"))
    states = states_around(rules, rules.empty(), events)
    meter.take(Change(rules, Entry(0, ROOT, HOUSE, None, tuple(events), ()), states))
    for number, (seat, line) in enumerate(script, 1):
        command = read(line, rules.command_type)
        before = states[-1]
        events = rules.decide(before, seat, command, Seeded(b"", number, "decide"))
        states = states_around(rules, before, events)
        meter.take(
            Change(rules, Entry(number, number - 1, seat, command, tuple(events), ()), states)
        )
    outcome = rules.outcome(states[-1])
    assert outcome is not None
    return outcome, meter.measures(outcome)


@pytest.mark.parametrize("measure", DEFINITIONS)
@pytest.mark.parametrize("game", GAMES)
def test_measure_equals_the_count_by_hand(game: str, measure: str) -> None:
    assert measured(game)[1][measure] == COUNTED[game][measure]


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_measures_do_not_depend_on_the_batch_size(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measures, "_BATCH", size)
    assert {name: played(name) for name in GAMES} == {name: measured(name) for name in GAMES}


def test_scripted_games_end_as_intended() -> None:
    ends = {name: measured(name)[0] for name in GAMES}
    assert ends == {
        "taken over": Outcome("lanterns", (1,)),
        "idle": Outcome("lanterns", (0, 1)),
        "given up": Outcome("last", (1,)),
        "waiting": Outcome("time", (0,)),
    }


def test_every_measure_is_defined_in_one_sentence() -> None:
    assert set(measured("idle")[1]) == set(DEFINITIONS)
    for text in DEFINITIONS.values():
        assert text.endswith(".")
        assert text.count(".") == 1


def test_game_that_has_not_begun_has_no_measures() -> None:
    assert GameMeter(find("toy"), 2).measures(Outcome("fault", ())) == {}


@pytest.mark.parametrize(
    ("ruleset", "scenario", "bot", "pairs"),
    [
        ("toy", "crossing", "easy", 20),
        ("toy", "triangle", "easy", 10),
        ("weltendaemmerung", "ford", "normal", 6),
        ("kaladan", "", "easy", 2),
    ],
)
def test_measures_of_played_games_are_consistent(
    ruleset: str, scenario: str, bot: str, pairs: int
) -> None:
    plan = LabPlan(ruleset, (bot,), (scenario,) if scenario else (), pairs=pairs)
    setup = setup_of(plan)
    for task in schedule(plan, setup, meetings(plan.format, 1, setup.seats)):
        row = play_game(find(ruleset), setup, task).result
        m, seats = row.measures, len(row.bots)
        assert m["commands"] == row.entries - 1
        assert 0 < m["rounds"] <= m["turns"] <= m["commands"]
        assert 0 <= m["dead_turns"] <= m["turns"]
        assert 0 <= m["lead_changes"] < m["rounds"]
        assert 0 <= m["led_from"] <= m["rounds"]
        assert (
            m["rounds_behind"] + (m["rounds"] - m["led_from"] + 1) * bool(m["led_from"])
            <= m["rounds"]
        )
        assert m["drawn"] == (len(row.winners) in {0, seats})
        assert m["first_won"] == (not m["drawn"] and m["first_seat"] in row.winners)
        assert not m["drawn"] or not (m["led_from"] or m["rounds_behind"] or m["margin"])
        assert m["margin"] >= 0 if m["led_from"] else m["margin"] <= 0
        assert -1000 <= m["margin"] <= 1000
