"""Invasions: which land is taken with what, and where the survivors go on to."""

from __future__ import annotations

from typing import NamedTuple

from engine.rulesets.gd6.bot.marching import HEAVY, March
from engine.rulesets.gd6.forces import force
from engine.rulesets.gd6.state import NOBODY

Paths = list[tuple[int, ...]]


class Attack(NamedTuple):
    """An invasion that could be made: its gain, the damage it must do, and who takes part.

    ``starts`` are paths to the target, all of the same length, so that they arrive in one step;
    ``beyond`` is where the survivors go on to, 0 if they stay; ``price`` is the damage that the
    target alone does.
    """

    gain: int
    need: int
    price: int
    target: int
    beyond: int
    starts: Paths


def attack(march: March) -> None:
    """Make invasions as long as one pays, the one with most gain for each unit first."""
    left_out: set[int] = set()
    while True:
        best = _best(march, left_out)
        if best is None:
            return
        left_out.add(best.target)
        _carry_out(march, best)


def _best(march: March, left_out: set[int]) -> Attack | None:
    best: Attack | None = None
    for target, groups in sorted(_groups(march).items()):
        if target in left_out or target in march.gone:
            continue
        for starts in filter(None, groups):
            for one in _with_ways_on(march, target, starts):
                if best is None or one.gain * best.need > best.gain * one.need:
                    best = one
    return best


def _force(march: March, start: int, steps: int) -> int:
    """Damage that the free units of a territory can do at so many borders' distance."""
    return force(march.free[start], steps)


def _groups(march: March) -> dict[int, tuple[Paths, Paths]]:
    """For each target who could attack together: from next door in step 1, from behind in step 2.

    The strongest of a group comes first.
    """
    found: dict[int, tuple[Paths, Paths]] = {}
    for at in _strongest_first(march, 1):
        for target in march.board.geo.near[at]:
            if _is_foreign(march, target):
                found.setdefault(target, ([], []))[0].append((at, target))
    for at in _strongest_first(march, 2):
        for path in _ways_behind(march, at):
            found.setdefault(path[-1], ([], []))[1].append(path)
    if not march.style.joint:
        return {at: (early[:1], behind[:1]) for at, (early, behind) in found.items()}
    return found


def _strongest_first(march: March, steps: int) -> list[int]:
    """Where free units stand that can attack at so many borders' distance."""
    armed = ((-_force(march, at, steps), at) for at in march.free)
    return [at for strength, at in sorted(armed) if strength]


def _is_foreign(march: March, at: int) -> bool:
    return march.board.owner[at] not in (NOBODY, march.seat)


def _ways_behind(march: March, start: int) -> list[tuple[int, ...]]:
    """A way over own land to each foreign territory that lies behind it."""
    near, owner = march.board.geo.near, march.board.owner
    found: dict[int, tuple[int, ...]] = {}
    for middle in near[start]:
        if owner[middle] == march.seat:
            for target in near[middle]:
                if _is_foreign(march, target):
                    found.setdefault(target, (start, middle, target))
    return list(found.values())


def _with_ways_on(march: March, target: int, starts: Paths) -> list[Attack]:
    """The attack by itself, and with each way on that its force allows."""
    board, style = march.board, march.style
    steps = len(starts[0]) - 1
    strength = sum(_force(march, path[0], steps) for path in starts)
    price = board.price(target, guided=_is_guided(march, starts[0]))
    need = price + max(1, style.margin)
    if style.respect:
        need += board.reach(board.owner[target], target) * style.respect // 100
    if strength < need:
        return []
    gain = march.worth[target]
    found = [Attack(gain, need, price, target, 0, starts)]
    if steps > 1:
        return found
    walking = sum(march.walkers(path[0]) for path in starts)
    for beyond in board.geo.near[target]:
        owner = board.owner[beyond]
        if owner == march.seat or beyond in march.gone:
            continue
        more = board.losses(march.seat, beyond)
        if strength >= need + more and walking > need + more - price - 1:
            gained = gain + march.worth[beyond]
            found.append(Attack(gained, need + more, price, target, beyond, starts))
    return found


def _is_guided(march: March, path: tuple[int, ...]) -> bool:
    """Whether a spy that stays saves the penalty to units on a path. Rules: GD-INTEL-1."""
    start = path[-2]
    return march.board.is_guided(march.seat, start, march.board.geo.near[start])


def _carry_out(march: March, chosen: Attack) -> None:
    """Send the units: heavies first, then so many as it takes; those who go on come last."""
    need, steps = chosen.need, len(chosen.starts[0]) - 1
    march.gone.add(chosen.target)
    march.keep_spies(chosen.starts[0][-2])
    if chosen.beyond:
        march.gone.add(chosen.beyond)
    through = max(0, need - chosen.price) if chosen.beyond else 0
    if steps == 1:
        for path in chosen.starts:
            count = min(march.free[path[0]][HEAVY], (need - through + 1) // 2)
            if count > 0:
                march.take(path, HEAVY, count, first=True)
                need -= 2 * count
    for path in chosen.starts:
        wanted = march.walkers(path[0]) if march.style.surge else min(need, march.walkers(path[0]))
        if wanted <= 0:
            continue
        march.send((*path, chosen.beyond) if chosen.beyond else path, wanted, first=True)
        need -= wanted
        if need <= 0 and not march.style.surge:
            break
