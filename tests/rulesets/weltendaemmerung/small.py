"""Small positions for tests of the presenter, the reach and the tools."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from engine.core.containers import Plane, Roster
from engine.core.dice import Scripted
from engine.core.notation import read
from engine.core.refused import Refused
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.commands import AnyCommand
from engine.rulesets.weltendaemmerung.state import Options, Site, State, Unit, View
from engine.rulesets.weltendaemmerung.tables import (
    enterable,
    terrain_table,
    type_numbers,
    units_table,
)
from engine.tabletop.board import Line


def plane(rows: tuple[str, ...]) -> Plane:
    """Return the terrain of rows of the default signs."""
    values = {row.sign: number for number, row in enumerate(terrain_table())}
    return Plane(np.array([[values[sign] for sign in row] for row in rows], dtype=np.uint8))


def unit(number: int, key: str, x: int, y: int, **other: Any) -> Unit:
    """Return a new unit of a type, with some fields changed."""
    kind = type_numbers()[key]
    row = units_table()[kind]
    fields = {"v": row.v, "b": row.b, "b_max": row.b, **other}
    return Unit(number, kind, x, y, **fields)


def state(rows: tuple[str, ...], *units: Unit, **other: Any) -> State:
    """Return a position; ``other`` sets fields of the state."""
    fields = {
        "sites": Roster[Site](),
        "frontier": max(1, len(rows[0]) - 1),
        "rounds": 15,
        "cursor": (0, 0),
        "options": Options(),
        **other,
    }
    return State(terrain=plane(rows), units=Roster(units), **fields)


def view(position: State) -> View:
    """Return the view of the side to act."""
    return RULES.view(position, position.player)


def played(position: State, line: str, *throws: int) -> State:
    """Return the position after a line of notation.

    Raises:
        Refused: the rules do not allow it.
    """
    command: AnyCommand = read(line, RULES.command_type)  # type: ignore[assignment]  # read() types all commands alike
    for event in RULES.decide(position, position.player, command, Scripted(throws)):
        position = RULES.evolve(position, event)
    return position


def is_allowed(position: State, line: str, *throws: int) -> bool:
    """Return whether the side to act may do this."""
    try:
        played(position, line, *throws)
    except Refused:
        return False
    return True


SIGNS = "....,~~ffss+^#G"
"""Signs of terrain on random boards, mostly meadow."""


@st.composite
def positions(draw: st.DrawFn, most: int = 6) -> State:
    """Draw a small board with units of both sides on terrain they may enter, in any phase."""
    width, height = draw(st.integers(3, 8)), draw(st.integers(2, 6))
    row = st.text(st.sampled_from(SIGNS), min_size=width, max_size=width)
    rows = tuple(draw(st.lists(row, min_size=height, max_size=height)))
    terrain = plane(rows)
    phase, player = draw(st.integers(0, 2)), draw(st.integers(0, 1))
    spots = [(x, y) for y in range(height) for x in range(width)]
    units: list[Unit] = []
    for x, y in draw(st.lists(st.sampled_from(spots), unique=True, min_size=1, max_size=most)):
        kinds = [kind for kind in range(16) if enterable()[kind][terrain[y, x]]]
        kind = draw(st.sampled_from(kinds))
        full = units_table()[kind].b
        b = draw(st.integers(0, full if phase == 0 else 1))
        life = draw(st.integers(1, units_table()[kind].v))
        units.append(Unit(len(units), kind, x, y, life, b, full, draw(st.integers(0, 9)) > 0))
    gates = [(x, y) for x, y in spots if rows[y][x] == "G"]
    sites = [Site(number, x, y) for number, (x, y) in enumerate(gates)]
    options = Options(
        price_tile=draw(st.sampled_from(["origin", "destination"])),
        last_step=draw(st.sampled_from(["always", "must_afford"])),
        reach=draw(st.sampled_from(["floor", "exact"])),
        west_edge_win=draw(st.sampled_from(["on", "off"])),
        free_cursor=draw(st.sampled_from(["one", "both"])),
        steps=draw(st.sampled_from(["four", "eight"])),
    )
    return State(
        terrain=terrain,
        units=Roster(units),
        sites=Roster(sites),
        frontier=draw(st.integers(1, width - 1)),
        rounds=15,
        cursor=(0, 0),
        options=options,
        phase=phase,
        player=player,
    )


DUEL = state(
    (".f..", "s.G.", "E.##"),
    unit(0, "sword", 0, 0),
    unit(1, "axe", 1, 1),
    unit(2, "lord_e", 3, 1),
    frontier=3,
    sites=Roster([Site(0, 2, 1)]),
)
"""Two units of Eldoin, one of Dailor, a gate of Eldoin and an End tile."""


def texts(lines: tuple[Line, ...]) -> str:
    """Return lines as one text."""
    return "\n".join(line.text for line in lines)
