"""The computer players of a table in this process."""

from __future__ import annotations

from engine.core.ids import Seat
from tui.console.exits import Stuck
from tui.play.players import PlanLimits, carry_out
from tui.play.table import Table


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
        limits = PlanLimits()
        try:
            while (seat := self._to_act()) is not None:
                carry_out(self._table, seat, limits, self._table.carry_out)
        except Stuck as stuck:
            text = str(stuck)
            return f"{text[:1].upper()}{text[1:]}."
        return ""

    def _to_act(self) -> Seat | None:
        owing = sorted(self._table.owes)
        return next((seat for seat in owing if self._table.player(seat).bot), None)
