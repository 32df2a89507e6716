"""Presenter: the symbols of the board, and the entry points for clients.

In the ASCII set Eldoin's units are capitals and Dailor's small letters, so that sides can be
distinguished without colours. Every sign is one column wide.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.rulesets.weltendaemmerung import (
    cards,
    controls,
    panels,
    reach,
    reports,
    stopping,
    telling,
)
from engine.rulesets.weltendaemmerung.events import AnyEvent
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.lookup import (
    current_round,
    ground_name,
    held_unit,
    living,
    phase_name,
    statistics,
    unit_row,
    unit_side,
)
from engine.rulesets.weltendaemmerung.offers import idle
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, SIDES, Map, Terrain, View
from engine.rulesets.weltendaemmerung.tables import PACKAGE, units_table
from engine.tabletop.board import (
    NOBODY,
    Board,
    Layer,
    Status,
    Symbol,
)
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.presenter import Presenter
from engine.tabletop.roles import Role

_GROUND: Final[dict[Terrain, tuple[Role, str, str, str]]] = {
    Terrain.MEADOW: (Role.PLAIN, "·", "·", "."),
    Terrain.MEADOW_2: (Role.PLAIN, ",", ",", ","),
    Terrain.RIVER: (Role.WATER, "≈", "≈", "~"),
    Terrain.FOREST: (Role.FOREST, "♠", "♠", "&"),
    Terrain.END: (Role.GOAL, "◊", "◊", ">"),
    Terrain.SWAMP: (Role.SWAMP, "„", '"', '"'),
    Terrain.GATE: (Role.GATE, "∩", "∩", "+"),
    Terrain.MOUNTAIN: (Role.MOUNTAIN, "▲", "▲", "^"),
    Terrain.PAVEMENT: (Role.ROAD, ":", ":", ":"),
    Terrain.WALL: (Role.WALL, "■", "■", "#"),
    Terrain.HARD_WALL: (Role.HARD_WALL, "█", "█", "%"),
}
_WALL: Final = _GROUND[Terrain.WALL]

TRACK: Final = ("Move", "Attack", "Gates")
"""Names of the phases in a track of all three. See: WD-TURN-1."""

_LEFT: Final = ("still to move", "can attack", "to do")
"""Words after the number of units that can still act, by phase."""

_PIECES: Final[tuple[tuple[str, Role, str, str], ...]] = (
    ("sword", Role.PIECE, "†", "S"),
    ("bow_e", Role.PIECE, "»", "B"),
    ("eagle", Role.FLYER, "ψ", "E"),
    ("spear", Role.PIECE, "↑", "P"),
    ("ship", Role.SHIP, "▽", "W"),
    ("horse", Role.PIECE, "♘", "H"),
    ("lord_e", Role.LEADER, "♔", "F"),
    ("bow_d", Role.PIECE, "«", "b"),
    ("catapult", Role.SIEGE, "♜", "c"),
    ("blood", Role.FLYER, "ω", "v"),
    ("axe", Role.PIECE, "þ", "a"),
    ("lord_d", Role.LEADER, "♚", "f"),
    ("wyrm", Role.SIEGE, "§", "d"),
    ("ram", Role.SIEGE, "◄", "r"),
    ("wagon", Role.PIECE, "∞", "g"),
    ("wolf", Role.PIECE, "♞", "w"),
)
"""Key, role, rich sign and letter of each unit type, by its number. See: WD-UNIT-1."""

FIRST_GROUND: Final = 1
"""Symbol of terrain 0; the other terrains follow in order."""

FIRST_PIECE: Final = FIRST_GROUND + len(Terrain)
"""Symbol of unit type 0; the other types follow in order."""

OPEN_SITE: Final = FIRST_PIECE + len(_PIECES)
"""Symbol of a usable gate site without a gate."""

FIRST_WALL: Final = OPEN_SITE + 1
"""Symbol of a wall without neighbours; the others follow by the bitmask of their joined sides."""

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
_SIDES: Final = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}
_WALLS: Final = "■║═╚║║╔╠═╝═╩╗╣╦╬"
"""Signs of walls, by the bitmask of their joined sides."""


def _ground(terrain: Terrain) -> Symbol:
    role, rich, box, plain = _GROUND.get(terrain, _WALL)
    return Symbol(terrain.name.lower(), role, rich, box, plain, _two(role, rich))


def _two(role: Role, rich: str) -> str:
    """Return the double-width form with a gap, for pavement and single walls; else empty."""
    return f"{rich} " if role in (Role.ROAD, Role.WALL) else ""


def _wall(sides: int) -> Symbol:
    """Return the symbol of a wall joined to some sides by lines, so that a castle looks whole."""
    words = [word for side, word in _SIDES.items() if sides & side]
    name = f"wall, {' and '.join(words) or 'alone'}"
    line = _WALLS[sides]
    gap = "═" if sides & EAST else " "
    return Symbol(name, Role.WALL, line, line, _WALL[3], line + gap)


SYMBOLS: Final[tuple[Symbol, ...]] = (
    Symbol("nothing", Role.BLANK, " ", " ", " "),
    *(_ground(terrain) for terrain in Terrain),
    *(Symbol(key, role, rich, letter, letter) for key, role, rich, letter in _PIECES),
    Symbol("open site", Role.SITE, "□", "□", "'"),
    *(_wall(sides) for sides in range(len(_WALLS))),
)
"""Symbols by the numbers in a board's planes."""

_JOINED: Final = (*sorted(WALLS), Terrain.HARD_WALL, Terrain.GATE)
"""Terrains that a wall joins."""


class Picture(Presenter[View, AnyEvent]):
    """Presenter of a square map under a cursor that is pushed with a stick.

    The window is ``engine.tabletop.viewport``: as large as the screen allows and never larger than
    the map. It moves only when the cursor pushes against its edge, in all three phases. The start
    cursor is the scenario's. When a phase ends, the cursor jumps to the window's home cell.

    Rules: WD-VIEW-1. See: WD-VIEW-2 to WD-VIEW-5.
    """

    package = PACKAGE
    lesson_scenario = Map
    symbols: tuple[Symbol, ...] = SYMBOLS
    layers: tuple[Layer, ...] = reach.LAYERS
    lead: str = "life"

    overlay = staticmethod(panels.overlay)
    forces = staticmethod(cards.forces)
    jumps = staticmethod(panels.jumps)
    look = staticmethod(panels.look)
    layer = staticmethod(reach.layer)
    route = staticmethod(reach.route)
    threats = staticmethod(stopping.named_strikers)
    fire = staticmethod(controls.fire)
    intents = staticmethod(controls.intents)
    ask = staticmethod(controls.ask)
    why_not = staticmethod(controls.why_not)
    why_not_at = staticmethod(controls.why_not_at)
    tell = staticmethod(telling.NARRATION.tell)
    facts = staticmethod(telling.NARRATION.facts_of)
    losses = staticmethod(telling.NARRATION.losses_of)
    summary = staticmethod(telling.summary)
    finds = staticmethod(reports.finds)
    numbers = staticmethod(statistics)
    reports = staticmethod(reports.reports)

    def site_words(self) -> str:
        """Return what ``jumps`` of the kind ``site`` finds."""
        return "gate or gate site"

    def board(self, view: View, zoom: str) -> Board:
        """Return the board: terrain below, units above. The window scrolls when it is pushed.

        Rules: WD-VIEW-5. See: WD-VIEW-2.

        Raises:
            ValueError: the zoom is not ``map``.
        """
        if zoom not in self.zooms:
            raise ValueError(f"there is no zoom {zoom!r}")
        shape = view.terrain.cells.shape
        ground = ground_symbols(view.terrain.cells)
        for site in view.sites.values():
            if not site.ruined and view.terrain.cells[site.y, site.x] != Terrain.GATE:
                ground[site.y, site.x] = OPEN_SITE
        piece = np.zeros(shape, dtype=np.int16)
        owner = np.full(shape, NOBODY, dtype=np.int8)
        life = np.zeros(shape, dtype=np.int8)
        living = [unit for unit in view.units.values() if unit.alive]
        if living:
            at = tuple(np.array([(unit.y, unit.x) for unit in living]).T)
            piece[at] = [unit.type + FIRST_PIECE for unit in living]
            owner[at] = [unit_side(unit) for unit in living]
            life[at] = [max(1, 100 * unit.v // unit_row(unit).v) for unit in living]
        places = np.full(shape, -1, dtype=np.int8)
        return Board(
            Plane(ground), Plane(piece), Plane(owner), Plane(places), homes=True, life=Plane(life)
        )

    def start(self, view: View) -> Focus:
        """Return the start cursor of the scenario. Rules: WD-VIEW-4."""
        return Focus(*view.cursor)

    def status(self, view: View) -> Status:
        """Return side, phase and round. See: WD-TURN-1, WD-TURN-3."""
        over = view.winner >= 0
        return Status(
            round=current_round(view),
            rounds=view.rounds,
            phase=phase_name(view),
            seat=NOBODY if over else view.player,
            text=telling.status_line(view),
            todo=len(idle(view)),
            over=over,
            track=TRACK,
            at_track=view.phase,
            side="" if over else SIDES[view.player],
            todo_of=living(view, view.player),
            todo_word=_LEFT[view.phase],
        )

    def settle(self, view: View, focus: Focus) -> Focus:
        """Return the focus after a change of the view; keep its unit only if it can act.

        The cursor stays on the map, and with a carried unit. See: WD-TURN-1, WD-STICK-6.
        """
        x = min(max(0, focus.x), view.terrain.width - 1)
        y = min(max(0, focus.y), view.terrain.height - 1)
        unit = held_unit(view, focus)
        if unit is None or (view.phase == ATTACK and unit.b == 0):
            return Focus(x, y)
        return Focus(unit.x, unit.y, unit.id) if view.phase == MOVE else Focus(x, y, unit.id)

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """Return the effect of one tick of the stick.

        Rules: WD-STICK-5. See: WD-STICK-2, WD-STICK-3.
        """
        carrying = view.phase == MOVE and held_unit(view, focus) is not None
        mask = controls.MASKS[direction]
        ticked = controls.tick(mask, locked=False, carrying=carrying, options=view.options)
        return controls.push(view, focus, ticked.directions)

    def legend(self, _view: View) -> dict[str, str]:
        """Describe terrains by name, and unit types with values. See: WD-UNIT-1, WD-TERR-1."""
        words = {terrain.name.lower(): ground_name(terrain) for terrain in Terrain}
        for (key, *_), row in zip(_PIECES, units_table(), strict=True):
            values = f"range {row.r}, moves {row.b}, attack {row.a}, life {row.v}"
            words[key] = f"{row.english}: {values}"
        return words


def ground_symbols(cells: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
    """Return the symbol numbers of all tiles; walls are joined to their neighbours."""
    symbols: npt.NDArray[np.int16] = cells.astype(np.int16) + FIRST_GROUND
    joined = np.pad(np.isin(cells, _JOINED), 1)
    sides = (
        NORTH * joined[:-2, 1:-1]
        + EAST * joined[1:-1, 2:]
        + SOUTH * joined[2:, 1:-1]
        + WEST * joined[1:-1, :-2]
    )
    walls = np.isin(cells, sorted(WALLS))
    symbols[walls] = FIRST_WALL + sides[walls]
    return symbols


PRESENTER = Picture()
"""The presenter of this ruleset."""
