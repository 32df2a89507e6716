"""Promotion: armies become cavalry, heavies or spies. Advanced variant."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, headquarters, name
from engine.rulesets.gd6.lines import Line, Lists, Reasons, of_kind, pay, sift
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.orders import Promote
from engine.rulesets.gd6.refusal import Reason, Refusal
from engine.rulesets.gd6.state import Seen


def cost(lines: Sequence[Line[Promote]]) -> int:
    """What promotions cost together, in IP. Rules: GD-PROMOTE-2."""
    return sum(max(0, line.order.count) * unit_rows()[line.order.unit].cost for line in lines)


def reasons(seen: Seen, seat: int, lines: Sequence[Line[Promote]]) -> Reasons:
    """Why promotions are refused. Rules: GD-PROMOTE-1 to GD-PROMOTE-4."""
    price, purse = cost(lines), seen.players[seat].ip
    sites = set(headquarters(seen, seat))
    found: Reasons = []
    for line in lines:
        why = _own_land_and_count(seen, seat, line.order)
        why += _armies(seen, line.order, lines)
        if price > purse:
            text = f"The promotions cost {price} IP, and there are {purse}."
            why.append(Reason(Refusal.INSUFFICIENT_IP, text, "GD-PROMOTE-2"))
        why += _place(seen, line.order, sites)
        found.append(why)
    return found


def _own_land_and_count(seen: Seen, seat: int, order: Promote) -> list[Reason]:
    found = []
    if seen.territories[order.at].owner != seat:
        text = f"{name(seen, order.at)} is not yours."
        found.append(Reason(Refusal.ORIGIN_NOT_OWNED, text, "GD-PROMOTE-1"))
    if order.count < 1:
        text = f"{order.count} armies cannot be promoted."
        found.append(Reason(Refusal.PROMOTE_BAD_COUNT, text, "GD-PROMOTE-1"))
    if order.unit == "army":
        text = "Armies can become cavalry, heavy or spy."
        found.append(Reason(Refusal.PROMOTE_BAD_UNIT, text, "GD-PROMOTE-1"))
    return found


def _armies(seen: Seen, order: Promote, lines: Sequence[Line[Promote]]) -> list[Reason]:
    here = (line.order.count for line in lines if line.order.at == order.at)
    wanted, there = sum(max(0, count) for count in here), seen.territories[order.at].army
    if wanted <= there:
        return []
    text = f"{there} armies at {name(seen, order.at)}, {wanted} to be promoted."
    return [Reason(Refusal.INSUFFICIENT_ARMIES, text, "GD-PROMOTE-3")]


def _place(seen: Seen, order: Promote, sites: set[int]) -> list[Reason]:
    found = []
    if not sites & {order.at, *seen.world.beside(order.at)}:
        text = f"{name(seen, order.at)} is not at or beside a headquarters of yours."
        found.append(Reason(Refusal.PROMOTE_TOO_FAR_FROM_HQ, text, "GD-PROMOTE-1"))
    needed, loyalty = unit_rows()[order.unit].loyalty, seen.territories[order.at].loyalty
    if loyalty < needed:
        text = f"{name(seen, order.at)} has loyalty {loyalty}; a {order.unit} needs {needed}."
        found.append(Reason(Refusal.PROMOTE_LOW_LOYALTY, text, "GD-PROMOTE-4"))
    return found


def promote(work: Job, lists: Lists) -> None:
    """All promotions at once. Rules: GD-PROMOTE-1, GD-TURN-3."""
    state, good = work.state, list[tuple[int, int, Promote]]()
    for seat, lines in lists.items():
        own = of_kind(lines, Promote)
        kept = list(sift(work, seat, own, reasons(state, seat, own)))
        pay(work, seat, cost(kept))
        good += [(line.order.at, seat, line.order) for line in kept]
    everything: dict[tuple[int, int, str], tuple[Promote, int]] = {}
    for at, seat, order in good:
        key = (at, seat, order.unit)
        everything[key] = (order, everything.get(key, (order, 0))[1] + order.count)
    for (at, seat, _), (order, count) in sorted(everything.items(), key=lambda item: item[0]):
        work.emit(ev.Promoted(seat, at, order.unit, count))
