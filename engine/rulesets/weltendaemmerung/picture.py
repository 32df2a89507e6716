"""Presenter: board symbols, and the entry points for clients.

In the ASCII set Eldoin's units are capitals and Dailor's small letters, so that sides can be told
apart without colours. Every sign is one column wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.core.containers import Plane
from engine.rulesets.weltendaemmerung import panels, reports
from engine.rulesets.weltendaemmerung.controls import MASKS, ask, fire, intents, push, tick, why_not
from engine.rulesets.weltendaemmerung.events import AnyEvent
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.lookup import (
    current_round,
    held_unit,
    phase_name,
    statistics,
    unit_side,
)
from engine.rulesets.weltendaemmerung.offers import idle
from engine.rulesets.weltendaemmerung.panels import look
from engine.rulesets.weltendaemmerung.reach import LAYERS, layer, route
from engine.rulesets.weltendaemmerung.reports import finds
from engine.rulesets.weltendaemmerung.state import ATTACK, MOVE, Map, Terrain, View
from engine.rulesets.weltendaemmerung.tables import PACKAGE
from engine.rulesets.weltendaemmerung.telling import facts, standing, summary, tell, tolls
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import (
    NOBODY,
    Board,
    Find,
    Layer,
    Line,
    Mark,
    Overlay,
    Status,
    Symbol,
)
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.lesson_files import shipped
from engine.tabletop.listing import ListLine
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.report import Numbers, Report
from engine.tabletop.roles import Role
from engine.tabletop.toll import Toll
from engine.tabletop.unknown import UNKNOWN_EVENT, is_known

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
"""By number of the type: key, role, rich sign, letter. Rules: WD-UNIT-1."""


FIRST_GROUND: Final = 1
"""The symbol of terrain 0; the others follow in order."""


FIRST_PIECE: Final = FIRST_GROUND + len(Terrain)
"""The symbol of unit type 0; the others follow in order."""


OPEN_SITE: Final = FIRST_PIECE + len(_PIECES)
"""A gate site that carries no gate now."""


FIRST_WALL: Final = OPEN_SITE + 1
"""A wall that goes on to no side; the others follow by the sum of the sides they go on to."""


NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8


_SIDES: Final = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}


_WALLS: Final = "■║═╚║║╔╠═╝═╩╗╣╦╬"
"""By the sum of the sides."""


def _ground(terrain: Terrain) -> Symbol:
    role, rich, box, plain = _GROUND.get(terrain, _WALL)
    return Symbol(terrain.name.lower(), role, rich, box, plain, _two(role, rich))


def _two(role: Role, rich: str) -> str:
    """Pavement is quieter, and a wall that stands alone clearer, with a gap beside the sign."""
    return f"{rich} " if role in (Role.ROAD, Role.WALL) else ""


def _wall(sides: int) -> Symbol:
    """A wall as a line that goes on to some sides, so that a castle is seen as one."""
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
"""What the numbers in a board's planes mean."""


_JOINED: Final = (*sorted(WALLS), Terrain.HARD_WALL, Terrain.GATE)
"""What a wall goes on to."""


class Picture:
    """Shows the game as a square map under a cursor that is pushed with a stick.

    The window is ``engine.tabletop.viewport``: as large as the screen allows and never larger than
    the map; it moves only when the cursor pushes against its edge, in all three phases. The start
    cursor is the scenario's. When a phase ends the cursor jumps to the window's home cell.

    Rules: WD-VIEW-1, WD-VIEW-2, WD-VIEW-3, WD-VIEW-4, WD-VIEW-5.
    """

    symbols: tuple[Symbol, ...] = SYMBOLS
    zooms: tuple[str, ...] = ("map",)
    layers: tuple[Layer, ...] = LAYERS
    lead: str = "life"

    def board(self, view: View, zoom: str) -> Board:
        """Terrain below, units above; the window scrolls when it is pushed.

        Rules: WD-VIEW-2, WD-VIEW-5.
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
        living = [unit for unit in view.units.values() if unit.alive]
        if living:
            at = tuple(np.array([(unit.y, unit.x) for unit in living]).T)
            piece[at] = [unit.type + FIRST_PIECE for unit in living]
            owner[at] = [unit_side(unit) for unit in living]
        nowhere = np.full(shape, -1, dtype=np.int8)
        return Board(Plane(ground), Plane(piece), Plane(owner), Plane(nowhere), homes=True)

    def start(self, view: View) -> Focus:
        """The scenario's start cursor. Rules: WD-VIEW-4."""
        return Focus(*view.cursor)

    def status(self, view: View) -> Status:
        """Side, phase and round. Rules: WD-TURN-1, WD-TURN-3."""
        over = view.winner >= 0
        return Status(
            round=current_round(view),
            rounds=view.rounds,
            phase=phase_name(view),
            seat=NOBODY if over else view.player,
            text=standing(view),
            todo=len(idle(view)),
            over=over,
        )

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """Marks of what the held unit can do, and the panel for the cursor's tile."""
        return panels.overlay(view, focus)

    def settle(self, view: View, focus: Focus) -> Focus:
        """Lets go of a unit that cannot be carried or attack; the cursor stays with a carried one.

        Rules: WD-TURN-1, WD-STICK-6.
        """
        x = min(max(0, focus.x), view.terrain.width - 1)
        y = min(max(0, focus.y), view.terrain.height - 1)
        unit = held_unit(view, focus)
        if unit is None or (view.phase == ATTACK and unit.b == 0):
            return Focus(x, y)
        return Focus(unit.x, unit.y, unit.id) if view.phase == MOVE else Focus(x, y, unit.id)

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """One tick of the stick. Rules: WD-STICK-2, WD-STICK-3, WD-STICK-5."""
        carrying = view.phase == MOVE and held_unit(view, focus) is not None
        mask = MASKS[direction]
        ticked = tick(mask, locked=False, carrying=carrying, options=view.options)
        return push(view, focus, ticked.directions)

    def stride(self, _view: View, _focus: Focus, _direction: Direction) -> Focus | None:
        """As many cells as usual."""
        return None

    def fire(self, view: View, focus: Focus) -> Push:
        """One press of the button. Rules: WD-STICK-6."""
        return fire(view, focus)

    def jumps(self, view: View, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Units that can still act, enemies (those the attacker reaches), own gate sites."""
        return panels.jumps(view, focus, kind)

    def intents(self, view: View, focus: Focus) -> tuple[Intent, ...]:
        """Walking to a tile, attacking, working a gate, ending the phase."""
        return intents(view, focus)

    def why_not(self, view: View, _focus: Focus, key: str) -> str:
        """The phase in which a key means something."""
        return why_not(view, key)

    def ask(self, view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """The next question of such a dialogue."""
        return ask(view, focus, intent, answers)

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """A tile in sentences."""
        return look(view, x, y)

    def tell(self, event: AnyEvent, after: View) -> tuple[Line, ...]:
        """An event in sentences."""
        return tell(event, after) if is_known(event, AnyEvent) else UNKNOWN_EVENT

    def facts(self, event: AnyEvent, before: View, after: View) -> tuple[Fact, ...]:
        """What an event means, in the form all games share."""
        return facts(event, before, after) if is_known(event, AnyEvent) else ()

    def tolls(self, event: AnyEvent, before: View, after: View) -> tuple[Toll, ...]:
        """What an event cost."""
        return tolls(event, before, after) if is_known(event, AnyEvent) else ()

    def summary(self, view: View) -> tuple[Line, ...]:
        """How the sides stand, and how the game ended."""
        return summary(view)

    def reports(self, view: View) -> tuple[Report, ...]:
        """Sides, types, units, gates."""
        return reports.reports(view)

    def numbers(self, view: View) -> Numbers:
        """All of it: nothing is hidden."""
        return statistics(view)

    def layer(self, view: View, focus: Focus, name: str) -> tuple[Mark, ...]:
        """Where blows can fall, prices, times of travel."""
        return layer(view, focus, name)

    def route(self, view: View, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
        """The way of a unit over as many rounds as it needs."""
        return route(view, focus, x, y)

    def finds(self, view: View) -> tuple[Find, ...]:
        """Units, gate sites and End tiles."""
        return finds(view)

    @property
    def listing(self) -> str:
        """Nothing: orders are carried out at once."""
        return ""

    def listed(self, view: View) -> str:  # noqa: ARG002 - as the protocol has it
        """Nothing."""
        return ""

    def unlisted(self, view: View, text: str) -> tuple[ListLine, ...]:  # noqa: ARG002 - the same
        """Nothing."""
        return ()

    @property
    def manual(self) -> tuple[Chapter, ...]:
        """The rule book."""
        return manual(PACKAGE)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """What can be learnt by playing."""
        return shipped(PACKAGE, Map)


def ground_symbols(cells: npt.NDArray[Any]) -> npt.NDArray[np.int16]:
    """The symbol of every tile, of the same shape as the terrain."""
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
