"""Differences of states, and patches from one state to another."""

from __future__ import annotations

import json
from operator import is_

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.codec import digest
from engine.core.ids import REFEREE
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.debug.difference import NoPatch, differences, fork, patch, patched
from engine.debug.line import whole_line
from engine.debug.paths import MISSING, value
from tests.contract.walks import AnyGame, examples
from tests.debug.games import branched, game, line_of


def other_game(rules: AnyRuleset) -> AnyGame:
    """Return the beginning of a game on another map."""
    return game(rules.name, 1, 30)


@given(data=st.data())
@examples(16)
def test_patch_of_one_state_gives_the_digest_of_the_other(
    rules: AnyRuleset, data: st.DataObject
) -> None:
    line = line_of(rules, data.draw(st.sampled_from((REFEREE, 0, 1))))
    if data.draw(st.booleans()) and not rules.traits.hidden:
        line = whole_line(rules, other_game(rules).log)
    one, two = (line.state(data.draw(st.integers(1, len(line)))) for _ in range(2))
    assert digest(patched(one, patch(one, two))) == digest(two)


def test_patch_leads_from_one_game_to_another(rules: AnyRuleset) -> None:
    """The two games have nothing in common; their boards may differ in size."""
    lines = [whole_line(rules, one.log) for one in (game(rules.name), other_game(rules))]
    for first, second in (lines, lines[::-1]):
        one, other = first.state(len(first)), second.state(len(second) // 2)
        assert digest(patched(one, patch(one, other))) == digest(other)


def test_differences_are_complete_with_both_values(rules: AnyRuleset) -> None:
    line = line_of(rules, REFEREE)
    one, other = line.state(len(line) // 3), line.state(len(line))
    found = list(differences(one, other))
    assert found
    for row in found:
        for state, known in ((one, row.old), (other, row.new)):
            assert known is MISSING or value(state, row.path) == known
    assert list(differences(one, one)) == []


def test_patch_of_another_state_is_refused() -> None:
    line = line_of(find("weltendaemmerung"), REFEREE)
    lines = list(patch(line.state(5), line.state(9)))
    with pytest.raises(NoPatch, match="the patch is of the state"):
        patched(line.state(6), lines)


@pytest.mark.parametrize("lines", [[], ["x"], ["[1]"], ['{"path": "a"}'], ['{"from": "1"}']])
def test_invalid_patch_is_refused(lines: list[str]) -> None:
    with pytest.raises(NoPatch):
        patched(line_of(find("weltendaemmerung"), REFEREE).state(5), lines)


def test_patch_with_another_result_is_refused() -> None:
    line = line_of(find("weltendaemmerung"), REFEREE)
    head, first, *rest = patch(line.state(5), line.state(9))
    row = json.loads(first)
    row["new"] = row["old"]
    with pytest.raises(NoPatch, match="the patch makes the state"):
        patched(line.state(5), [head, json.dumps(row), *rest])


def test_fork_of_two_branches_is_found(rules: AnyRuleset) -> None:
    made = branched(rules.name)
    played, other = made.log.line(), made.log.line(len(game(rules.name).log) - 1)
    assert fork(played, other, is_) == len(game(rules.name).log) // 2 + 1
    common = fork(played, other)
    told = [[(e.seat, e.command, e.events) for e in line] for line in (played, other)]
    assert len(game(rules.name).log) // 2 < common
    assert told[0][:common] == told[1][:common]
    assert common == min(map(len, told)) or told[0][common] != told[1][common]
    assert fork(played, played[:3]) == 3
