"""Recorded games of computer players, one per ruleset, most of them with dice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from engine.core.archive import Header, SaveFile, SeatPlayer
from engine.core.options import Value
from engine.core.registry import find
from engine.core.scenarios import fitted
from engine.debug.line import GameLine, whole_line
from saves.archive import Folder
from tests.saves.games import play_on
from tui.play.table import Table

SMALL: Final = {
    "gd6": "ring",
    "kaladan": "duel",
    "lordsawar": "ford",
    "warlords2": "skirmish",
    "weltendaemmerung": "ford",
}
"""A small scenario of each ruleset."""

OPTIONS: Final[Mapping[str, Mapping[str, Value]]] = {"lordsawar": {"combat_rule": "dice"}}
"""Options that make dice decide more."""


def begun(ruleset: str, seed: bytes, file: SaveFile | None = None, level: str = "") -> Table:
    """Begin a game of computer players."""
    rules = find(ruleset)
    scenario = rules.scenarios().get(SMALL.get(ruleset, "")) or next(
        iter(rules.scenarios().values())
    )
    count = rules.default_seats(scenario)
    scenario = fitted(rules, scenario, count, frozenset(range(count)))
    names = rules.seat_names(scenario)
    level = level or next(iter(rules.bots))
    players = tuple(SeatPlayer(seat, names[seat], level) for seat in range(count))
    header = Header(ruleset, rules.schema, seed, players, title="recorded")
    return Table.begin(rules, scenario, OPTIONS.get(ruleset, {}), header, file=file)


@cache
def recorded(ruleset: str, seed: bytes = b"causes", entries: int = 120) -> GameLine:
    """Return the line of a game of up to ``entries`` entries."""
    table = begun(ruleset, seed)
    play_on(table, entries)
    line = whole_line(table.rules, table.game.log)
    line.states()
    return line


def saved(folder: Path, ruleset: str, seed: bytes = b"causes", entries: int = 120) -> Path:
    """Save such a game and return its path."""
    archive = Folder(folder)
    name = f"{ruleset}-{seed.decode()}"
    file = archive.create(name, begun(ruleset, seed).header)
    file.patient = True
    table = begun(ruleset, seed, file)
    play_on(table, entries)
    table.close()
    return archive.find(name)
