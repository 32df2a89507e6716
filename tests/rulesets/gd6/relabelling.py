"""Positions and events with renamed seats.

Data kept by seat (players, counts at the opening of a turn, failed sites, winners) is sorted by
seat again. Everything else keeps its order: land that of the board, squads that of their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from engine.core.containers import Roster
from engine.core.record import Record, replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.state import NOBODY, Deed, Player, State, World
from engine.rulesets.gd6.territories import letter

SECRET: Final = (
    ev.OrderRefused
    | ev.OrderReduced
    | ev.IpPaid
    | ev.MinesLaid
    | ev.ItemSpent
    | ev.ItemBought
    | ev.IncomeEarned
)
"""Events visible to one seat each; the log has them seat by seat."""

_LETTER: Final = re.compile(
    r"^[A-M](?= has built its headquarters\.$)|(?<= belongs to )[A-M](?=\.$)"
)
"""Places in a refusal's text that name a seat."""

LEAVING: Final = ev.Disbanded | ev.Neutralised | ev.Eliminated
"""Events of seats that leave the game at the end of a turn, seat by seat."""

SEAT: Final = {"seat", "owner", "hq"}
SEATS: Final = {"idle", "failed", "choosing", "winners"}
BY_SEAT: Final = {"owned", "laid"}
"""Names of fields with a seat, with sorted seats, and with sorted rows that begin with a seat."""


def relabelled(state: State, names: Sequence[int]) -> State:
    """Return the position with seat ``n`` renamed to ``names[n]``."""
    made: State = _called(state, names)
    return replace(made, deeds=tuple(_deeds_in_order(made.deeds)))


def events_relabelled(
    events: Sequence[ev.AnyEvent], names: Sequence[int]
) -> tuple[ev.AnyEvent, ...]:
    """Return the events with seat ``n`` renamed to ``names[n]``, sorted by seat where needed.

    These are runs of secret events, each seat's own in their order, and runs of events of seats
    that leave at the end of a turn.
    """
    over = False
    kinds = []
    for event in events:
        over = over or event == ev.PhaseBegan("final")
        leaving = over and isinstance(event, LEAVING)
        kinds.append("secret" if isinstance(event, SECRET) else "leaving" if leaving else "")
    told: list[ev.AnyEvent] = []
    for kind, group in groupby(zip(kinds, events, strict=True), key=lambda pair: pair[0]):
        row = [_called(event, names) for _, event in group]
        told += sorted(row, key=_whose) if kind else row
    return tuple(told)


def _whose(event: Any) -> int:
    seat: int = event.owner if isinstance(event, ev.Neutralised) else event.seat
    return seat


def _called(value: Any, names: Sequence[int]) -> Any:
    """Rename the seats in a value, however deeply nested."""
    match value:
        case World():
            return value
        case Record():
            fields = type(value).__struct_fields__
            made = {name: _field(name, getattr(value, name), names) for name in fields}
            if isinstance(value, Player):
                made["id"] = names[value.id]
            if isinstance(value, ev.HqRoundFailed):
                wishes = ((names[seat], at) for seat, at in value.orders)
                made["orders"] = tuple(sorted(wishes, key=lambda wish: wish[::-1]))
            return type(value)(**made)
        case Roster():
            return Roster(_called(row, names) for row in value.values())
        case tuple():
            return tuple(_called(one, names) for one in value)
        case _:
            return value


def _field(name: str, value: Any, names: Sequence[int]) -> Any:
    if name in SEAT:
        return value if value == NOBODY else names[value]
    if name in SEATS:
        return tuple(sorted(names[seat] for seat in value))
    if name in BY_SEAT:
        return tuple(sorted((names[seat], *rest) for seat, *rest in value))
    if name == "sides":
        return tuple((names[seat], *rest) for seat, *rest in value)
    if name == "text":
        return _text(value, names)
    return _called(value, names)


def _text(text: str, names: Sequence[int]) -> str:
    """Rename the seats in a refusal's text."""
    letters = {letter(seat): letter(name) for seat, name in enumerate(names)}
    return _LETTER.sub(lambda found: letters[found[0]], text)


def _deeds_in_order(deeds: Sequence[Deed]) -> list[Deed]:
    """Sort failed sites of several seats by the board, then by seat."""
    told: list[Deed] = []
    for failed, group in groupby(deeds, key=lambda deed: deed.what == "failed"):
        row = list(group)
        told += sorted(row, key=lambda deed: (deed.at, deed.seat)) if failed else row
    return told
