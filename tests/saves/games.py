"""Short real games for the tests of saves."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engine.core.archive import Header, Opened, SaveFile, SeatPlayer
from engine.core.log import AnyEntry
from engine.core.notation import write
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset, Scenario
from engine.core.scenarios import fitted
from saves.archive import Folder
from tui.play.players import think
from tui.play.table import Table

RULESET = "weltendaemmerung"

SMALL = {"gd6": "ring", "kaladan": "duel", "warlords2": "skirmish"}
"""Names of the small maps that are not called ``ford``."""


def small_map(rules: AnyRuleset) -> Scenario:
    """Return the small map of a ruleset, for its default number of seats."""
    ground = rules.scenarios()[SMALL.get(rules.name, "ford")]
    return fitted(rules, ground, rules.default_seats(ground))


def header(seed: bytes = b"saves", level: str = "easy", ruleset: str = RULESET) -> Header:
    """Return a header with computer players of one level on all seats."""
    rules = find(ruleset)
    ground = small_map(rules)
    names = rules.seat_names(ground)[: rules.default_seats(ground)]
    players = tuple(SeatPlayer(seat, name, level) for seat, name in enumerate(names))
    return Header(ruleset, rules.schema, seed, players, title="a test")


def start(
    file: SaveFile | None, seed: bytes = b"saves", level: str = "easy", ruleset: str = RULESET
) -> Table:
    """Begin a game on the small map that writes to a file."""
    rules = find(ruleset)
    head = header(seed, level, ruleset)
    return Table.begin(rules, small_map(rules), {}, head, file=file)


def play_on(table: Table, entries: int = 10_000) -> None:
    """Let computer players play until the log has ``entries`` entries or the game is over."""
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
    """Return the entries of a whole game."""
    table = start(None)
    play_on(table)
    return table.game.log.entries


def saved(folder: Path, name: str = "game", entries: int = 10_000) -> Path:
    """Save the first ``entries`` entries of a game; return the path."""
    archive = Folder(folder)
    file = archive.create(name, header())
    file.patient = True
    table = start(file)
    play_on(table, entries)
    table.close()
    return archive.find(name)


def entries_of(opened: Opened) -> tuple[Any, ...]:
    """Return all entries of a save."""
    return opened.log.entries
