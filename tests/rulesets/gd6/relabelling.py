"""Positions and events with the seats called otherwise.

What the game keeps seat by seat (players, counts at the opening of a turn, who failed, who won) is
put back into the order of seats. Nothing else is moved: land stays in the order of the board, and
squads in that of their numbers.
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
"""Told to one seat each; they stand in the log seat by seat."""

_LETTER: Final = re.compile(
    r"^[A-M](?= has built its headquarters\.$)|(?<= belongs to )[A-M](?=\.$)"
)
"""Pattern of the places in a reason that name a seat."""

LEAVING: Final = ev.Disbanded | ev.Neutralised | ev.Eliminated
"""Events that come seat by seat when a turn is over: seats that are out leave the game."""

SEAT: Final = {"seat", "owner", "hq"}
SEATS: Final = {"idle", "failed", "choosing", "winners"}
BY_SEAT: Final = {"owned", "laid"}
"""Fields that are a seat, seats in order, and rows in order that begin with a seat."""


def relabelled(state: State, names: Sequence[int]) -> State:
    """The position with seat ``n`` called ``names[n]``."""
    made: State = _called(state, names)
    return replace(made, deeds=tuple(_deeds_in_order(made.deeds)))


def events_relabelled(
    events: Sequence[ev.AnyEvent], names: Sequence[int]
) -> tuple[ev.AnyEvent, ...]:
    """The events with seat ``n`` called ``names[n]``, where they stand seat by seat in that order.

    These are secret events in a row, each seat's own in their order, and those of seats that leave
    in a row when the turn is over.
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
    """A value with other seats in it, however deep."""
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
    """A reason with other letters of seats."""
    letters = {letter(seat): letter(name) for seat, name in enumerate(names)}
    return _LETTER.sub(lambda found: letters[found[0]], text)


def _deeds_in_order(deeds: Sequence[Deed]) -> list[Deed]:
    """Sites that several failed to settle stand in the order of the board, then of the seats."""
    told: list[Deed] = []
    for failed, group in groupby(deeds, key=lambda deed: deed.what == "failed"):
        row = list(group)
        told += sorted(row, key=lambda deed: (deed.at, deed.seat)) if failed else row
    return told
