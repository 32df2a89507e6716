"""The paths of a group that are computed together equal those planned one by one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import routes
from engine.strategic.path_cache import PathCache
from engine.strategic.pieces import Army
from engine.strategic.routes import Route
from tests.strategic.ground import BATS, LIGHT, SCOUTS, army, world
from tests.strategic.moving.lands import lands, places

Land = tuple[State, tuple[Army, ...]]


def planned(state: State, group: tuple[Army, ...], to: Place, *, human: bool) -> Route | None:
    return routes.plan(state, settings_of(state.options), 0, group, to, human=human)


def outlook(state: State, group: tuple[Army, ...], *, human: bool = True) -> PathCache:
    return PathCache(state, settings_of(state.options), 0, group, human=human)


@pytest.mark.rule("W2-5.3", "W2-5.6")
@given(lands(), st.booleans())
def test_every_path_equals_the_one_planned_alone(land: Land, human: bool) -> None:
    """W2-5.3, W2-5.6."""
    state, group = land
    known = outlook(state, group, human=human)
    for to in places(state):
        assert known.way(to) == planned(state, group, to, human=human)


def walled(seed: int) -> State:
    """Return land with long walls and few gaps, so that paths make detours; foes are in it."""
    lots = random.Random(seed)  # noqa: S311 - a made-up land
    size = 44
    rows = [[lots.choice("....fh#") for _ in range(size)] for _ in range(size)]
    for at in range(4, size, 6):
        along = [" m"[lots.random() < 0.2] for _ in range(size)]
        for gap in (lots.randrange(size), lots.randrange(size)):
            along[gap] = "."
        if lots.random() < 0.5:
            rows[at] = along
        else:
            for y, sign in enumerate(along):
                rows[y][at] = sign
    spots = lots.sample([(x, y) for y in range(size) for x in range(size)], 14)
    open_to = [at for at in spots if rows[at[1]][at[0]] not in " m"]
    foes = [army(k, x, y, owner=1) for k, (x, y) in enumerate(open_to[1:], 2)]
    kind = lots.choice([LIGHT, SCOUTS, BATS])
    text = ["".join(row) for row in rows]
    return world(text, armies=[army(1, *open_to[0], kind), *foes])


@pytest.mark.rule("W2-5.5")
@pytest.mark.parametrize("seed", range(6))
def test_windows_exclude_the_same_paths(seed: int) -> None:
    """W2-5.5: the near window wins over a cheaper path outside; the far one ends all paths."""
    state = walled(seed)
    group = (state.armies[1],)
    known, found = outlook(state, group), set()
    for to in places(state)[seed::17]:
        way = known.way(to)
        assert way == planned(state, group, to, human=True)
        found.add(way is None)
    assert found == {True, False}


@pytest.mark.rule("W2-5.5")
def test_near_window_wins_over_a_cheaper_path_outside() -> None:
    """W2-5.5."""
    rows = ["." * 30, *[".." + "m" * 26 + ".."] * 9]
    state = world(rows, armies=[army(1, 1, 9)])
    near = outlook(state, (state.armies[1],)).way((28, 9))
    assert near is not None
    assert near.cost == 26 * 6 + 2


@pytest.mark.rule("W2-5.5")
@pytest.mark.parametrize(
    ("human", "radius", "found"),
    [(True, 20, True), (True, 10, False), (False, 10, True)],
)
def test_people_search_a_smaller_window_than_computers(
    human: bool, radius: int, found: bool
) -> None:
    """W2-5.5."""
    rows = ["." * 3] + [". ."] * 15
    options = Options(radius_human_far=radius)
    state = world(rows, armies=[army(1, 0, 15)], options=options)
    known = outlook(state, (state.armies[1],), human=human)
    assert (known.way((2, 15)) is not None) == found


@pytest.mark.rule("W2-5.6")
def test_very_long_path_is_cut_off() -> None:
    """W2-5.6: at most 198 steps."""
    rows = []
    for number in range(30):
        side = "." if number % 2 else " "
        rows += ["." * 12, side + " " * 10 + (" " if number % 2 else ".")]
    state = world(rows, armies=[army(1, 0, 0)])
    group = (state.armies[1],)
    way = outlook(state, group, human=False).way((0, 56))
    assert way is not None
    assert len(way.path) == 198
    assert way == planned(state, group, (0, 56), human=False)


def test_no_path_for_foreign_armies_or_to_impossible_tiles() -> None:
    state = world(["..."], armies=[army(1, 0, 0), army(2, 0, 0, owner=1)])
    assert outlook(state, (state.armies[2],)).way((2, 0)) is None
    assert outlook(state, (state.armies[1],)).way((0, 0)) is None
    assert outlook(state, (state.armies[1],)).way((3, 0)) is None
