"""Lines of the lists: picked by kind, refused, paid for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from engine.core.record import tag
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job
from engine.rulesets.gd6.orders import (
    AnyOrder,
    Build,
    LayMines,
    Move,
    PlaceHq,
    Promote,
    Spawn,
    UseCrop,
    UseDynamite,
    UseToxic,
)
from engine.rulesets.gd6.refusal import Reason, Refusal
from engine.rulesets.gd6.state import Seen

O = TypeVar("O", bound=AnyOrder)  # noqa: E741 - an order
O_co = TypeVar("O_co", bound=AnyOrder, covariant=True)


class Line(NamedTuple, Generic[O_co]):
    """An order and its place in its seat's list."""

    place: int
    order: O_co


Lists: TypeAlias = Mapping[int, Sequence[Line[AnyOrder]]]
"""The lines of each seat that can be read, seats in order."""

Reasons: TypeAlias = list[list[Reason]]
"""For each of some lines, why it is refused; empty if it is not."""


def of_kind(lines: Sequence[Line[AnyOrder]], kind: type[O]) -> list[Line[O]]:
    """The lines of one kind, in the order of the list. Rules: GD-LIST-1."""
    return [Line(line.place, line.order) for line in lines if isinstance(line.order, kind)]


def numbered(orders: Iterable[AnyOrder]) -> list[Line[AnyOrder]]:
    """A list as lines."""
    return [Line(place, order) for place, order in enumerate(orders)]


def unreadable(seen: Seen, order: AnyOrder) -> list[Reason]:
    """Why an order cannot be read; such orders count nowhere. Rules: GD-REFUSE-1, GD-REFUSE-3."""
    found = []
    unknown = [at for at in _places(order) if not 1 <= at <= len(seen.world.lands)]
    if unknown:
        text = f"There is no territory {unknown[0]} on this map."
        found.append(Reason(Refusal.UNKNOWN_TERRITORY, text, "GD-REFUSE-1"))
    if problem := _malformed(order):
        found.append(Reason(Refusal.MALFORMED_ORDER, problem, "GD-REFUSE-1"))
    if seen.options.variant == "base" and _is_advanced(order):
        text = f"The order {tag(order)} needs the advanced variant."
        found.append(Reason(Refusal.VARIANT_NOT_ENABLED, text, "GD-REFUSE-1"))
    return found


def _places(order: AnyOrder) -> tuple[int, ...]:
    match order:
        case Move():
            return order.path
        case UseCrop():
            return tuple(at for at, _ in order.lots)
        case UseDynamite() | UseToxic():
            return order.source, order.target
        case PlaceHq() | Promote() | Spawn() | Build() | LayMines():
            return (order.at,)
        case _:
            return ()


def _malformed(order: AnyOrder) -> str:
    match order:
        case Move(path=()):
            return "A move needs a path."
        case UseCrop(lots=()):
            return "A crop supply needs a territory and a number of armies."
        case UseCrop(lots=lots) if len({at for at, _ in lots}) != len(lots):
            return "A crop supply names each territory once."
        case _:
            return ""


def _is_advanced(order: AnyOrder) -> bool:
    plain_move = isinstance(order, Move) and order.unit == "army"
    return isinstance(order, Promote | LayMines | Move) and not plain_move


def refuse(work: Job, seat: int, line: Line[AnyOrder], reasons: Sequence[Reason]) -> None:
    """Tell a seat why a line is not carried out. Rules: GD-REFUSE-2."""
    codes = tuple(reason.code.value for reason in reasons)
    first = reasons[0]
    refused = ev.OrderRefused(seat, line.place, line.order, codes, first.text, first.rule)
    work.emit(refused)


def sift(work: Job, seat: int, lines: Sequence[Line[O]], reasons: Reasons) -> Iterator[Line[O]]:
    """The good ones of some lines; the others are refused. Rules: GD-REFUSE-2."""
    for line, why in zip(lines, reasons, strict=True):
        if why:
            refuse(work, seat, line, why)
        else:
            yield line


def everybody(reasons: Reasons, reason: Reason) -> None:
    """All lines of a group fail together. Rules: GD-LIST-6."""
    for why in reasons:
        why.append(reason)


def pay(work: Job, seat: int, amount: int) -> None:
    """Take IP from a seat."""
    if amount:
        work.emit(ev.IpPaid(seat, amount, work.state.players[seat].ip - amount))
