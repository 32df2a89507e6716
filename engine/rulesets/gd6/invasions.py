"""Invasions: penalty, mines, watchtower, then one for one."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.fights import (
    Line,
    attack_line,
    defence_line,
    garrison_losses,
    spies_die,
)
from engine.rulesets.gd6.lands import Job, neutralise
from engine.rulesets.gd6.mines import explode
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import Seen, Squad


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


def invade(work: Job, at: int, squads: Sequence[Squad], *, guided: bool) -> bool:
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


def _suffer_penalty(work: Job, at: int, attack: Line, *, guided: bool) -> None:
    """What every invasion costs. Rules: GD-INVADE-1, GD-INTEL-1."""
    if attack.health:
        damage = attack.suffer(0 if guided else numbers().invasion_penalty.value)
        work.emit(ev.PenaltyPaid(at, attack.ranks[0].seat, damage, attack.losses()))


def _storm_tower(work: Job, at: int, attack: Line, seat: int) -> None:
    """A watchtower gives as many hits as it takes. Rules: GD-TOWER-1, GD-TOWER-2."""
    if attack.health and work.state.territories[at].construct == "watchtower":
        strength = numbers().watchtower_strength.value
        hits = attack.suffer(strength)
        fought = ev.WatchtowerHeld(at, seat, hits, hits == strength, attack.losses())
        work.emit(fought)


def _beat(work: Job, at: int, attack: Line, defence: Line) -> bool:
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
