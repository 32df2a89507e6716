"""Building: watchtowers, bivouacs, libraries, and mines."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, is_beside, name
from engine.rulesets.gd6.lines import Line, Lists, Reasons, everybody, of_kind, pay, sift
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import AnyOrder, Build, Construct, LayMines
from engine.rulesets.gd6.refusal import Reason, Refusal
from engine.rulesets.gd6.state import NOBODY, Seen, Snapshot


def cost(seen: Seen, seat: int, construct: Construct) -> int:
    """What a construct costs a seat in this turn, in IP. Rules: GD-BUILD-2."""
    table, opened = numbers(), seen.players[seat].opened or Snapshot()
    match construct:
        case "watchtower":
            return table.watchtower_cost.value
        case "bivouac":
            return table.bivouac_cost.value + table.bivouac_surcharge.value * opened.bivouacs
        case "library":
            return table.library_cost.value + table.library_surcharge.value * opened.libraries


def price(seen: Seen, seat: int, lines: Sequence[Line[AnyOrder]]) -> int:
    """What constructs and mines cost together, in IP. Rules: GD-BUILD-2, GD-MINE-1."""
    builds = (cost(seen, seat, line.order.construct) for line in of_kind(lines, Build))
    mines = (max(0, line.order.count) for line in of_kind(lines, LayMines))
    return sum(builds) + sum(mines) * numbers().mine_price.value


def jobs(lines: Sequence[Line[AnyOrder]]) -> list[Line[AnyOrder]]:
    """The lines of this stage: constructs and mines."""
    return [line for line in lines if isinstance(line.order, Build | LayMines)]


def reasons(seen: Seen, seat: int, lines: Sequence[Line[AnyOrder]]) -> Reasons:
    """Why building and mining is refused. Rules: GD-BUILD-1 to GD-BUILD-3, GD-MINE-1, GD-MINE-1."""
    ordered = [line.order.at for line in of_kind(lines, Build)]
    found: Reasons = []
    for line in lines:
        match line.order:
            case Build():
                found.append(_construct(seen, seat, line.order, ordered))
            case LayMines():
                found.append(_mines(seen, seat, line.order))
            case _:
                found.append([])
    total, purse = price(seen, seat, lines), seen.players[seat].ip
    if total > purse:
        text = f"Constructs and mines cost {total} IP, and there are {purse}."
        everybody(found, Reason(Refusal.INSUFFICIENT_IP, text, "GD-BUILD-2"))
    return found


def _construct(seen: Seen, seat: int, order: Build, ordered: list[int]) -> list[Reason]:
    found, here, place = [], seen.territories[order.at], name(seen, order.at)
    if here.owner != seat:
        text = f"{place} is not yours."
        found.append(Reason(Refusal.ORIGIN_NOT_OWNED, text, "GD-BUILD-1"))
    if here.construct is not None:
        text = f"There is a {here.construct} at {place}."
        found.append(Reason(Refusal.CONSTRUCT_PRESENT, text, "GD-BUILD-1"))
    if ordered.count(order.at) > 1:
        text = f"{ordered.count(order.at)} constructs are ordered for {place}."
        found.append(Reason(Refusal.MULTIPLE_CONSTRUCTS_ORDERED, text, "GD-BUILD-3"))
    if here.wasteland:
        text = f"Nothing can be built on the wasteland {place}."
        found.append(Reason(Refusal.TOXIC_WASTELAND, text, "GD-BUILD-1"))
    return found


def _mines(seen: Seen, seat: int, order: LayMines) -> list[Reason]:
    found, here = [], seen.territories[order.at]
    free = here.owner == NOBODY and is_beside(seen, order.at, seat)
    if here.owner != seat and not free:
        text = f"{name(seen, order.at)} is neither yours nor free land beside yours."
        found.append(Reason(Refusal.ORIGIN_NOT_OWNED, text, "GD-MINE-1"))
    if order.count < 1:
        text = f"{order.count} mines cannot be laid."
        found.append(Reason(Refusal.MINE_BAD_COUNT, text, "GD-MINE-1"))
    return found


def build(work: Job, lists: Lists) -> None:
    """Put up everything at once. Rules: GD-BUILD-1, GD-MINE-1, GD-TURN-3."""
    state, constructs, mines = work.state, list[ev.ConstructBuilt](), dict[tuple[int, int], int]()
    for seat, lines in lists.items():
        own = jobs(lines)
        kept = list(sift(work, seat, own, reasons(state, seat, own)))
        pay(work, seat, price(state, seat, kept))
        for line in of_kind(kept, Build):
            constructs.append(ev.ConstructBuilt(seat, line.order.at, line.order.construct))
        for laid in of_kind(kept, LayMines):
            key = laid.order.at, seat
            mines[key] = mines.get(key, 0) + laid.order.count
    for built in sorted(constructs, key=lambda event: event.at):
        work.emit(built)
    for (at, seat), count in sorted(mines.items()):
        work.emit(ev.MinesLaid(seat, at, count))
