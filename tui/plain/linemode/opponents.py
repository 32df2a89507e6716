"""The computer players of a table in this process."""

from __future__ import annotations

from engine.core.ids import Seat
from engine.core.notation import write
from tui.plain.players import MOST_REFUSALS, think
from tui.plain.table import Table


class Opponents:
    """Computer players who think while everybody waits."""

    def __init__(self, table: Table) -> None:
        """Play at a table."""
        self._table = table

    @property
    def are_to_act(self) -> bool:
        """Whether one of them owes something."""
        return self._to_act() is not None

    def play(self) -> str:
        """Act until none of them owes anything; what is to be said if one cannot.

        The save is synced once, at the end.

        Raises:
            SaveFault: what they do cannot be kept.
        """
        file = self._table.file
        if file is not None:
            file.patient = True
        try:
            return self._play()
        finally:
            if file is not None:
                file.patient = False
                file.sync()

    def _play(self) -> str:
        refused = 0
        while (seat := self._to_act()) is not None:
            refused = 0 if self._plan(seat) else refused + 1
            if refused >= MOST_REFUSALS:
                name = self._table.player(seat).name
                return f"The computer player of {name} finds nothing it may do."
        return ""

    def _to_act(self) -> Seat | None:
        owing = sorted(self._table.owes)
        return next((seat for seat in owing if self._table.player(seat).bot), None)

    def _plan(self, seat: Seat) -> bool:
        """Play one plan; whether at least one command of it was accepted."""
        table, game = self._table, self._table.game
        level, view = table.player(seat).bot, game.view(seat)
        accepted = False
        for command in think(table.rules, level, view, seat, table.header.seed, len(game.log)):
            if not table.carry_out(seat, write(command)).ok:
                break
            accepted = True
            if seat not in table.owes:
                break
        return accepted
