"""Fights: lines of units, skirmishes, landmines and invasions, with forecasts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from engine.core.base_ruleset import FunctionTool
from engine.core.record import Record
from engine.core.ruleset import Argument, ToolReport
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Unit
from engine.rulesets.gd6.numbers import numbers, unit_rows, units_in_line
from engine.rulesets.gd6.state import Loss, Squad, StateOrView, Territory
from engine.rulesets.gd6.territories import Decision, count_of, neutralise, unit_counts

RESIDENT: Final = 0
"""Squad id of units that belong to no squad."""


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
        """Number of units when losses were last reported."""

    def loss(self) -> Loss:
        """Return the loss since the last report, and start a new count."""
        lost, self.told = self.told - self.count, self.count
        return Loss(self.squad, self.seat, self.unit, lost, self.count)


class FightLine:
    """Units in the order in which they fight; damage hits the front unit until it dies.

    Units without health are left out. A line lasts for one fight, so wounds heal afterwards.
    Rules: GD-STEP-6. See: GD-SKIRMISH-2, GD-UNIT-3.
    """

    def __init__(self, ranks: Iterable[BattleRank]) -> None:
        self.ranks = [rank for rank in ranks if rank.health and rank.count]
        self.health = sum(rank.count * rank.health for rank in self.ranks)
        """Remaining health, in units of damage."""
        self._wound = 0

    @property
    def units(self) -> int:
        """Number of units left."""
        return sum(rank.count for rank in self.ranks)

    def suffer(self, damage: int) -> int:
        """Apply damage; return the part that units absorbed. Rules: GD-UNIT-3."""
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
        """Return the losses by squad since the last call, and begin a new count.

        Squads that lost nothing are left out.
        """
        told = (rank.loss() for rank in sorted(self.ranks, key=lambda rank: rank.squad))
        return tuple(loss for loss in told if loss.lost)


def attack_line(squads: Iterable[Squad]) -> FightLine:
    """Return the line of a seat's squads, by priority. See: GD-SKIRMISH-2."""
    ordered = sorted(squads, key=lambda squad: squad.rank)
    return FightLine(BattleRank(squad.id, squad.seat, squad.unit, squad.count) for squad in ordered)


def defence_line(here: Territory, passing: Sequence[Squad]) -> FightLine:
    """Return the line of all units in a territory, ``passing`` squads included.

    Rules: GD-INVADE-4, GD-UNIT-2.
    """
    ranks = []
    for unit in units_in_line():
        squads = [squad for squad in passing if squad.unit == unit]
        resident = count_of(here, unit) - sum(squad.count for squad in squads)
        ranks.append(BattleRank(RESIDENT, here.owner, unit, resident))
        for squad in sorted(squads, key=lambda squad: -squad.rank):
            ranks.append(BattleRank(squad.id, squad.seat, unit, squad.count))  # noqa: PERF401 - clearer
    return FightLine(ranks)


def spies_die(squads: Iterable[Squad]) -> tuple[Loss, ...]:
    """Return the losses of units without health, which die when a fight begins. Rules: GD-SPY-1."""
    return tuple(
        Loss(squad.id, squad.seat, squad.unit, squad.count, 0)
        for squad in sorted(squads, key=lambda squad: squad.id)
        if not unit_rows()[squad.unit].health
    )


def skirmish(
    decision: Decision,
    kind: Literal["target", "loop"],
    places: tuple[int, ...],
    squads: Sequence[Squad],
) -> None:
    """Fight out a meeting of squads of several seats.

    Rules: GD-SKIRMISH-2. See: GD-SKIRMISH-1, GD-SKIRMISH-3.

    Each round costs every line one health, until at most one line is left. So the number of rounds
    is the health of the second strongest line.
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
    decision.emit(ev.Skirmish(kind, places, rounds, sides, told))


# -- landmines -------------------------------------------------------------------------------------


def explode(decision: Decision, target: int, line: FightLine, seat: int) -> None:
    """Explode mines under a line until one is used up.

    Rules: GD-MINE-2, GD-MINE-4, GD-SPY-3. See: GD-MINE-3.
    """
    mines = decision.state.territories[target].mines
    exploded = line.suffer(mines)
    if exploded:
        left = mines - exploded
        decision.emit(ev.MinesExploded(target, seat, exploded, left, line.losses()))


# -- invasions -------------------------------------------------------------------------------------


def is_guided(seen: StateOrView, squads: Sequence[Squad]) -> bool:
    """Return whether a spy at or next to a start territory saves the penalty. Rules: GD-INTEL-1."""
    return any(
        seen.territories[at].spy > 0 and seen.territories[at].owner == squad.seat
        for squad in squads
        for at in (squad.path[squad.hop], *seen.world.beside(squad.path[squad.hop]))
    )


def passing_at(seen: StateOrView, at: int) -> list[Squad]:
    """Return the squads in a territory that will move on."""
    return [
        squad for squad in seen.squads.values() if not squad.flying and squad.path[squad.hop] == at
    ]


def invade(decision: Decision, at: int, squads: Sequence[Squad], *, guided: bool) -> bool:
    """Attack owned land; return whether attackers survive and may land.

    Wounds persist through all parts of the fight. The caller lands the survivors.
    Rules: GD-INVADE-1, GD-INVADE-3, GD-MINE-3. See: GD-INVADE-2, GD-INVADE-4.
    """
    here, seat = decision.state.territories[at], squads[0].seat
    attack, defence = attack_line(squads), defence_line(here, passing_at(decision.state, at))
    decision.emit(ev.InvasionBegan(at, seat, here.owner, attack.units, defence.units))
    if caught := spies_die(squads):
        decision.emit(ev.SpiesCaught(at, caught))
    _suffer_penalty(decision, at, attack, guided=guided)
    explode(decision, at, attack, seat)
    _storm_tower(decision, at, attack, seat)
    if not attack.health or not _beat(decision, at, attack, defence):
        decision.emit(ev.InvasionRepelled(at, seat, here.owner))
        return False
    neutralise(decision, at)
    return bool(attack.health)


def _suffer_penalty(decision: Decision, at: int, attack: FightLine, *, guided: bool) -> None:
    """Apply the penalty of an invasion. Rules: GD-INVADE-1. See: GD-INTEL-1."""
    if attack.health:
        damage = attack.suffer(0 if guided else numbers().invasion_penalty.value)
        decision.emit(ev.PenaltyPaid(at, attack.ranks[0].seat, damage, attack.losses()))


def _storm_tower(decision: Decision, at: int, attack: FightLine, seat: int) -> None:
    """Exchange hits with a watchtower, one for one. Rules: GD-TOWER-1, GD-TOWER-2."""
    if attack.health and decision.state.territories[at].construct == "watchtower":
        strength = numbers().watchtower_strength.value
        hits = attack.suffer(strength)
        fought = ev.WatchtowerHeld(at, seat, hits, hits == strength, attack.losses())
        decision.emit(fought)


def _beat(decision: Decision, at: int, attack: FightLine, defence: FightLine) -> bool:
    """Fight one for one after the defending spies died; return whether no defender is left.

    Rules: GD-INVADE-2, GD-INVADE-3, GD-SPY-2.
    """
    here = decision.state.territories[at]
    passing_spies = spies_die(passing_at(decision.state, at))
    rounds = min(attack.health, defence.health)
    attack.suffer(rounds)
    defence.suffer(rounds)
    defenders_lost = defence.losses()
    army, cavalry, heavy, _ = unit_counts((loss.unit, loss.lost) for loss in defenders_lost)
    fallen = army, cavalry, heavy, here.spy
    if rounds or here.spy:
        passing = [loss for loss in defenders_lost if loss.squad != RESIDENT]
        told = tuple(sorted((*passing, *passing_spies), key=lambda loss: loss.squad))
        seat, losses = attack.ranks[0].seat, attack.losses()
        decision.emit(ev.Defended(at, seat, here.owner, rounds, losses, fallen, told))
    return not defence.health


# -- forecasts -------------------------------------------------------------------------------------


class Needed(Record, frozen=True):
    """Numbers of attacking armies needed for each aim against the present defenders.

    ``tower`` is None without a watchtower. ``neutralise`` is 0 on neutral land. See: GD-INVADE-5.
    """

    tower: int | None
    neutralise: int
    take: int


class InvasionForecast(Record, frozen=True):
    """Result of an invasion with armies only. See: GD-INVADE-5."""

    attackers_lost: int
    defenders_lost: int
    landed: int
    tower_destroyed: bool
    neutralised: bool


def entry_cost(*, tower: bool, mines: int = 0, guided: bool = False) -> int:
    """Return the damage that invaders take before they reach a defender.

    It is the sum of penalty, mines and watchtower.
    See: GD-INVADE-1, GD-INTEL-1, GD-MINE-3, GD-TOWER-1.
    """
    table = numbers()
    penalty = 0 if guided else table.invasion_penalty.value
    return penalty + mines + (table.watchtower_strength.value if tower else 0)


def needed(defenders: int, *, tower: bool, mines: int = 0, guided: bool = False) -> Needed:
    """Return the number of armies needed for each aim of an invasion. Rules: GD-INVADE-5.

    ``defenders`` is their total health. ``guided`` means that a spy saves the penalty. Land without
    defenders falls to the first army that gets through.
    """
    cost = entry_cost(tower=tower, mines=mines, guided=guided)
    return Needed(cost if tower else None, cost + max(1, defenders), cost + defenders + 1)


def forecast_invasion(
    attackers: int, defenders: int, *, tower: bool, mines: int = 0
) -> InvasionForecast:
    """Return the result of an invasion of armies against defending armies.

    See: GD-INVADE-5, GD-MINE-3.
    """
    cost = entry_cost(tower=tower, mines=mines)
    through = max(0, attackers - cost)
    killed = min(through, defenders)
    return InvasionForecast(
        attackers_lost=min(attackers, cost) + killed,
        defenders_lost=killed,
        landed=through - killed,
        tower_destroyed=tower and attackers >= cost,
        neutralised=through > 0 and through >= defenders,
    )


def forecast_skirmish(armies: tuple[int, ...]) -> tuple[int, ...]:
    """Return the armies of each side that are left after a skirmish. See: GD-SKIRMISH-2."""
    rounds = sorted((0, 0, *armies))[-2]
    return tuple(max(0, count - rounds) for count in armies)


# -- tools of calc ---------------------------------------------------------------------------------


def _number(arguments: Mapping[str, str], name: str) -> int:
    """Parse an argument that counts armies or mines; 0 if it is omitted.

    Raises:
        ValueError: the argument is not a number, or too large.
    """
    text = arguments.get(name, "0")
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{name} must be a whole number")
    most = numbers().most_units.value
    if int(text[:9]) > most:
        raise ValueError(f"{name} is at most {most}")
    return int(text)


def _invasion(_state: Any, arguments: Mapping[str, str]) -> ToolReport:
    """Report the losses, and the armies needed for each aim. See: GD-INVADE-5."""
    sent, there = _number(arguments, "attackers"), _number(arguments, "defenders")
    tower, mines = bool(_number(arguments, "tower")), _number(arguments, "mines")
    done = forecast_invasion(sent, there, tower=tower, mines=mines)
    aims = needed(there, tower=tower, mines=mines)
    neutral = f", {aims.neutralise} make it neutral" if there else ""
    remarks = [f"{aims.take} armies take the land{neutral}."]
    if aims.tower is not None:
        remarks.append(f"{aims.tower} break the watchtower.")
    row = (sent, there, done.attackers_lost, done.defenders_lost, done.landed)
    columns = ("attackers", "defenders", "attackers lost", "defenders lost", "landed")
    return ToolReport(columns, (row,), tuple(remarks))


_SIDES: Final = ("first", "second", "third")


def _skirmish(_state: Any, arguments: Mapping[str, str]) -> ToolReport:
    """Report the armies left to each seat. See: GD-SKIRMISH-2."""
    sides = tuple(_number(arguments, side) for side in _SIDES)
    rows = tuple(zip(_SIDES, sides, forecast_skirmish(sides), strict=True))
    return ToolReport(("seat", "armies", "left"), rows)


TOOLS: Final = (
    FunctionTool(
        "invasion",
        "Losses of an invasion, and the armies that each aim takes",
        (
            Argument("attackers", "number", "armies sent"),
            Argument("defenders", "number", "armies that defend"),
            Argument("tower", "number", "1 if there is a watchtower", required=False),
            Argument("mines", "number", "mines there, in the advanced variant", required=False),
        ),
        _invasion,
    ),
    FunctionTool(
        "skirmish",
        "Armies left when two or three seats meet on the way",
        (
            Argument("first", "number", "armies of the first seat"),
            Argument("second", "number", "armies of the second seat"),
            Argument("third", "number", "armies of a third seat", required=False),
        ),
        _skirmish,
    ),
)
