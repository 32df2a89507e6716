"""Spawning: armies are raised at and beside headquarters."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, headquarters, name, owned
from engine.rulesets.gd6.lines import Line, Lists, Reasons, everybody, of_kind, sift
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import Spawn
from engine.rulesets.gd6.refusal import Reason, Refusal
from engine.rulesets.gd6.state import NOBODY, Seen


def per_territories(count: int) -> int:
    """Armies that so many territories give. Rules: GD-SPAWN-1."""
    return numbers().spawn_base.value + count // numbers().spawn_per_territories.value


def allowance(seen: Seen, seat: int) -> int:
    """Armies a seat may spawn in this turn. Rules: GD-SPAWN-1, GD-TURN-2."""
    opened = seen.players[seat].opened
    return per_territories(opened.territories if opened is not None else 0)


def places(seen: Seen, seat: int) -> list[int]:
    """Where a seat may spawn; without a headquarters one of these only.

    Rules: GD-SPAWN-2, GD-SPAWN-3.
    """
    sites = headquarters(seen, seat)
    if sites:
        near = {other for at in sites for other in (at, *seen.world.beside(at))}
        return [at for at in sorted(near) if seen.territories[at].owner in (NOBODY, seat)]
    lands = owned(seen, seat)
    most = max((here.loyalty for here in lands), default=0)
    return [here.id for here in lands if here.loyalty == most]


def reasons(seen: Seen, seat: int, lines: Sequence[Line[Spawn]]) -> Reasons:
    """Why spawning is refused. Rules: GD-SPAWN-1 to GD-SPAWN-4."""
    found: Reasons = []
    for line in lines:
        bad = line.order.count < 1
        text = f"{line.order.count} armies cannot be spawned."
        found.append([Reason(Refusal.SPAWN_BAD_COUNT, text, "GD-SPAWN-4")] if bad else [])
    wanted, most = sum(max(0, line.order.count) for line in lines), allowance(seen, seat)
    if wanted > most:
        text = f"{wanted} armies to be spawned, {most} are allowed."
        everybody(found, Reason(Refusal.SPAWN_TOO_MANY, text, "GD-SPAWN-1"))
    if headquarters(seen, seat):
        _check_near(seen, seat, lines, found)
    elif not owned(seen, seat):
        text = "Without land there is nowhere to spawn."
        everybody(found, Reason(Refusal.SPAWN_NO_LOCATION, text, "GD-SPAWN-3"))
    else:
        _check_fallback(seen, seat, lines, found)
    return found


def _check_near(seen: Seen, seat: int, lines: Sequence[Line[Spawn]], found: Reasons) -> None:
    allowed = set(places(seen, seat))
    for line, why in zip(lines, found, strict=True):
        if line.order.at not in allowed:
            text = f"{name(seen, line.order.at)} is no free land at or beside your headquarters."
            why.append(Reason(Refusal.SPAWN_TOO_FAR_FROM_HQ, text, "GD-SPAWN-2"))


def _check_fallback(seen: Seen, seat: int, lines: Sequence[Line[Spawn]], found: Reasons) -> None:
    allowed = set(places(seen, seat))
    for line, why in zip(lines, found, strict=True):
        if line.order.at not in allowed:
            text = f"{name(seen, line.order.at)} is not your most loyal land."
            why.append(Reason(Refusal.SPAWN_NOT_MOST_LOYAL, text, "GD-SPAWN-3"))
    named = sorted({line.order.at for line in lines})
    if len(named) > 1:
        text = f"Without a headquarters you spawn in one place, not in {len(named)}."
        everybody(found, Reason(Refusal.SPAWN_MULTIPLE_FALLBACK, text, "GD-SPAWN-3"))


def spawn(work: Job, lists: Lists) -> None:
    """Raise all armies at once. Rules: GD-SPAWN-5, GD-TURN-3."""
    state, raised = work.state, dict[tuple[int, int], int]()
    for seat, lines in lists.items():
        own = of_kind(lines, Spawn)
        for line in sift(work, seat, own, reasons(state, seat, own)):
            key = line.order.at, seat
            raised[key] = raised.get(key, 0) + line.order.count
    for (at, seat), count in sorted(raised.items()):
        _raise(work, seat, at, count)


def _raise(work: Job, seat: int, at: int, count: int) -> None:
    """Armies appear; on neutral land its mines come first. Rules: GD-SPAWN-5, GD-MINE-2."""
    here = work.state.territories[at]
    if here.owner != seat and here.mines:
        lost = min(here.mines, count)
        work.emit(ev.MinesExploded(at, seat, lost, here.mines - lost, (), lost))
        count -= lost
    if not count:
        return
    if here.owner != seat:
        work.emit(ev.Claimed(seat, at))
    work.emit(ev.Spawned(seat, at, count, here.army + count))
