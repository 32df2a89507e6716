"""Experience and levels (section 10.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.record import replace
from engine.strategic import heroes
from engine.strategic.events import ArmiesGrew
from engine.strategic.pieces import Army, Hero
from tests.strategic.ground import HERO, army, desk, world
from tests.strategic.heroes.deeds import BOOK

ROWS = ["." * 6] * 2
RULES = BOOK.heroes.levels


def hero(number: int = 1, **more: Any) -> Army:
    return army(number, 0, 0, HERO, **more)


@pytest.mark.rule("W2-10.2")
@pytest.mark.parametrize(
    ("level", "xp", "due"),
    [
        (0, 14, False),
        (0, 15, True),
        (1, 29, False),
        (1, 30, True),
        (2, 59, False),
        (2, 60, True),
        (3, 60, False),
    ],
)
def test_each_level_has_its_threshold(level: int, xp: int, due: bool) -> None:
    assert heroes.is_due(RULES, hero(level=level, xp=xp)) == due


@pytest.mark.rule("W2-10.2", "W2-13.2")
def test_a_hero_gains_one_level_at_a_time_and_grows_by_it() -> None:
    leaders = [hero(1, xp=60), hero(2, xp=60, level=2, strength=9), hero(3, xp=60, owner=1)]
    work = desk(world(ROWS, armies=[*leaders, army(4, 0, 0, xp=60)]))
    heroes.level_up(work, BOOK, 0)
    assert work.events == (
        ArmiesGrew(
            (
                replace(leaders[0], level=1, strength=6, max_move=16),
                replace(leaders[1], level=3, strength=9, max_move=16),
            ),
            "level",
        ),
    )


@pytest.mark.rule("W2-10.2")
def test_no_event_without_a_hero_due_for_a_level() -> None:
    work = desk(world(ROWS, armies=[hero(xp=14)]))
    heroes.level_up(work, BOOK, 0)
    assert work.events == ()


@pytest.mark.rule("W2-10.2")
@pytest.mark.parametrize(
    ("female", "titles"),
    [
        (False, ["Hero", "Cavalier", "Champion", "Paladin"]),
        (True, ["Heroine", "Amazon", "Champion", "Valkyrie"]),
    ],
)
def test_heroes_of_each_level_have_a_title(female: bool, titles: list[str]) -> None:
    named = [
        heroes.title(RULES, hero(level=level, hero=Hero("Ada", female=female)))
        for level in range(4)
    ]
    assert named == titles


@pytest.mark.rule("W2-10.2")
@given(st.integers(0, 60), st.integers(0, 5))
def test_experience_is_capped_at_sixty_and_only_for_heroes(xp: int, more: int) -> None:
    work = desk(world(ROWS, armies=[hero(1, xp=xp), army(2, 0, 0)]))
    heroes.gain(work, BOOK, (1, 2), more)
    assert work.state.armies[1].xp == min(60, xp + more)
    assert work.state.armies[2].xp == 0
    assert len(work.events) == (more > 0 and xp < 60)
