"""Rows of ``cases/movement_*.toml``, checked with the naive implementation and the engine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesets.gd6 import engine_movement, naive
from tests.rulesets.gd6.movement_cases import Case, cases, expected, outcome, problem


def _rows() -> list[Any]:
    return [
        pytest.param(case, id=f"{file}: {case.name}", marks=pytest.mark.rule(*case.rule.split()))
        for file, case in cases()
    ]


@pytest.mark.parametrize("case", _rows())
def test_naive_movement_matches_the_row(case: Case) -> None:
    assert outcome(naive.resolve(**problem(case))) == expected(case)


@pytest.mark.parametrize("case", _rows())
def test_engine_matches_the_row(case: Case) -> None:
    given = problem(case)
    assert engine_movement.outcome(given, engine_movement.moved(given)) == expected(case)


def test_rows_of_a_file_have_different_names() -> None:
    names = [(file, case.name) for file, case in cases()]
    assert len(names) == len(set(names))
