"""Partings: the first difference of two decisions, its cause, and groups of games."""

from __future__ import annotations

import pytest

from engine.debug.parting import (
    OutcomeDifference,
    PartedGame,
    Parting,
    PartingCause,
    cause,
    first_difference,
    grouped,
)

HIT = {"t": "attack-made", "damage": 7, "losses": [{"unit": 1, "count": 2}]}
OTHER = {"t": "attack-made", "damage": 8, "losses": [{"unit": 1, "count": 2}]}
DEEP = {"t": "attack-made", "damage": 7, "losses": [{"unit": 1, "count": 3}]}
GONE = {"t": "unit-destroyed", "unit": 3}


@pytest.mark.parametrize(
    ("here", "there", "event", "words"),
    [
        ({"events": [HIT]}, {"events": [OTHER]}, 1, "damage at first 'attack-made'"),
        ({"events": [HIT]}, {"events": [DEEP]}, 1, "losses.count at first 'attack-made'"),
        ({"events": [HIT, GONE]}, {"events": [HIT]}, 2, "no 'unit-destroyed' any more"),
        ({"events": [HIT]}, {"events": [HIT, GONE]}, 2, "one more 'unit-destroyed'"),
        ({"events": [GONE]}, {"events": [HIT]}, 1, "'attack-made' instead of 'unit-destroyed'"),
        ({"events": [HIT]}, {"refused": "NO_POINTS", "text": "None."}, 0, "refused NO_POINTS"),
        ({"refused": "NO_POINTS"}, {"events": [HIT]}, 0, "no longer refused NO_POINTS"),
        ({"events": [HIT]}, {"raised": "KeyError", "text": "3"}, 0, "raised KeyError"),
        ({"events": [HIT]}, {"throw": "d8 is asked for"}, 0, "asks for other throws"),
        ({"events": [HIT]}, {"unheard": 1}, 0, "seat not listened to"),
        ({"events": [], "throws": [[6, 1]]}, {"events": [], "throws": []}, 0, "throws"),
    ],
)
def test_first_difference_is_named_by_event_and_field(
    here: dict[str, object], there: dict[str, object], event: int, words: str
) -> None:
    found = first_difference(here, there)
    assert found is not None
    assert (found.event, str(found)) == (event, words)


def test_equal_decisions_do_not_differ() -> None:
    assert first_difference({"events": [HIT]}, {"events": [dict(HIT)]}) is None


FUNCTIONS = {
    "m:strike": {"rules": ["X-1"], "at": "m.py:1"},
    "m:left": {"rules": ["X-2"], "at": "m.py:9"},
    "m:helper": {"rules": [], "at": "m.py:20"},
}
CALLS = [("call", "m:strike", "3"), ("call", "m:left", "5"), ("return", "m:left", "1")]


@pytest.mark.parametrize(
    ("there", "function", "rules", "how"),
    [
        (
            [CALLS[0], ("call", "m:left", "6")],
            "m:strike",
            ("X-1",),
            "calls left with other values",
        ),
        ([*CALLS[:2], ("return", "m:left", "0")], "m:left", ("X-2",), "returns 0 instead of 1"),
        (
            [CALLS[0], ("call", "m:helper", "5")],
            "m:strike",
            ("X-1",),
            "calls helper instead of left",
        ),
        ([CALLS[0], ("return", "m:strike", "")], "m:strike", ("X-1",), "does not call left"),
        (
            [*CALLS[:2], ("call", "m:helper", "5")],
            "m:left",
            ("X-2",),
            "calls helper as well",
        ),
    ],
)
def test_cause_is_the_function_running_at_the_first_difference(
    there: list[tuple[str, str, str]], function: str, rules: tuple[str, ...], how: str
) -> None:
    found = cause(CALLS, there, FUNCTIONS)
    assert found is not None
    assert (found.function, found.rules, found.how) == (function, rules, how)


def test_function_without_rules_gets_those_of_its_caller() -> None:
    here = [("call", "m:strike", ""), ("call", "m:helper", ""), ("return", "m:helper", "1")]
    there = [*here[:2], ("return", "m:helper", "2")]
    found = cause(here, there, FUNCTIONS)
    assert found is not None
    assert (found.function, found.rules) == ("m:helper", ("X-1",))


def test_equal_runs_have_no_cause() -> None:
    assert cause(CALLS, CALLS, FUNCTIONS) is None


def parted(name: str, seq: int, field: str, function: str = "") -> PartedGame:
    """Return a game that parts at an entry, in a field of its first event."""
    why = PartingCause(function, ("X-1",)) if function else None
    return PartedGame(name, Parting(seq, OutcomeDifference(1, "hit", field, "1", "2"), why))


def test_games_with_one_cause_form_one_group() -> None:
    games = [parted("b", 9, "life", "m:f"), parted("a", 4, "damage", "m:f"), parted("c", 7, "life")]
    first, second = grouped([*games, parted("d", 8, "life", "m:f")])
    assert [game.name for game in first.games] == ["a", "d", "b"]
    assert str(first) == "3x X-1 life at first 'hit' (smallest: 5 entries)"
    assert str(second) == "1x life at first 'hit' (smallest: 8 entries)"


def test_games_without_causes_are_grouped_by_event_and_field() -> None:
    games = [parted("a", 4, "rows[0].life"), parted("b", 4, "rows[3].life"), parted("c", 4, "at")]
    assert [len(group.games) for group in grouped(games)] == [2, 1]
