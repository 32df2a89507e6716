"""The toy game with one fault of each kind that the self-checks detect."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from engine.core.containers import Plane, Roster
from engine.core.dice import Dice
from engine.core.record import replace
from tests.toy import commands as do
from tests.toy import events as ev
from tests.toy.rules import Toy

_calls = count()
_WEIGHTS: Final = {f"post {n}": (-1) ** n * 1.1 * 10 ** (3 * (n // 2)) for n in range(16)}
"""Sixteen numbers whose sum depends on the order of addition."""


class _Noted(Plane):
    """A plane with a remark that is not written to files."""

    __slots__ = ("note",)

    def __init__(self, cells: Any) -> None:
        super().__init__(cells)
        self.note = "kept in memory"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Noted) and super().__eq__(other)

    __hash__ = Plane.__hash__


def _set_order(text: str, _: Dice) -> str:
    return "".join({f"{text}{number}" for number in range(9)})


def _hash(text: str, _: Dice) -> str:
    return str(hash(text))


def _float_sum(_: str, __: Dice) -> str:
    return repr(sum(_WEIGHTS[name] for name in set(_WEIGHTS)))


def _clock(_: str, __: Dice) -> str:
    return str(time.perf_counter_ns())


def _extra_throw(text: str, dice: Dice) -> str:
    if next(_calls) % 2:
        dice.roll(6)
    return text


CRIES: Final[Mapping[str, Callable[[str, Dice], str]]] = {
    "set order": _set_order,
    "hash": _hash,
    "float sum": _float_sum,
    "clock": _clock,
    "extra throw": _extra_throw,
}


class Faulty(Toy):
    """The rules of the toy game with one fault."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self.fault = fault

    def decide(self, state: Any, seat: int, command: Any, dice: Dice) -> Any:
        """Decide as usual, but let the fault change the text of a cry."""
        if isinstance(command, do.RaiseCry) and self.fault in CRIES:
            command = do.RaiseCry(CRIES[self.fault](command.text, dice)[:20])
        return super().decide(state, seat, command, dice)

    def evolve(self, state: Any, event: Any) -> Any:
        """Evolve as usual, but let a cry mutate the map or add data that no file keeps."""
        after = super().evolve(state, event)
        if isinstance(event, ev.CryRaised) and self.fault == "shared mutable":
            after.terrain.cells.flags.writeable = True
            after.terrain.cells[0, 0] += 1
        if isinstance(event, ev.CryRaised) and self.fault == "missing in codec":
            return replace(after, terrain=_Noted(after.terrain.cells))
        return after

    def view(self, state: Any, viewer: int) -> Any:
        """Return the usual view, with the ranks of all clans if the fault is "leak"."""
        seen = super().view(state, viewer)
        if self.fault != "leak":
            return seen
        clans = seen.clans.values()
        return replace(
            seen, clans=Roster(replace(clan, ranks=state.clans[clan.id].ranks) for clan in clans)
        )
