"""Every row of ``cases/*.toml`` gives the written results."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulesets.weltendaemmerung.commands import Refusal
from tests.rulesets.weltendaemmerung.casework import Case, cases, outcome


def _rows() -> list[Any]:
    return [
        pytest.param(case, id=f"{file}: {case.name}", marks=pytest.mark.rule(*case.rule.split()))
        for file, case in cases()
    ]


@pytest.mark.parametrize("case", _rows())
def test_case_gives_the_written_results(case: Case) -> None:
    assert case.events or case.refused, "a case must say what comes out"
    assert outcome(case) == (list(case.events), case.refused)


def test_every_code_of_refusal_occurs_in_a_case() -> None:
    assert {case.refused for _, case in cases()} - {""} == {str(code) for code in Refusal}


def test_cases_of_a_file_have_unique_names() -> None:
    names = [(file, case.name) for file, case in cases()]
    assert len(names) == len(set(names))
