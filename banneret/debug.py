"""Questions about a saved game, as values instead of lines of text.

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
'29  r1 Dailor  attack unit=8 at=10,4  attack-made'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine.core.archive import SaveFault
from engine.core.replay import BrokenLog
from engine.debug.history import value_changes
from saves.archive import Folder
from tui.console.exits import Wrong
from tui.debug.debugger import Answer, Debugger
from tui.debug.verbs import answers, split
from tui.play.seats import seat_named

__all__ = ["Answer", "BrokenLog", "PastGame", "PlacedChange", "SaveFault", "Wrong", "open"]


class PlacedChange(NamedTuple):
    """A change of a value: the place it came with, and the value before and after."""

    place: str
    old: Any
    new: Any


class PastGame:
    """A saved game, from its first event to its last, through one pair of eyes."""

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
        """Number of events."""
        return len(self._bench.line)

    def at(self, place: str) -> Any:
        """The state at a place, or the view of the seat whose eyes are used.

        Raises:
            Wrong: there is no such place.
        """
        return self._bench.line.state(self._bench.step_at(place))

    def places(self, query: str) -> list[str]:
        """The places at which a query is true, in order.

        Raises:
            Wrong: the query cannot be read; the text names the column.
        """
        return [self._bench.place(step) for step in self._bench.matches(query)]

    def history(self, path: str, since: str = "start") -> list[PlacedChange]:
        """Each change of a value behind a place, in order.

        Raises:
            Wrong: there is no such value or place.
        """
        bench = self._bench
        found = value_changes(bench.line, bench.followed(path), bench.step_at(since))
        return [PlacedChange(bench.place(one.step), one.old, one.new) for one in found]

    def ask(self, verb: str) -> Sequence[str]:
        """The lines that a verb of the debugger answers: ``game.ask("why units[7] at 41")``.

        Raises:
            Wrong: it cannot be read or answered.
        """
        return [answer.text for answer in self.answers(verb)]

    def answers(self, verb: str) -> Iterator[Answer]:
        """The answers of a verb one by one, each with its place and data.

        Raises:
            Wrong: it cannot be read or answered.
        """
        return answers(self._bench, split(verb))


def open(save: str, *, seat: str = "", folder: str = "") -> PastGame:  # noqa: A001 - as in gzip
    """A saved game by its name or file.

    Args:
        save: its name in the folder of saves, or a path with a slash.
        seat: whose eyes are used; empty: all is seen.
        folder: the folder of saves, if not the usual one.

    Raises:
        SaveFault: it cannot be read.
        BrokenLog: an event of it cannot be applied.
        Wrong: there is no such seat.
    """
    archive = Folder(Path(folder) if folder else None)
    opened = archive.read(save)
    bench = Debugger(opened, archive=archive)
    if seat:
        bench = Debugger(opened, seat_named(bench.seats, seat), archive=archive)
    return PastGame(bench)
