"""Construction Phase: headquarters, promotion, spawning, buildings and landmines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import (
    AnyOrder,
    Build,
    Construct,
    LayMines,
    PlaceHq,
    Promote,
    Spawn,
    Unit,
)
from engine.rulesets.gd6.numbers import numbers, unit_rows
from engine.rulesets.gd6.refusal import (
    LinesBySeat,
    OrderLine,
    Reasons,
    Refusal,
    RefusalReason,
    of_kind,
    pay,
    refuse,
    refuse_all,
    sift,
)
from engine.rulesets.gd6.state import NOBODY, Snapshot, StateOrView
from engine.rulesets.gd6.territories import (
    Decision,
    close_by,
    headquarters,
    is_beside,
    letter,
    name,
    owned,
)

# -- headquarters ----------------------------------------------------------------------------------

SiteOrder = tuple[int, OrderLine[PlaceHq]]
"""A seat and its order to settle."""


def hq_reasons(seen: StateOrView, seat: int, lines: list[OrderLine[PlaceHq]]) -> Reasons:
    """Return each line's reasons against settling there, except clashes with others.

    Rules: GD-HQ-1, GD-HQ-2.
    """
    found: Reasons = [[] for _ in lines]
    if seen.players[seat].hq_built:
        text = f"{letter(seat)} has built its headquarters."
        refuse_all(found, RefusalReason(Refusal.HQ_ALREADY_BUILT, text, "GD-HQ-1"))
    if len(lines) > 1:
        text = f"The list has {len(lines)} orders for headquarters; one can be built."
        refuse_all(found, RefusalReason(Refusal.HQ_MULTIPLE_ORDERS, text, "GD-HQ-1"))
    for line, why in zip(lines, found, strict=True):
        at = line.order.at
        if (owner := seen.territories[at].owner) != NOBODY:
            text = f"{name(seen, at)} belongs to {letter(owner)}."
            why.append(RefusalReason(Refusal.HQ_TERRITORY_OCCUPIED, text, "GD-HQ-1"))
        if near := _headquarters_near(seen, at):
            least = numbers().hq_min_distance.value
            text = f"{name(seen, at)} is less than {least} borders from {name(seen, near)}."
            why.append(RefusalReason(Refusal.HQ_TOO_CLOSE_TO_EXISTING, text, "GD-HQ-2"))
    return found


def _headquarters_near(seen: StateOrView, at: int) -> int:
    """Return a headquarters too close to a territory, or 0 if none is."""
    near = close_by(seen.world, at)
    return min((other for other in near if seen.territories[other].hq != NOBODY), default=0)


def settle(decision: Decision, lists: LinesBySeat) -> bool:
    """Build headquarters; return False if a seat must choose again.

    Rules: GD-HQ-5. See: GD-HQ-4.
    """
    state, good, failed = decision.state, list[SiteOrder](), list[int]()
    wishes = list[tuple[int, int]]()
    for seat, lines in lists.items():
        if not takes_part(state, seat):
            continue
        own = of_kind(lines, PlaceHq)
        wishes += [(seat, line.order.at) for line in own]
        for line, why in zip(own, hq_reasons(state, seat, own), strict=True):
            if why:
                refuse(decision, seat, line, why)
                failed.append(seat)
            else:
                good.append((seat, line))
    kept, clashing = _clashes(state, good)
    for seat, line in clashing:
        refuse(decision, seat, line, [_clash(state, (seat, line), good)])
        failed.append(seat)
    for seat, line in sorted(kept, key=lambda wish: wish[1].order.at):
        decision.emit(ev.HqBuilt(seat, line.order.at))
    again = sorted({seat for seat in failed if state.players[seat].status == "unsettled"})
    if again:
        shown = tuple(sorted(wishes, key=lambda wish: wish[::-1]))
        decision.emit(ev.HqRoundFailed(shown, tuple(again), state.failed_rounds + 1))
    return not again


def takes_part(state: StateOrView, seat: int) -> bool:
    """Return whether the seat wrote a new list for this settling round. Rules: GD-HQ-5."""
    return not state.failed_rounds or seat in state.choosing


def _clashes(state: StateOrView, good: list[SiteOrder]) -> tuple[list[SiteOrder], list[SiteOrder]]:
    """Divide settling orders into those to execute and those whose sites are too close together.

    Normally all clashing orders fail. After ``hq_max_rounds`` failed rounds, seat order decides.
    Rules: GD-HQ-4, GD-HQ-6.
    """
    kept, clashing = list[SiteOrder](), list[SiteOrder]()
    in_seat_order = state.failed_rounds >= numbers().hq_max_rounds.value
    for seat, line in sorted(good, key=lambda wish: wish[0]):
        near = close_by(state.world, line.order.at)
        rivals = kept if in_seat_order else [other for other in good if other[0] != seat]
        beaten = any(other.order.at in near for _, other in rivals)
        (clashing if beaten else kept).append((seat, line))
    return kept, clashing


def _clash(state: StateOrView, wish: SiteOrder, good: list[SiteOrder]) -> RefusalReason:
    seat, at = wish[0], wish[1].order.at
    near = close_by(state.world, at)
    sites = (other.order.at for rival, other in good if rival != seat)
    rival = min(site for site in sites if site in near)
    text = f"{name(state, at)} is too near to {name(state, rival)}, where another wants to settle."
    return RefusalReason(Refusal.HQ_TOO_CLOSE_TO_OTHER_ORDER, text, "GD-HQ-4")


# -- promotion (advanced variant) ------------------------------------------------------------------


def promotion_cost(lines: Sequence[OrderLine[Promote]]) -> int:
    """Return the total cost of promotions in IP. Rules: GD-PROMOTE-2."""
    return sum(max(0, line.order.count) * unit_rows()[line.order.unit].cost for line in lines)


def promotion_reasons(seen: StateOrView, seat: int, lines: Sequence[OrderLine[Promote]]) -> Reasons:
    """Return each line's reasons against its promotion; empty for an accepted line.

    Rules: GD-PROMOTE-1, GD-PROMOTE-3, GD-PROMOTE-4. See: GD-PROMOTE-2.
    """
    price, purse = promotion_cost(lines), seen.players[seat].ip
    sites = set(headquarters(seen, seat))
    found: Reasons = []
    for line in lines:
        here = (other.order.count for other in lines if other.order.at == line.order.at)
        why = [*_promotion_units(seen, seat, line.order, sum(max(0, count) for count in here))]
        if price > purse:
            text = f"The promotions cost {price} IP, and there are {purse}."
            why.append(RefusalReason(Refusal.INSUFFICIENT_IP, text, "GD-PROMOTE-2"))
        found.append([*why, *_promotion_place(seen, line.order, sites)])
    return found


def _promotion_units(
    seen: StateOrView, seat: int, order: Promote, wanted: int
) -> Iterator[RefusalReason]:
    """Yield reasons about the units; ``wanted`` is the total to be promoted at the territory."""
    if seen.territories[order.at].owner != seat:
        text = f"{name(seen, order.at)} is not yours."
        yield RefusalReason(Refusal.ORIGIN_NOT_OWNED, text, "GD-PROMOTE-1")
    if order.count < 1:
        text = f"{order.count} armies cannot be promoted."
        yield RefusalReason(Refusal.PROMOTE_BAD_COUNT, text, "GD-PROMOTE-1")
    if order.unit == "army":
        text = "Armies can become cavalry, heavy or spy."
        yield RefusalReason(Refusal.PROMOTE_BAD_UNIT, text, "GD-PROMOTE-1")
    if wanted > (there := seen.territories[order.at].army):
        text = f"Armies at {name(seen, order.at)}: {there}; to be promoted: {wanted}."
        yield RefusalReason(Refusal.INSUFFICIENT_ARMIES, text, "GD-PROMOTE-3")


def _promotion_place(seen: StateOrView, order: Promote, sites: set[int]) -> Iterator[RefusalReason]:
    if not sites & {order.at, *seen.world.beside(order.at)}:
        text = f"{name(seen, order.at)} is not at or beside a headquarters of yours."
        yield RefusalReason(Refusal.PROMOTE_TOO_FAR_FROM_HQ, text, "GD-PROMOTE-1")
    needed, loyalty = unit_rows()[order.unit].loyalty, seen.territories[order.at].loyalty
    if loyalty < needed:
        text = f"{name(seen, order.at)} has loyalty {loyalty}; a {order.unit} needs {needed}."
        yield RefusalReason(Refusal.PROMOTE_LOW_LOYALTY, text, "GD-PROMOTE-4")


def promote(decision: Decision, lists: LinesBySeat) -> None:
    """Execute the promotions of all lists at once. Rules: GD-PROMOTE-1, GD-TURN-3."""
    state, promoted = decision.state, Counter[tuple[int, int, Unit]]()
    for seat, lines in lists.items():
        own = of_kind(lines, Promote)
        kept = list(sift(decision, seat, own, promotion_reasons(state, seat, own)))
        pay(decision, seat, promotion_cost(kept))
        for line in kept:
            promoted[line.order.at, seat, line.order.unit] += line.order.count
    for (at, seat, unit), count in sorted(promoted.items()):
        decision.emit(ev.Promoted(seat, at, unit, count))


# -- spawning --------------------------------------------------------------------------------------


def per_territories(count: int) -> int:
    """Return how many armies a seat with ``count`` territories may spawn per turn.

    Rules: GD-SPAWN-1.
    """
    return numbers().spawn_base.value + count // numbers().spawn_per_territories.value


def allowance(seen: StateOrView, seat: int) -> int:
    """Return how many armies a seat may spawn this turn. Rules: GD-SPAWN-1. See: GD-TURN-2."""
    opened = seen.players[seat].opened
    return per_territories(opened.territories if opened is not None else 0)


def spawn_places(seen: StateOrView, seat: int) -> list[int]:
    """Return where a seat may spawn: on free or own land at or beside its headquarters.

    A seat without headquarters gets all of its most loyal territories, and may use only one.
    Rules: GD-SPAWN-2, GD-SPAWN-3.
    """
    sites = headquarters(seen, seat)
    if sites:
        near = {other for at in sites for other in (at, *seen.world.beside(at))}
        return [at for at in sorted(near) if seen.territories[at].owner in (NOBODY, seat)]
    lands = owned(seen, seat)
    most = max((here.loyalty for here in lands), default=0)
    return [here.id for here in lands if here.loyalty == most]


_SPAWN_ELSEWHERE: Final = {
    True: (
        Refusal.SPAWN_TOO_FAR_FROM_HQ,
        "no free land at or beside your headquarters.",
        "GD-SPAWN-2",
    ),
    False: (Refusal.SPAWN_NOT_MOST_LOYAL, "not your most loyal land.", "GD-SPAWN-3"),
}
"""Code, text and rule against a place for spawning, by whether the seat has headquarters."""


def spawn_reasons(seen: StateOrView, seat: int, lines: Sequence[OrderLine[Spawn]]) -> Reasons:
    """Return each line's reasons against spawning.

    Rules: GD-SPAWN-4. See: GD-SPAWN-1 to GD-SPAWN-3.
    """
    found: Reasons = []
    for line in lines:
        bad = line.order.count < 1
        text = f"{line.order.count} armies cannot be spawned."
        found.append([RefusalReason(Refusal.SPAWN_BAD_COUNT, text, "GD-SPAWN-4")] if bad else [])
    wanted, most = sum(max(0, line.order.count) for line in lines), allowance(seen, seat)
    if wanted > most:
        text = f"Armies to be spawned: {wanted}; allowed: {most}."
        refuse_all(found, RefusalReason(Refusal.SPAWN_TOO_MANY, text, "GD-SPAWN-1"))
    if not owned(seen, seat):
        text = "Without land there is nowhere to spawn."
        refuse_all(found, RefusalReason(Refusal.SPAWN_NO_LOCATION, text, "GD-SPAWN-3"))
        return found
    settled, allowed = bool(headquarters(seen, seat)), set(spawn_places(seen, seat))
    code, text, rule = _SPAWN_ELSEWHERE[settled]
    for line, why in zip(lines, found, strict=True):
        if line.order.at not in allowed:
            why.append(RefusalReason(code, f"{name(seen, line.order.at)} is {text}", rule))
    named = {line.order.at for line in lines}
    if len(named) > 1 and not settled:
        text = f"Without a headquarters you spawn in one place, not in {len(named)}."
        refuse_all(found, RefusalReason(Refusal.SPAWN_MULTIPLE_FALLBACK, text, "GD-SPAWN-3"))
    return found


def spawn(decision: Decision, lists: LinesBySeat) -> None:
    """Spawn the armies of all lists at once. Rules: GD-SPAWN-5, GD-TURN-3."""
    state, raised = decision.state, Counter[tuple[int, int]]()
    for seat, lines in lists.items():
        own = of_kind(lines, Spawn)
        for line in sift(decision, seat, own, spawn_reasons(state, seat, own)):
            raised[line.order.at, seat] += line.order.count
    for (at, seat), count in sorted(raised.items()):
        raise_armies(decision, seat, at, count)


def raise_armies(decision: Decision, seat: int, at: int, count: int) -> None:
    """Place new armies; mines on free land explode first. Rules: GD-SPAWN-5. See: GD-MINE-2."""
    here = decision.state.territories[at]
    if here.owner != seat and here.mines:
        lost = min(here.mines, count)
        decision.emit(ev.MinesExploded(at, seat, lost, here.mines - lost, (), lost))
        count -= lost
    if not count:
        return
    if here.owner != seat:
        decision.emit(ev.Claimed(seat, at))
    decision.emit(ev.Spawned(seat, at, count, here.army + count))


# -- buildings and landmines -----------------------------------------------------------------------


def construct_cost(seen: StateOrView, seat: int, construct: Construct) -> int:
    """Return the cost of a construct for a seat this turn, in IP. Rules: GD-BUILD-2."""
    table, opened = numbers(), seen.players[seat].opened or Snapshot()
    match construct:
        case "watchtower":
            return table.watchtower_cost.value
        case "bivouac":
            return table.bivouac_cost.value + table.bivouac_surcharge.value * opened.bivouacs
        case "library":
            return table.library_cost.value + table.library_surcharge.value * opened.libraries


def building_price(seen: StateOrView, seat: int, lines: Sequence[OrderLine[AnyOrder]]) -> int:
    """Return what the constructs and mines cost in all, in IP. See: GD-BUILD-2, GD-MINE-1."""
    builds = (construct_cost(seen, seat, line.order.construct) for line in of_kind(lines, Build))
    mines = (max(0, line.order.count) for line in of_kind(lines, LayMines))
    return sum(builds) + sum(mines) * numbers().mine_price.value


def building_lines(lines: Sequence[OrderLine[AnyOrder]]) -> list[OrderLine[AnyOrder]]:
    """Return the lines that build constructs or lay mines."""
    return [line for line in lines if isinstance(line.order, Build | LayMines)]


def building_reasons(seen: StateOrView, seat: int, lines: Sequence[OrderLine[AnyOrder]]) -> Reasons:
    """Return each line's reasons against its construct or mines; empty for an accepted line.

    If all of them together cost more than the seat has, each is refused.

    Rules: GD-BUILD-1, GD-BUILD-3, GD-MINE-1. See: GD-BUILD-2.
    """
    ordered = [line.order.at for line in of_kind(lines, Build)]
    found: Reasons = []
    for line in lines:
        match line.order:
            case Build():
                found.append([*_construct(seen, seat, line.order, ordered)])
            case LayMines():
                found.append([*_mines(seen, seat, line.order)])
            case _:
                found.append([])
    total, purse = building_price(seen, seat, lines), seen.players[seat].ip
    if total > purse:
        text = f"Constructs and mines cost {total} IP, and there are {purse}."
        refuse_all(found, RefusalReason(Refusal.INSUFFICIENT_IP, text, "GD-BUILD-2"))
    return found


def _construct(
    seen: StateOrView, seat: int, order: Build, ordered: list[int]
) -> Iterator[RefusalReason]:
    """Yield the reasons why a seat cannot build a construct. Rules: GD-BUILD-1, GD-BUILD-3."""
    here, place = seen.territories[order.at], name(seen, order.at)
    if here.owner != seat:
        yield RefusalReason(Refusal.ORIGIN_NOT_OWNED, f"{place} is not yours.", "GD-BUILD-1")
    if here.construct is not None:
        text = f"There is a {here.construct} at {place}."
        yield RefusalReason(Refusal.CONSTRUCT_PRESENT, text, "GD-BUILD-1")
    if ordered.count(order.at) > 1:
        text = f"{ordered.count(order.at)} constructs are ordered for {place}."
        yield RefusalReason(Refusal.MULTIPLE_CONSTRUCTS_ORDERED, text, "GD-BUILD-3")
    if here.wasteland:
        text = f"Nothing can be built on the wasteland {place}."
        yield RefusalReason(Refusal.TOXIC_WASTELAND, text, "GD-BUILD-1")


def _mines(seen: StateOrView, seat: int, order: LayMines) -> Iterator[RefusalReason]:
    here = seen.territories[order.at]
    free = here.owner == NOBODY and is_beside(seen, order.at, seat)
    if here.owner != seat and not free:
        text = f"{name(seen, order.at)} is neither yours nor free land beside yours."
        yield RefusalReason(Refusal.ORIGIN_NOT_OWNED, text, "GD-MINE-1")
    if order.count < 1:
        text = f"{order.count} mines cannot be laid."
        yield RefusalReason(Refusal.MINE_BAD_COUNT, text, "GD-MINE-1")


def build(decision: Decision, lists: LinesBySeat) -> None:
    """Build all constructs and lay all mines at once.

    Rules: GD-TURN-3. See: GD-BUILD-1, GD-MINE-1.
    """
    state, constructs, mines = decision.state, list[ev.ConstructBuilt](), Counter[tuple[int, int]]()
    for seat, lines in lists.items():
        own = building_lines(lines)
        kept = list(sift(decision, seat, own, building_reasons(state, seat, own)))
        pay(decision, seat, building_price(state, seat, kept))
        for line in of_kind(kept, Build):
            constructs.append(ev.ConstructBuilt(seat, line.order.at, line.order.construct))
        for laid in of_kind(kept, LayMines):
            mines[laid.order.at, seat] += laid.order.count
    for built in sorted(constructs, key=lambda event: event.at):
        decision.emit(built)
    for (at, seat), count in sorted(mines.items()):
        decision.emit(ev.MinesLaid(seat, at, count))
