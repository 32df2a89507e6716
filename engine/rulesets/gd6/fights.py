"""Fights: lines of units, skirmishes, landmines and invasions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS, Unit
from engine.rulesets.gd6.lands import Decision, count_of, neutralise, units_in_line
from engine.rulesets.gd6.numbers import numbers, unit_rows
from engine.rulesets.gd6.state import Counts, Loss, Seen, Squad, Territory

RESIDENT = 0
"""Stands for the squad of units that belong to none."""


class BattleRank:
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

    def loss(self) -> Loss:
        """What has been lost since the last time."""
        lost, self.told = self.told - self.count, self.count
        return Loss(self.squad, self.seat, self.unit, lost, self.count)


class BattleLine:
    """Units one behind the other; damage goes to the front unit until it dies.

    Units without health are no part of a line. A line is made for one fight, so that its wound
    is forgotten afterwards. Rules: GD-SKIRMISH-2, GD-UNIT-3, GD-STEP-6.
    """

    def __init__(self, ranks: Iterable[BattleRank]) -> None:
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

    def losses(self) -> tuple[Loss, ...]:
        """What each squad lost since this was last asked, by squad."""
        told = (rank.loss() for rank in sorted(self.ranks, key=lambda rank: rank.squad))
        return tuple(loss for loss in told if loss.lost)


def attack_line(squads: Iterable[Squad]) -> BattleLine:
    """The line of a seat's squads, by priority. Rules: GD-SKIRMISH-2."""
    ordered = sorted(squads, key=lambda squad: squad.rank)
    return BattleLine(
        BattleRank(squad.id, squad.seat, squad.unit, squad.count) for squad in ordered
    )


def defence_line(here: Territory, passing: Sequence[Squad]) -> BattleLine:
    """The line of all that stand in a territory, ``passing`` being the squads that go on.

    Rules: GD-INVADE-4, GD-UNIT-2.
    """
    ranks = []
    for unit in units_in_line():
        squads = [squad for squad in passing if squad.unit == unit]
        resident = count_of(here, unit) - sum(squad.count for squad in squads)
        ranks.append(BattleRank(RESIDENT, here.owner, unit, resident))
        for squad in sorted(squads, key=lambda squad: -squad.rank):
            ranks.append(BattleRank(squad.id, squad.seat, unit, squad.count))  # noqa: PERF401 - clearer
    return BattleLine(ranks)


def spies_die(squads: Iterable[Squad]) -> tuple[Loss, ...]:
    """Units without health die as soon as a fight begins. Rules: GD-SPY-1."""
    return tuple(
        Loss(squad.id, squad.seat, squad.unit, squad.count, 0)
        for squad in sorted(squads, key=lambda squad: squad.id)
        if not unit_rows()[squad.unit].health
    )


def skirmish(
    work: Decision,
    kind: Literal["target", "loop"],
    places: tuple[int, ...],
    squads: Sequence[Squad],
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


def garrison_losses(line: BattleLine) -> tuple[Counts, tuple[Loss, ...]]:
    """What a defence lost: by type, and of passing squads alone."""
    fallen = dict.fromkeys(UNITS, 0)
    told = line.losses()
    for loss in told:
        fallen[loss.unit] += loss.lost
    passing = tuple(loss for loss in told if loss.squad != RESIDENT)
    return (fallen["army"], fallen["cavalry"], fallen["heavy"], fallen["spy"]), passing


# -- landmines -------------------------------------------------------------------------------------


def explode(work: Decision, target: int, line: BattleLine, seat: int) -> None:
    """Mines go off under a line until they or the units are used up.

    Rules: GD-MINE-2 to GD-MINE-4, GD-SPY-3.
    """
    mines = work.state.territories[target].mines
    exploded = line.suffer(mines)
    if exploded:
        left = mines - exploded
        work.emit(ev.MinesExploded(target, seat, exploded, left, line.losses()))


# -- invasions -------------------------------------------------------------------------------------


def is_guided(seen: Seen, squads: Sequence[Squad]) -> bool:
    """Whether a spy at or beside a starting territory saves the penalty. Rules: GD-INTEL-1."""
    return any(
        seen.territories[at].spy > 0 and seen.territories[at].owner == squad.seat
        for squad in squads
        for at in (squad.path[squad.hop], *seen.world.beside(squad.path[squad.hop]))
    )


def passing_at(seen: Seen, at: int) -> list[Squad]:
    """The squads that stand in a territory and will go on."""
    return [
        squad for squad in seen.squads.values() if not squad.flying and squad.path[squad.hop] == at
    ]


def invade(work: Decision, at: int, squads: Sequence[Squad], *, guided: bool) -> bool:
    """Attack owned land; whether attackers are left and may land.

    Rules: GD-INVADE-1 to GD-INVADE-4. Wounds carry on from one part of the fight to the next.
    The state loses the squads and the land; landing is left to the caller.
    """
    here, seat = work.state.territories[at], squads[0].seat
    attack, defence = attack_line(squads), defence_line(here, passing_at(work.state, at))
    work.emit(ev.InvasionBegan(at, seat, here.owner, attack.units, defence.units))
    if caught := spies_die(squads):
        work.emit(ev.SpiesCaught(at, caught))
    _suffer_penalty(work, at, attack, guided=guided)
    explode(work, at, attack, seat)
    _storm_tower(work, at, attack, seat)
    if not attack.health or not _beat(work, at, attack, defence):
        work.emit(ev.InvasionRepelled(at, seat, here.owner))
        return False
    neutralise(work, at)
    return bool(attack.health)


def _suffer_penalty(work: Decision, at: int, attack: BattleLine, *, guided: bool) -> None:
    """What every invasion costs. Rules: GD-INVADE-1, GD-INTEL-1."""
    if attack.health:
        damage = attack.suffer(0 if guided else numbers().invasion_penalty.value)
        work.emit(ev.PenaltyPaid(at, attack.ranks[0].seat, damage, attack.losses()))


def _storm_tower(work: Decision, at: int, attack: BattleLine, seat: int) -> None:
    """A watchtower gives as many hits as it takes. Rules: GD-TOWER-1, GD-TOWER-2."""
    if attack.health and work.state.territories[at].construct == "watchtower":
        strength = numbers().watchtower_strength.value
        hits = attack.suffer(strength)
        fought = ev.WatchtowerHeld(at, seat, hits, hits == strength, attack.losses())
        work.emit(fought)


def _beat(work: Decision, at: int, attack: BattleLine, defence: BattleLine) -> bool:
    """One for one, after the defending spies died; whether no defender is left.

    Rules: GD-INVADE-2, GD-INVADE-3, GD-SPY-2.
    """
    here = work.state.territories[at]
    passing_spies = spies_die(passing_at(work.state, at))
    rounds = min(attack.health, defence.health)
    attack.suffer(rounds)
    defence.suffer(rounds)
    garrison, passing = garrison_losses(defence)
    fallen = *garrison[:3], here.spy
    if rounds or here.spy:
        told = tuple(sorted((*passing, *passing_spies), key=lambda loss: loss.squad))
        seat, losses = attack.ranks[0].seat, attack.losses()
        work.emit(ev.Defended(at, seat, here.owner, rounds, losses, fallen, told))
    return not defence.health
