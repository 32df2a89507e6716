"""The Movement Phase: in each step everybody's next hop happens at the same instant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.fights import attack_line, skirmish
from engine.rulesets.gd6.invasions import invade, is_guided
from engine.rulesets.gd6.lands import Job
from engine.rulesets.gd6.lines import Lists
from engine.rulesets.gd6.mines import explode
from engine.rulesets.gd6.movement_bind import bind
from engine.rulesets.gd6.movement_loops import next_loop
from engine.rulesets.gd6.orders import UNITS
from engine.rulesets.gd6.state import NOBODY, Squad

Bound = dict[int, list[int]]
"""From each target to the ids of the squads bound for it, targets in order."""


def move(work: Job, lists: Lists) -> None:
    """Carry out all moves. Rules: GD-STEP-1, GD-BIND-1."""
    bind(work, lists)
    steps = max((len(squad.path) - 1 for squad in work.state.squads.values()), default=0)
    for number in range(1, steps + 1):
        if work.state.squads:
            step(work, number)
    work.emit(ev.MovementEnded())


def step(work: Job, number: int) -> None:
    """One step from lift-off to landing. Rules: GD-STEP-1 to GD-STEP-3.

    ``index order`` of targets only orders the log; nothing depends on it.
    """
    work.emit(ev.StepStarted(number))
    bound = _lift_off(work)
    hostile = _arrive_in_peace(work, bound)
    _skirmish_at_targets(work, hostile)
    _skirmish_in_loops(work, hostile)
    guided = {target: is_guided(work.state, living(work, hostile[target])) for target in hostile}
    for target in hostile:
        attackers = living(work, hostile[target])
        if attackers and invade(work, target, attackers, guided=guided[target]):
            _land(work, target, living(work, hostile[target]), "landing")


def _lift_off(work: Job) -> Bound:
    """All movers leave together; they defend nothing any more. Rules: GD-STEP-2."""
    movers = work.state.squads.rows()
    hops = tuple(
        ev.Hop(
            squad.id,
            squad.seat,
            squad.unit,
            squad.count,
            squad.path[squad.hop],
            squad.path[squad.hop + 1],
        )
        for squad in movers
    )
    work.emit(ev.LiftedOff(hops))
    bound: Bound = {}
    for hop in sorted(hops, key=lambda hop: hop.target):
        bound.setdefault(hop.target, []).append(hop.squad)
    return bound


def living(work: Job, squads: Iterable[int]) -> list[Squad]:
    """Those of the squads of which something is left."""
    known = work.state.squads
    return [known[squad] for squad in squads if squad in known]


def _arrive_in_peace(work: Job, bound: Bound) -> Bound:
    """Distributions and expansions; what is left is hostile. Rules: GD-STEP-3."""
    hostile: Bound = {}
    for target, squads in bound.items():
        owner = work.state.territories[target].owner
        movers = living(work, squads)
        own = [squad for squad in movers if squad.seat == owner]
        foreign = [squad for squad in movers if squad.seat != owner]
        if own:
            _land(work, target, own, "distribution")
        if foreign and owner == NOBODY and len({squad.seat for squad in foreign}) == 1:
            _expand(work, target, foreign)
        elif foreign:
            hostile[target] = [squad.id for squad in foreign]
    return hostile


def _land(
    work: Job,
    target: int,
    squads: Sequence[Squad],
    kind: Literal["distribution", "expansion", "landing"],
) -> None:
    """Squads of one seat arrive, and own the land and all on it. Rules: GD-STEP-5, GD-LAND-2."""
    if not squads:
        return
    seat = squads[0].seat
    if work.state.territories[target].owner != seat:
        work.emit(ev.Claimed(seat, target))
    arrived = dict.fromkeys(UNITS, 0)
    for squad in squads:
        arrived[squad.unit] += squad.count
    units = arrived["army"], arrived["cavalry"], arrived["heavy"], arrived["spy"]
    work.emit(ev.Arrived(seat, target, kind, tuple(squad.id for squad in squads), units))


def _expand(work: Job, target: int, squads: Sequence[Squad]) -> None:
    """Squads of one seat take neutral land, through its mines. Rules: GD-STEP-4, GD-MINE-2."""
    line = attack_line(squads)
    explode(work, target, line, squads[0].seat)
    _land(work, target, living(work, [squad.id for squad in squads]), "expansion")


def _skirmish_at_targets(work: Job, hostile: Bound) -> None:
    """Several seats bound for land of none of them. Rules: GD-SKIRMISH-1, GD-SKIRMISH-3."""
    for target in list(hostile):
        squads = living(work, hostile[target])
        if len({squad.seat for squad in squads}) >= 2:
            skirmish(work, "target", (target,), squads)
        if work.state.territories[target].owner == NOBODY:
            survivors = living(work, hostile.pop(target))
            if survivors:
                _expand(work, target, survivors)


def _skirmish_in_loops(work: Job, hostile: Bound) -> None:
    """Attacks that go round in a circle, one after the other. Rules: GD-LOOP-1, GD-LOOP-2."""
    while True:
        attacks = [squad for squads in hostile.values() for squad in living(work, squads)]
        loop = next_loop((squad.path[squad.hop], squad.path[squad.hop + 1]) for squad in attacks)
        if not loop:
            return
        work.emit(ev.LoopFound(loop))
        edges = set(zip(loop, (*loop[1:], loop[0]), strict=True))
        on_it = [
            squad
            for squad in attacks
            if (squad.path[squad.hop], squad.path[squad.hop + 1]) in edges
        ]
        skirmish(work, "loop", loop, on_it)
