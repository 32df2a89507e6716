"""Records of a game: state, view and scenario (section 1 of the rule book).

Nothing is hidden in this game: a view is the state and the number of its viewer.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Literal, TypeAlias

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.ids import Viewer
from engine.core.record import Record, Scenario
from engine.kit.records import alike

ELDOIN: Final = 0
DAILOR: Final = 1
SIDES: Final = ("Eldoin", "Dailor")
MOVE: Final = 0
ATTACK: Final = 1
GATES: Final = 2
PHASES: Final = ("Movement", "Attack", "Gates")
"""Names of the phases in order. See: WD-TURN-1."""
NO_SITE: Final = -1

EndReason: TypeAlias = Literal["commander", "annihilation", "time", "west_edge"]
"""Reasons for the end of a game. See: WD-WIN-1 to WD-WIN-4."""


class Terrain(IntEnum):
    """Values of the terrain plane. See: WD-TERR-1.

    The two meadows are one terrain with two pictures. ``HARD_WALL`` differs from ``WALL`` only in
    sieges. The eight other pictures of walls are WALL_1 to WALL_8.
    """

    MEADOW = 0
    MEADOW_2 = 1
    RIVER = 2
    FOREST = 3
    END = 4
    SWAMP = 5
    GATE = 6
    MOUNTAIN = 7
    PAVEMENT = 8
    WALL = 9
    HARD_WALL = 10
    WALL_1 = 11
    WALL_2 = 12
    WALL_3 = 13
    WALL_4 = 14
    WALL_5 = 15
    WALL_6 = 16
    WALL_7 = 17
    WALL_8 = 18


class Options(Record, frozen=True):
    """Options chosen before the game (section 0.2), except ``rounds``."""

    price_tile: Literal["origin", "destination"] = "origin"
    last_step: Literal["always", "must_afford"] = "always"
    reach: Literal["floor", "exact"] = "floor"
    chance: Literal["uniform8", "c64_weights", "c64_cycle"] = "uniform8"
    west_edge_win: Literal["on", "off"] = "on"
    end_tile: Literal["on", "off"] = "on"
    free_cursor: Literal["one", "both"] = "one"
    steps: Literal["four", "eight"] = "four"


class Unit(Record, frozen=True):
    """A unit: its type (0 to 15), tile, life left, points or attacks left, and full points."""

    id: int
    type: int
    x: int
    y: int
    v: int
    b: int
    b_max: int
    alive: bool = True


class Site(Record, frozen=True):
    """A gate site; permanently ruined once its gate was broken."""

    id: int
    x: int
    y: int
    ruined: bool = False


class State(Record, frozen=True, weakref=True):
    """Position of a game.

    ``terrain`` is uint8 of shape (height, width), values of Terrain. ``completed`` counts finished
    rounds, ``attacks`` the attacks on units so far (for ``c64_cycle``). ``cycle`` holds 256 indices
    from 0 to 7, or is empty. ``winner`` is -1 until the game ends.
    """

    terrain: Plane
    units: Roster[Unit]
    sites: Roster[Site]
    frontier: int
    rounds: int
    cursor: tuple[int, int]
    options: Options
    name: str = ""
    title: str = ""
    about: str = ""
    completed: int = 0
    phase: int = MOVE
    player: int = ELDOIN
    attacks: int = 0
    winner: int = -1
    reason: EndReason | None = None
    cycle: tuple[int, ...] = ()


class View(Record, frozen=True, weakref=True):
    """Fields of ``State``, in the same order, after the viewer: nothing is hidden in this game."""

    viewer: int
    terrain: Plane
    units: Roster[Unit]
    sites: Roster[Site]
    frontier: int
    rounds: int
    cursor: tuple[int, int]
    options: Options
    name: str = ""
    title: str = ""
    about: str = ""
    completed: int = 0
    phase: int = MOVE
    player: int = ELDOIN
    attacks: int = 0
    winner: int = -1
    reason: EndReason | None = None
    cycle: tuple[int, ...] = ()


Position: TypeAlias = State | View


def view(state: State, viewer: Viewer) -> View:
    """Return the view of a position."""
    return alike(View, state, viewer=viewer)


def imagine(seen: View) -> State:
    """Return the only state that has this view."""
    return alike(State, seen)


def empty() -> State:
    """Return the state before the first event: a board without tiles."""
    return State(
        terrain=Plane(np.zeros((0, 0), dtype=np.uint8)),
        units=Roster(),
        sites=Roster(),
        frontier=0,
        rounds=0,
        cursor=(0, 0),
        options=Options(),
    )


# -- scenarios ---------------------------------------------------------------------------


class Placed(Record, frozen=True):
    """A unit in a scenario, by the key of its type; omitted numbers are those of a new unit."""

    type: str
    x: int
    y: int
    v: int | None = None
    b: int | None = None
    b_max: int | None = None
    alive: bool = True


class SitePlaced(Record, frozen=True):
    """A gate site in a scenario."""

    x: int
    y: int
    ruined: bool = False


class Now(Record, frozen=True):
    """Moment of a mid-game position. With it, the requirements for a fresh start do not apply."""

    completed: int = 0
    phase: int = MOVE
    player: int = ELDOIN
    attacks: int = 0
    winner: int = -1
    reason: EndReason | None = None


class Map(Scenario, frozen=True):
    """A scenario of this game (section 16.2), also any position in the middle of one.

    ``rows`` are strings of equal length. ``legend`` maps each sign to the key of its terrain
    (default: the usual signs). ``options`` are the scenario's; a player's own override them.
    ``cycle``: 256 indices for the option ``chance = c64_cycle``.
    """

    frontier: int
    rounds: int
    cursor: tuple[int, int]
    rows: tuple[str, ...]
    units: tuple[Placed, ...]
    sites: tuple[SitePlaced, ...]
    legend: dict[str, str] | None = None
    options: Options = Options()
    now: Now | None = None
    cycle: tuple[int, ...] = ()
