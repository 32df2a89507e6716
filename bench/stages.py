"""The games that the screen is measured with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from bench.lands import SIDES, land
from engine.core.archive import SeatPlayer
from engine.core.registry import find
from tui.play.setup import NewGame

Cell = tuple[int, int]


class Stage(NamedTuple):
    """A game and the cells where the cursor is moved."""

    title: str
    game: Callable[[], NewGame]
    sign: str
    """Text that its first picture shows."""
    size: Cell
    """Width and height of the map."""
    walks: Cell
    """Cell where the walk and the burst of keys begin."""
    steps: Cell | None
    """Cell where single steps begin; None: where the cursor is when the game is opened."""
    stack: Cell | None
    """Cell with a stack to pick up; None: no stack is held."""


def _small() -> NewGame:
    people = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))
    return NewGame("weltendaemmerung", players=people, seed=b"1", name="bench")


def _large() -> NewGame:
    people = tuple(SeatPlayer(side, f"Side {side}") for side in range(SIDES))
    scene = find("warlords2").position(land(hidden=False))
    return NewGame("warlords2", scene, players=people, seed=b"1", name="bench")


STAGES: Final[Mapping[str, Stage]] = {
    "weltendaemmerung": Stage(
        "Weltendaemmerung, 80 x 40 cells, 292 units",
        _small,
        "Pavement",
        (80, 40),
        (0, 0),
        None,
        None,
    ),
    "warlords2": Stage(
        "Warlords II, 112 x 156 tiles, 8 sides, 90 cities, 400 armies",
        _large,
        "Round 1",
        (112, 156),
        (30, 50),
        (50, 60),
        (58, 62),
    ),
}
