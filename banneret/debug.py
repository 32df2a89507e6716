"""Queries about a saved game that return values instead of lines of text.

>>> from banneret import debug
>>> game = debug.open("saves/samples/format-1.bnr")
>>> game.ruleset, game.seats, len(game)
('weltendaemmerung', ('Eldoin', 'Dailor'), 257)
>>> game.at("end").winner
0
>>> game.places("loss and round > 1")
['47', '48', '49', '51', '67.2']
>>> game.history("units[6].v")[-1]
PlacedChange(place='29', old=7, new=1)
>>> game.ask("go 29")[0]
'29  r1 Dailor  attack unit=8 at=10,4  attack-made  WD-ATT-3'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine.core.archive import SaveFault
from engine.core.replay import BrokenLog
from engine.debug.history import value_changes
from saves.archive import Folder
from study.debug.debugger import Answer, Debugger
from study.debug.verbs import answers, split
from tui.console.exits import Wrong
from tui.play.seats import seat_named

__all__ = ["Answer", "BrokenLog", "PastGame", "PlacedChange", "SaveFault", "Wrong", "open"]


class PlacedChange(NamedTuple):
    """Change of a value: the place of the change, and the values before and after."""

    place: str
    old: Any
    new: Any


class PastGame:
    """Saved game, from its first event to its last, seen by one viewer."""

    def __init__(self, bench: Debugger) -> None:
        """Use ``open`` instead."""
        self._bench = bench

    @property
    def ruleset(self) -> str:
        """Name of the ruleset."""
        return self._bench.rules.name

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the seats."""
        return tuple(self._bench.seats)

    def __len__(self) -> int:
        """Return the number of events."""
        return len(self._bench.line)

    def at(self, place: str) -> Any:
        """Return the state at a place, or the view of the chosen seat.

        Raises:
            Wrong: there is no such place.
        """
        return self._bench.line.state(self._bench.step_at(place))

    def places(self, query: str) -> list[str]:
        """Return the places where a query is true, in order.

        Raises:
            Wrong: the query cannot be parsed; the text gives the column.
        """
        return [self._bench.place(step) for step in self._bench.matches(query)]

    def history(self, path: str, since: str = "start") -> list[PlacedChange]:
        """Return the changes of a value after a place, in order.

        Raises:
            Wrong: there is no such value or place.
        """
        bench = self._bench
        found = value_changes(bench.line, bench.followed(path), bench.step_at(since))
        return [PlacedChange(bench.place(one.step), one.old, one.new) for one in found]

    def ask(self, verb: str) -> Sequence[str]:
        """Return the output lines of a debugger verb: ``game.ask("why units[7] at 41")``.

        Raises:
            Wrong: the verb cannot be parsed or answered.
        """
        return [answer.text for answer in self.answers(verb)]

    def answers(self, verb: str) -> Iterator[Answer]:
        """Yield the answers of a debugger verb, each with its place and data.

        Raises:
            Wrong: the verb cannot be parsed or answered.
        """
        return answers(self._bench, split(verb))


def open(save: str, *, seat: str = "", folder: str = "") -> PastGame:  # noqa: A001 - as in gzip
    """Open a saved game by its name or file.

    Args:
        save: its name in the folder of saves, or a path with a slash.
        seat: the viewer; empty: everything is visible.
        folder: the folder of saves, if not the default.

    Raises:
        SaveFault: the save cannot be read.
        BrokenLog: an event of the save cannot be applied.
        Wrong: there is no such seat.
    """
    archive = Folder(Path(folder) if folder else None)
    opened = archive.read(save)
    bench = Debugger(opened, archive=archive)
    if seat:
        bench = Debugger(opened, seat_named(bench.seats, seat), archive=archive)
    return PastGame(bench)
