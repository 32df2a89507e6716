"""Paths into states: reading, completing, and suggesting the nearest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.ids import REFEREE
from engine.core.registry import find as ruleset
from engine.core.ruleset import AnyRuleset
from engine.debug.paths import MISSING, NoPath, children, complete, find, put, read, value, write
from tests.debug.games import line_of

_NAMES = st.from_regex(r"[a-z][a-z_-]{0,5}", fullmatch=True) | st.text(
    st.characters(exclude_characters='"', exclude_categories=["C"]), min_size=1, max_size=5
)
_KEYS = _NAMES | st.integers(-999, 999) | st.tuples(st.integers(0, 99), st.integers(0, 99))


@given(st.tuples(_NAMES), st.lists(_KEYS, max_size=4))
def test_written_path_is_read_as_the_same(first: tuple[str], rest: list[object]) -> None:
    path = (*first, *rest)
    assert read(write(path)) == path  # type: ignore[arg-type]


def test_every_value_of_a_state_is_found_and_replaced(rules: AnyRuleset) -> None:
    state = line_of(rules, REFEREE).states()[-1]
    for key, below in children(state):
        assert value(state, (key,)) is below
        assert put(state, (key,), below) == state
        for inner, what in children(below):
            assert value(state, (key, inner)) is what


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("unitz[3].b", "the nearest is units"),
        ("units[3].bb", "the nearest is units[3].b"),
        ("units[99]", "units has no [99]"),
        ("units..b", "cannot stand in one"),
        ("terrain[99,0]", "terrain has no [99,0]"),
        ("", "at least one name"),
    ],
)
def test_unknown_path_names_the_nearest(text: str, told: str) -> None:
    states = line_of(ruleset("weltendaemmerung"), REFEREE).states()
    with pytest.raises(NoPath) as caught:
        find(states, text)
    assert told in str(caught.value)


def test_paths_are_completed_by_fields_ids_and_names() -> None:
    state = line_of(ruleset("warlords2"), REFEREE).states()[-1]
    assert "armies" in complete(state, "arm")
    first = min(state.armies)
    assert f"armies[{first}]" in complete(state, "armies[")
    assert f"armies[{first}].points" in complete(state, f"armies[{first}].po")
    name = next(iter(state.sides.values())).name
    assert any(name in path for path in complete(state, "sides."))
    assert complete(state, "arm][") == complete(state, "nothing.") == []


def test_value_of_a_dead_path_is_missing() -> None:
    state = line_of(ruleset("weltendaemmerung"), REFEREE).states()[-1]
    assert value(state, ("units", 99)) is MISSING
    assert value(state, ("rounds", "deeper")) is MISSING
