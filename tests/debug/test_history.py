"""Values over time: every change, and only changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.ids import REFEREE
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.debug.history import (
    ValueChange,
    curve,
    followed,
    last_change,
    value_changes,
)
from engine.debug.paths import MISSING, NoPath, StatePath, children, value, write
from tests.contract.walks import examples
from tests.debug.games import bench_of, line_of


@given(data=st.data())
@examples(16)
def test_folded_changes_give_the_value_at_every_step(
    rules: AnyRuleset, data: st.DataObject
) -> None:
    viewer = data.draw(st.sampled_from((REFEREE, 0, 1)))
    line = line_of(rules, viewer)
    states = line.states()
    path: StatePath = ()
    at = states[data.draw(st.integers(0, len(line)))]
    depth = data.draw(st.integers(1, 4))
    while len(path) < depth and (keys := list(children(at))):
        key, at = data.draw(st.sampled_from(keys))
        path = (*path, key)
    what = followed(rules, states, write(path))
    first = data.draw(st.integers(0, len(line)))
    changes = {change.step: change for change in value_changes(line, what, first)}
    now = value(states[first], path)
    for step in range(first, len(line) + 1):
        if step in changes:
            assert changes[step].old == now
            now = changes[step].new
        assert now == value(states[step], path)
    assert all(one.new != one.old for one in changes.values())


def test_last_change_is_the_last_of_all_changes(rules: AnyRuleset) -> None:
    line = line_of(rules, REFEREE)
    states = line.states()
    for name in states[-1].__struct_fields__:
        what = followed(rules, states, name)
        changes = list(value_changes(line, what))
        for step in (0, len(line) // 2, len(line)):
            known = [one for one in changes if one.step <= step]
            assert last_change(line, what, step) == (known[-1] if known else None)


def test_statistic_is_followed_by_seat(rules: AnyRuleset) -> None:
    bench = bench_of(rules.name)
    for name, values in rules.statistics(bench.state).items():
        what = bench.followed(f'{name}."{bench.seats[0]}"')
        counted = [rules.statistics(state)[name] for state in bench.line.states()]
        for change in value_changes(bench.line, what):
            assert change.new == counted[change.step][0]
        assert what.in_state(bench.state) == values[0]


def test_unknown_seat_of_a_statistic_lists_the_seats() -> None:
    rules = find("weltendaemmerung")
    states = line_of(rules, REFEREE).states()
    with pytest.raises(NoPath, match=r"counted by seat: units\.Eldoin, units\.Dailor"):
        followed(rules, states, "units.Bob", ("Eldoin", "Dailor"))


def test_history_of_a_piece_is_described_in_words() -> None:
    rules = find("weltendaemmerung")
    line = line_of(rules, REFEREE)
    turns = {
        change.turn(rules.field_meanings)
        for number in line.states()[-1].units
        for change in value_changes(line, followed(rules, line.states(), f"units[{number}]"))
    }
    assert {"made", "moved", "hurt", "gone"} <= turns


def test_curve_spans_the_values_and_is_blank_where_missing() -> None:
    changes = [ValueChange(3, MISSING, 1), ValueChange(5, 1, 8), ValueChange(7, 8, MISSING)]
    assert curve(MISSING, changes, range(1, 9), ascii_only=False) == "  ▁▁██  "
    assert curve(MISSING, changes, range(1, 9), ascii_only=True) == "  __##  "
    assert curve("a", [], range(1, 9), ascii_only=True) == ""
    assert len(curve(1, [ValueChange(900, 1, 2)], range(1, 1000), ascii_only=True)) == 60
