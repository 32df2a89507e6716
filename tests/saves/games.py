"""Short real games for the tests of saves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engine.core.archive import Header, Opened, SaveFile, SeatPlayer
from engine.core.log import AnyEntry
from engine.core.notation import write
from engine.core.registry import find
from saves.archive import Folder
from tui.play.players import think
from tui.play.table import Table

RULESET = "weltendaemmerung"

SMALL = {"kaladan": "duel", "warlords2": "skirmish"}
"""Small maps that have another name than ``ford``."""


def header(seed: bytes = b"saves", level: str = "easy", ruleset: str = RULESET) -> Header:
    """Two computer players of a level."""
    rules = find(ruleset)
    names = rules.seat_names(rules.scenarios()[SMALL.get(ruleset, "ford")])
    players = (SeatPlayer(0, names[0], level), SeatPlayer(1, names[1], level))
    return Header(ruleset, rules.schema, seed, players, title="a test")


def start(
    file: SaveFile | None, seed: bytes = b"saves", level: str = "easy", ruleset: str = RULESET
) -> Table:
    """A game on the small map that writes to a file."""
    rules = find(ruleset)
    head = header(seed, level, ruleset)
    ground = rules.scenarios()[SMALL.get(ruleset, "ford")]
    return Table.begin(rules, ground, {}, head, file=file)


def play_on(table: Table, entries: int = 10_000) -> None:
    """Let computer players play until the log has so many entries, or the game is over."""
    while (seat := table.to_act()) is not None:
        view = table.game.view(seat)
        level = table.player(seat).bot
        for command in think(
            table.rules, level, view, seat, table.header.seed, len(table.game.log)
        ):
            if len(table.game.log) >= entries:
                return
            reply = table.submit(seat, write(command))
            if not reply.ok:
                assert reply.code != "NOT_SAVED", reply.text
                break


@cache
def played() -> tuple[AnyEntry, ...]:
    """The entries of a whole game."""
    table = start(None)
    play_on(table)
    return table.game.log.entries


def saved(folder: Path, name: str = "game", entries: int = 10_000) -> Path:
    """A save of the beginning of a game; its path."""
    archive = Folder(folder)
    file = archive.create(name, header())
    file.patient = True
    table = start(file)
    play_on(table, entries)
    table.close()
    return archive.find(name)


def entries_of(opened: Opened) -> tuple[Any, ...]:
    """All entries of a save."""
    return opened.log.entries
