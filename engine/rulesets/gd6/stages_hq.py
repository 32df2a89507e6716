"""Settling: the first stage of Construction, which may have to be repeated."""

from __future__ import annotations

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, close_by, letter, name
from engine.rulesets.gd6.lines import Line, Lists, Reasons, everybody, of_kind, refuse
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import PlaceHq
from engine.rulesets.gd6.refusal import Reason, Refusal
from engine.rulesets.gd6.state import NOBODY, Seen

Wish = tuple[int, Line[PlaceHq]]
"""A seat, and its order to settle."""


def reasons(seen: Seen, seat: int, lines: list[Line[PlaceHq]]) -> Reasons:
    """Why a seat cannot settle there, clashes apart. Rules: GD-HQ-1, GD-HQ-2."""
    found: Reasons = [[] for _ in lines]
    if seen.players[seat].hq_built:
        text = f"{letter(seat)} has built its headquarters."
        everybody(found, Reason(Refusal.HQ_ALREADY_BUILT, text, "GD-HQ-1"))
    if len(lines) > 1:
        text = f"The list has {len(lines)} orders for headquarters; one can be built."
        everybody(found, Reason(Refusal.HQ_MULTIPLE_ORDERS, text, "GD-HQ-1"))
    for line, why in zip(lines, found, strict=True):
        at = line.order.at
        if (owner := seen.territories[at].owner) != NOBODY:
            text = f"{name(seen, at)} belongs to {letter(owner)}."
            why.append(Reason(Refusal.HQ_TERRITORY_OCCUPIED, text, "GD-HQ-1"))
        if near := _headquarters_near(seen, at):
            least = numbers().hq_min_distance.value
            text = f"{name(seen, at)} is less than {least} borders from {name(seen, near)}."
            why.append(Reason(Refusal.HQ_TOO_CLOSE_TO_EXISTING, text, "GD-HQ-2"))
    return found


def _headquarters_near(seen: Seen, at: int) -> int:
    """A headquarters too near to a territory; 0 if there is none."""
    near = close_by(seen.world, at)
    return min((other for other in near if seen.territories[other].hq != NOBODY), default=0)


def settle(work: Job, lists: Lists) -> bool:
    """Build headquarters; False if somebody must choose another site. Rules: GD-HQ-4, GD-HQ-5."""
    state, good, failed = work.state, list[Wish](), list[int]()
    wishes = [(seat, line.order.at) for seat, line in _wishes(state, lists)]
    for seat, lines in lists.items():
        if not takes_part(state, seat):
            continue
        own = of_kind(lines, PlaceHq)
        for line, why in zip(own, reasons(state, seat, own), strict=True):
            if why:
                refuse(work, seat, line, why)
                failed.append(seat)
            else:
                good.append((seat, line))
    kept, clashing = _clashes(state, good)
    for seat, line in clashing:
        refuse(work, seat, line, [_clash(state, (seat, line), good)])
        failed.append(seat)
    for seat, line in sorted(kept, key=lambda wish: wish[1].order.at):
        work.emit(ev.HqBuilt(seat, line.order.at))
    again = sorted({seat for seat in failed if state.players[seat].status == "unsettled"})
    if again:
        shown = tuple(sorted(wishes, key=lambda wish: wish[::-1]))
        work.emit(ev.HqRoundFailed(shown, tuple(again), state.failed_rounds + 1))
    return not again


def takes_part(state: Seen, seat: int) -> bool:
    """Whether a seat's list is new in this settling round. Rules: GD-HQ-5."""
    return not state.failed_rounds or seat in state.choosing


def _wishes(state: Seen, lists: Lists) -> list[Wish]:
    return [
        (seat, line)
        for seat, lines in lists.items()
        if takes_part(state, seat)
        for line in of_kind(lines, PlaceHq)
    ]


def _clashes(state: Seen, good: list[Wish]) -> tuple[list[Wish], list[Wish]]:
    """Those who get their site, and those whose sites are too near to another's.

    Rules: GD-HQ-4, GD-HQ-6.
    """
    if state.failed_rounds >= numbers().hq_max_rounds.value:
        return _in_seat_order(state, good)
    kept, clashing = list[Wish](), list[Wish]()
    for wish in good:
        near = close_by(state.world, wish[1].order.at)
        rivals = [other for other in good if other[0] != wish[0] and other[1].order.at in near]
        (clashing if rivals else kept).append(wish)
    return kept, clashing


def _in_seat_order(state: Seen, good: list[Wish]) -> tuple[list[Wish], list[Wish]]:
    kept, clashing = list[Wish](), list[Wish]()
    for wish in sorted(good, key=lambda wish: wish[0]):
        near = close_by(state.world, wish[1].order.at)
        beaten = any(other[1].order.at in near for other in kept)
        (clashing if beaten else kept).append(wish)
    return kept, clashing


def _clash(state: Seen, wish: Wish, good: list[Wish]) -> Reason:
    seat, at = wish[0], wish[1].order.at
    near = close_by(state.world, at)
    sites = (other.order.at for rival, other in good if rival != seat)
    rival = min(site for site in sites if site in near)
    text = f"{name(state, at)} is too near to {name(state, rival)}, where another wants to settle."
    return Reason(Refusal.HQ_TOO_CLOSE_TO_OTHER_ORDER, text, "GD-HQ-4")
