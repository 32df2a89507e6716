"""Hostile questions to the debugger: each gets an answer or a refusal in one line."""

from __future__ import annotations

import pytest

from engine.core.ruleset import AnyRuleset
from engine.debug.paths import children, write
from study.debug.debugger import Debugger
from study.debug.verbs import answers
from tests.debug.games import bench_of
from tui.console.exits import Wrong

FORD = "weltendaemmerung"

PLACES = (
    *("end" + "^" * 600, "end" + "^" * 100_000, "." + "^" * 5000, "^" * 9000, "1^" * 500),
    *("r" + "9" * 5000, "9" * 5000, "1." + "9" * 5000, "9" * 5000 + "%", "@" * 3000),
    *("?" + "(" * 5000, "?" + "not " * 90 + "loss", "?round > " + "9" * 380, "?", "^", "", "\0"),
)

VALUES = (
    *("{}", "[]", "null", "1", "-1", "1e400", "[[[]]]", "yes", "none", "\0", str(2**63)),
    *('{"id": 999}', '{"id": "x"}', "[" * 50_000, "9" * 5000, '{"a":' * 2000, str(2**200)),
)


def refusal(bench: Debugger, *words: str) -> str:
    """Return the reason why a verb is refused, or "" if it is answered."""
    try:
        list(answers(bench, words))
    except Wrong as wrong:
        return str(wrong)
    return ""


@pytest.mark.parametrize("place", PLACES, ids=range(len(PLACES)))
def test_any_place_is_answered_or_refused_in_one_line(place: str) -> None:
    told = refusal(bench_of(FORD), "go", place)
    assert "\n" not in told
    assert len(told) < 600


def test_carets_count_events_back_from_any_place() -> None:
    line = bench_of(FORD).line
    assert line.step_at("end^^^") == len(line) - 3
    assert line.step_at("end" + "^" * 600) == max(0, len(line) - 600)
    assert line.step_at("2^^") == max(0, line.step_at("2^") - 1)


def test_any_whatif_value_is_answered_or_refused_in_one_line(rules: AnyRuleset) -> None:
    bench = bench_of(rules.name)
    for number, path in enumerate(_paths(bench)[::4]):
        _check_refusal(bench, path, VALUES[number % len(VALUES)])


@pytest.mark.slow
def test_every_value_of_every_field_is_answered_or_refused(rules: AnyRuleset) -> None:
    bench = bench_of(rules.name)
    for path in _paths(bench):
        for value in VALUES:
            _check_refusal(bench, path, value)


def _check_refusal(bench: Debugger, path: str, value: str) -> None:
    told = refusal(bench, "whatif", "--set", f"{path}={value}")
    assert "\n" not in told, (path, value[:20])
    assert len(told) < 600, (path, value[:20])


def _paths(bench: Debugger) -> list[str]:
    """Return the paths of the state's fields, and of the first row of each."""
    found = []
    for name, below in children(bench.line.state(bench.at)):
        found.append(write((name,)))
        found += [write((name, key)) for key, _ in list(children(below))[:1]]
    return found


def test_whatif_cannot_replace_a_row_without_its_id() -> None:
    bench = bench_of(FORD)
    unit = next(path for path in _paths(bench) if path.startswith("units["))
    assert "cannot be {}" in refusal(bench, "whatif", "--set", unit + "={}")
