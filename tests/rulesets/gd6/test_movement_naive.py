"""The engine and the naive Movement Phase give equal outcomes on random positions."""

from __future__ import annotations

from itertools import permutations
from typing import Final, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.movement import next_loop
from engine.rulesets.gd6.territories import Decision
from tests.rulesets.gd6 import engine_movement, naive
from tests.rulesets.gd6.movement_cases import Problem, outcome
from tests.rulesets.gd6.naive_world import Edge, Result
from tests.rulesets.gd6.positions import problems

SUITE: Final = 200
SOAK: Final = 10_000

EDGES: Final = st.tuples(st.integers(1, 7), st.integers(1, 7)).filter(
    lambda edge: edge[0] != edge[1]
)

Fight: TypeAlias = tuple[int, str, tuple[int, ...]]
"""A fight as step, kind and places."""


def check_alike(problem: Problem) -> None:
    wanted = naive.resolve(**problem)
    decision = engine_movement.moved(problem)
    assert engine_movement.outcome(problem, decision) == outcome(wanted)
    assert fights_told(decision) == fights_foretold(wanted)


def fights_told(decision: Decision) -> list[Fight]:
    """Return the skirmishes and invasions in the engine's log."""
    step = 0
    found: list[Fight] = []
    for event in decision.events:
        match event:
            case ev.StepStarted():
                step = event.step
            case ev.Skirmish():
                found.append((step, event.kind, event.places))
            case ev.InvasionBegan():
                found.append((step, "invasion", (event.at,)))
            case _:
                pass
    return found


def fights_foretold(result: Result) -> list[Fight]:
    """Return the skirmishes and invasions of the naive Movement Phase."""
    step = 0
    found: list[Fight] = []
    for entry in result["log"]:
        match entry["what"]:
            case "step":
                step = entry["step"]
            case "target" | "loop":
                found.append((step, entry["what"], entry["places"]))
            case "invasion":
                found.append((step, "invasion", (entry["at"],)))
            case _:
                pass
    return found


def _first_of_all_rows(edges: set[Edge]) -> tuple[int, ...]:
    """Return the first loop by trying all permutations of territories, shortest first."""
    places = sorted({place for edge in edges for place in edge})
    for length in range(2, len(places) + 1):
        for row in permutations(places, length):
            if row[0] == min(row) and edges >= set(zip(row, row[1:] + row[:1], strict=True)):
                return row
    return ()


@pytest.mark.rule("GD-LOOP-1", "GD-LOOP-2")
@settings(max_examples=SUITE)
@given(edges=st.sets(EDGES, max_size=14))
def test_all_methods_find_the_same_first_loop(edges: set[Edge]) -> None:
    wanted = _first_of_all_rows(edges)
    assert naive.first_loop(edges) == wanted
    assert next_loop(edges) == wanted


@settings(max_examples=SUITE)
@given(problem=problems())
def test_engine_matches_the_naive_movement(problem: Problem) -> None:
    check_alike(problem)


@pytest.mark.slow
@settings(max_examples=SOAK, suppress_health_check=list(HealthCheck))
@given(problem=problems())
def test_engine_matches_the_naive_movement_in_a_long_run(problem: Problem) -> None:
    check_alike(problem)
