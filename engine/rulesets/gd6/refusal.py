"""Refusals: reasons why an order or a command is refused, and the checked lines of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from engine.core.record import Record, tag
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyOrder, is_advanced, territories_of
from engine.rulesets.gd6.state import StateOrView
from engine.rulesets.gd6.territories import Decision


class Refusal(StrEnum):
    """Codes of refusals. Those of orders are in the order of the rule book's table."""

    UNKNOWN_TERRITORY = "unknown_territory"
    UNKNOWN_SEAT = "unknown_seat"
    MALFORMED_ORDER = "malformed_order"
    VARIANT_NOT_ENABLED = "variant_not_enabled"
    HQ_ALREADY_BUILT = "hq_already_built"
    HQ_MULTIPLE_ORDERS = "hq_multiple_orders"
    HQ_TERRITORY_OCCUPIED = "hq_territory_occupied"
    HQ_TOO_CLOSE_TO_EXISTING = "hq_too_close_to_existing"
    HQ_TOO_CLOSE_TO_OTHER_ORDER = "hq_too_close_to_other_order"
    NOT_ON_MAP = "not_on_map"
    INSUFFICIENT_ITEMS = "insufficient_items"
    ORIGIN_NOT_OWNED = "origin_not_owned"
    PROMOTE_BAD_COUNT = "promote_bad_count"
    PROMOTE_BAD_UNIT = "promote_bad_unit"
    INSUFFICIENT_ARMIES = "insufficient_armies"
    INSUFFICIENT_IP = "insufficient_ip"
    PROMOTE_TOO_FAR_FROM_HQ = "promote_too_far_from_hq"
    PROMOTE_LOW_LOYALTY = "promote_low_loyalty"
    SPAWN_BAD_COUNT = "spawn_bad_count"
    TARGET_NOT_OWNED = "target_not_owned"
    SPAWN_TOO_MANY = "spawn_too_many"
    SPAWN_TOO_FAR_FROM_HQ = "spawn_too_far_from_hq"
    SPAWN_NO_LOCATION = "spawn_no_location"
    SPAWN_NOT_MOST_LOYAL = "spawn_not_most_loyal"
    SPAWN_MULTIPLE_FALLBACK = "spawn_multiple_fallback"
    CONSTRUCT_PRESENT = "construct_present"
    MINE_BAD_COUNT = "mine_bad_count"
    MULTIPLE_CONSTRUCTS_ORDERED = "multiple_constructs_ordered"
    TOXIC_WASTELAND = "toxic_wasteland"
    TARGET_NOT_ADJACENT = "target_not_adjacent"
    MOVE_BAD_COUNT = "move_bad_count"
    PATH_BAD_LENGTH = "path_bad_length"
    PATH_NOT_CONNECTED = "path_not_connected"
    INSUFFICIENT_UNITS = "insufficient_units"

    GAME_OVER = "game_over"
    SEAT_ELIMINATED = "seat_eliminated"
    LIST_SEALED = "list_sealed"
    LIST_NOT_SEALED = "list_not_sealed"
    LIST_FIXED = "list_fixed"
    NO_SUCH_LINE = "no_such_line"
    LIST_TOO_LONG = "list_too_long"
    ALREADY_CONCEDED = "already_conceded"
    NOT_FOR_THE_HOUSE = "not_for_the_house"


class RefusalReason(Record, frozen=True):
    """Reason for a refusal: code, sentence with place and numbers, rule id."""

    code: Refusal
    text: str
    rule: str = ""


# -- lines of a list -------------------------------------------------------------------------------

O = TypeVar("O", bound=AnyOrder)  # noqa: E741 - an order
O_co = TypeVar("O_co", bound=AnyOrder, covariant=True)


class OrderLine(NamedTuple, Generic[O_co]):
    """An order and its position in its seat's list."""

    place: int
    order: O_co


LinesBySeat: TypeAlias = Mapping[int, Sequence[OrderLine[AnyOrder]]]
"""Readable lines by seat, seats in order."""

Reasons: TypeAlias = list[list[RefusalReason]]
"""Reasons against each line of a group; empty for an accepted line."""


def of_kind(lines: Sequence[OrderLine[AnyOrder]], kind: type[O]) -> list[OrderLine[O]]:
    """Return the lines of one kind, in the order of the list. Rules: GD-LIST-1."""
    return [OrderLine(line.place, line.order) for line in lines if isinstance(line.order, kind)]


def numbered(orders: Iterable[AnyOrder]) -> list[OrderLine[AnyOrder]]:
    """Return the orders of a list with their positions, from 0."""
    return [OrderLine(place, order) for place, order in enumerate(orders)]


def unreadable(seen: StateOrView, order: AnyOrder) -> list[RefusalReason]:
    """Return reasons why an order is unreadable and ignored.

    Rules: GD-REFUSE-1. See: GD-REFUSE-3.
    """
    found = []
    unknown = [at for at in territories_of(order) if not 1 <= at <= len(seen.world.lands)]
    if unknown:
        text = f"There is no territory {unknown[0]} on this map."
        found.append(RefusalReason(Refusal.UNKNOWN_TERRITORY, text, "GD-REFUSE-1"))
    if problem := _malformed(order):
        found.append(RefusalReason(Refusal.MALFORMED_ORDER, problem, "GD-REFUSE-1"))
    if seen.options.variant == "base" and is_advanced(order):
        text = f"The order {tag(order)} needs the advanced variant."
        found.append(RefusalReason(Refusal.VARIANT_NOT_ENABLED, text, "GD-REFUSE-1"))
    return found


def _malformed(order: AnyOrder) -> str:
    match order:
        case do.Move(path=()):
            return "A move needs a path."
        case do.UseCrop(lots=()):
            return "A crop supply needs a territory and a number of armies."
        case do.UseCrop(lots=lots) if len({at for at, _ in lots}) != len(lots):
            return "A crop supply names each territory once."
        case _:
            return ""


def refuse(
    decision: Decision, seat: int, line: OrderLine[AnyOrder], reasons: Sequence[RefusalReason]
) -> None:
    """Emit the event that a line is refused, with all reasons. Rules: GD-REFUSE-2."""
    codes = tuple(reason.code.value for reason in reasons)
    first = reasons[0]
    refused = ev.OrderRefused(seat, line.place, line.order, codes, first.text, first.rule)
    decision.emit(refused)


def sift(
    decision: Decision, seat: int, lines: Sequence[OrderLine[O]], reasons: Reasons
) -> Iterator[OrderLine[O]]:
    """Yield the accepted lines, and emit refusals of the others. See: GD-REFUSE-2."""
    for line, why in zip(lines, reasons, strict=True):
        if why:
            refuse(decision, seat, line, why)
        else:
            yield line


def refuse_all(reasons: Reasons, reason: RefusalReason) -> None:
    """Add a reason to all lines of a group. Rules: GD-LIST-6."""
    for why in reasons:
        why.append(reason)


def pay(decision: Decision, seat: int, amount: int) -> None:
    """Deduct IP from a seat; emit nothing for an amount of 0."""
    if amount:
        decision.emit(ev.IpPaid(seat, amount, decision.state.players[seat].ip - amount))
