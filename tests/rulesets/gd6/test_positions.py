"""Random positions: each kind of event happens in enough of them."""

from __future__ import annotations

from collections import Counter
from typing import Final

from hypothesis import Phase, given, settings

from tests.rulesets.gd6 import naive
from tests.rulesets.gd6.movement_cases import Problem
from tests.rulesets.gd6.positions import problems

EXAMPLES: Final = 300

AT_LEAST: Final = {
    "target": 15,
    "loop": 40,
    "long loop": 10,
    "several loops": 8,
    "later loop": 0.3,
    "invasion": 60,
    "landed": 40,
    "claimed": 50,
    "refused": 30,
    "reduced": 30,
    "advanced": 30,
    "lost to nobody": 3,
}
"""Minimum percentage of positions in which something happens."""


def happenings(problem: Problem) -> set[str]:
    """Return the names of everything that happens in a position."""
    came = naive.resolve(**problem)
    found = {entry["what"] for entry in came["log"]}
    step, loops = 0, Counter[int]()
    for entry in came["log"]:
        step = entry.get("step", step)
        if entry["what"] == "loop":
            loops[step] += 1
            found |= {"long loop"} if len(entry["places"]) > 2 else set()
            found |= {"several loops"} if loops[step] > 1 else set()
            found |= {"later loop"} if step > 1 else set()
        if entry["what"] == "invasion" and entry["landed"]:
            found.add("landed")
        if entry["what"] == "invasion" and entry["owner"] is None:
            found.add("lost to nobody")
    found |= {"refused"} if came["refused"] else set()
    found |= {"reduced"} if came["reduced"] else set()
    return found | ({"advanced"} if problem["advanced"] else set())


def test_much_happens_in_many_positions() -> None:
    seen = Counter[str]()

    @settings(max_examples=EXAMPLES, phases=[Phase.generate])
    @given(problem=problems())
    def look(problem: Problem) -> None:
        seen["positions"] += 1
        seen.update(happenings(problem))

    look()
    percent = {what: 100 * seen[what] / seen["positions"] for what in AT_LEAST}
    assert {what: percent[what] for what in AT_LEAST if percent[what] < AT_LEAST[what]} == {}
