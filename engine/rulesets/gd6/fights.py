"""Lines of units that suffer damage, and skirmishes between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.lands import Job, count_of, units_in_line
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.orders import UNITS, Unit
from engine.rulesets.gd6.state import Squad, Territory

RESIDENT = 0
"""Stands for the squad of units that belong to none."""


class Rank:
    """Units of one squad (or residents of one type) in a line."""

    __slots__ = ("count", "health", "seat", "squad", "told", "unit")

    def __init__(self, squad: int, seat: int, unit: Unit, count: int) -> None:
        self.squad = squad
        self.seat = seat
        self.unit = unit
        self.count = count
        self.health = unit_rows()[unit].health
        self.told = count
        """How many there were when losses were last told."""

    def loss(self) -> ev.Loss:
        """What has been lost since the last time."""
        lost, self.told = self.told - self.count, self.count
        return ev.Loss(self.squad, self.seat, self.unit, lost, self.count)


class Line:
    """Units one behind the other; damage goes to the front unit until it dies.

    Units without health are no part of a line. A line is made for one fight, so that its wound
    is forgotten afterwards. Rules: GD-SKIRMISH-2, GD-UNIT-3, GD-STEP-6.
    """

    def __init__(self, ranks: Iterable[Rank]) -> None:
        self.ranks = [rank for rank in ranks if rank.health and rank.count]
        self.health = sum(rank.count * rank.health for rank in self.ranks)
        """Damage that the line can still take."""
        self._wound = 0

    @property
    def units(self) -> int:
        """Units that are left."""
        return sum(rank.count for rank in self.ranks)

    def suffer(self, damage: int) -> int:
        """Take damage; how much of it there were units for."""
        taken = min(damage, self.health)
        self.health -= taken
        damage = taken + self._wound
        for rank in self.ranks:
            fallen = min(rank.count, damage // rank.health)
            rank.count -= fallen
            damage -= fallen * rank.health
            if rank.count:
                break
        self._wound = damage
        return taken

    def losses(self) -> tuple[ev.Loss, ...]:
        """What each squad lost since this was last asked, by squad."""
        told = (rank.loss() for rank in sorted(self.ranks, key=lambda rank: rank.squad))
        return tuple(loss for loss in told if loss.lost)


def attack_line(squads: Iterable[Squad]) -> Line:
    """The line of a seat's squads, by priority. Rules: GD-SKIRMISH-2."""
    ordered = sorted(squads, key=lambda squad: squad.rank)
    return Line(Rank(squad.id, squad.seat, squad.unit, squad.count) for squad in ordered)


def defence_line(here: Territory, passing: Sequence[Squad]) -> Line:
    """The line of all that stand in a territory, ``passing`` being the squads that go on.

    Rules: GD-INVADE-4, GD-UNIT-2.
    """
    ranks = []
    for unit in units_in_line():
        squads = [squad for squad in passing if squad.unit == unit]
        resident = count_of(here, unit) - sum(squad.count for squad in squads)
        ranks.append(Rank(RESIDENT, here.owner, unit, resident))
        for squad in sorted(squads, key=lambda squad: -squad.rank):
            ranks.append(Rank(squad.id, squad.seat, unit, squad.count))  # noqa: PERF401 - clearer
    return Line(ranks)


def spies_die(squads: Iterable[Squad]) -> tuple[ev.Loss, ...]:
    """Units without health die as soon as a fight begins. Rules: GD-SPY-1."""
    return tuple(
        ev.Loss(squad.id, squad.seat, squad.unit, squad.count, 0)
        for squad in sorted(squads, key=lambda squad: squad.id)
        if not unit_rows()[squad.unit].health
    )


def skirmish(
    work: Job, kind: Literal["target", "loop"], places: tuple[int, ...], squads: Sequence[Squad]
) -> None:
    """Squads of several seats hit each other, one for one. Rules: GD-SKIRMISH-1 to GD-SKIRMISH-3.

    Every round costs each line one health, until one line at most is left: so many rounds as the
    second strongest line can take.
    """
    by_seat: dict[int, list[Squad]] = {}
    for squad in squads:
        by_seat.setdefault(squad.seat, []).append(squad)
    lines = {seat: attack_line(own) for seat, own in by_seat.items()}
    before = {seat: line.units for seat, line in lines.items()}
    rounds = sorted((line.health for line in lines.values()), reverse=True)[1]
    for line in lines.values():
        line.suffer(rounds)
    losses = [*spies_die(squads), *(loss for line in lines.values() for loss in line.losses())]
    first = {seat: min(squad.id for squad in own) for seat, own in by_seat.items()}
    sides = tuple(
        (seat, before[seat], lines[seat].units) for seat in sorted(lines, key=lambda s: first[s])
    )
    told = tuple(sorted(losses, key=lambda loss: loss.squad))
    work.emit(ev.Skirmish(kind, places, rounds, sides, told))


def garrison_losses(line: Line) -> tuple[ev.Counts, tuple[ev.Loss, ...]]:
    """What a defence lost: by type, and of passing squads alone."""
    fallen = dict.fromkeys(UNITS, 0)
    told = line.losses()
    for loss in told:
        fallen[loss.unit] += loss.lost
    passing = tuple(loss for loss in told if loss.squad != RESIDENT)
    return (fallen["army"], fallen["cavalry"], fallen["heavy"], fallen["spy"]), passing
