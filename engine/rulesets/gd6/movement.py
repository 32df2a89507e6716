"""Movement Phase: bind units to orders, then make all hops of a step at the same instant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal

from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import Move, Unit
from engine.rulesets.gd6.fights import attack_line, explode, invade, is_guided, skirmish
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.refusal import (
    LinesBySeat,
    OrderLine,
    Refusal,
    RefusalReason,
    of_kind,
    refuse,
)
from engine.rulesets.gd6.state import NOBODY, Hop, Squad, StateOrView
from engine.rulesets.gd6.territories import Decision, count_of, name, unit_counts

# -- steps -----------------------------------------------------------------------------------------

SquadsByTarget = dict[int, list[int]]
"""Ids of the squads in flight to each target, targets in order."""


def move(decision: Decision, lists: LinesBySeat) -> None:
    """Execute the moves of all lists, step by step. Rules: GD-STEP-1. See: GD-BIND-1."""
    bind(decision, lists)
    steps = max((len(squad.path) - 1 for squad in decision.state.squads.values()), default=0)
    for number in range(1, steps + 1):
        if decision.state.squads:
            step(decision, number)
    decision.emit(ev.MovementEnded())


def step(decision: Decision, number: int) -> None:
    """Execute one step of all squads, from lift-off to landing.

    Rules: GD-STEP-1, GD-STEP-3. See: GD-STEP-2.

    Targets are handled in order of their numbers; this affects only the order of the log.
    """
    decision.emit(ev.StepStarted(number))
    bound = _lift_off(decision)
    hostile = _arrive_in_peace(decision, bound)
    _skirmish_at_targets(decision, hostile)
    _skirmish_in_loops(decision, hostile)
    guided = {
        target: is_guided(decision.state, living(decision, hostile[target])) for target in hostile
    }
    for target in hostile:
        attackers = living(decision, hostile[target])
        if attackers and invade(decision, target, attackers, guided=guided[target]):
            _land(decision, target, living(decision, hostile[target]), "landing")


def _lift_off(decision: Decision) -> SquadsByTarget:
    """Lift all squads off, so that they no longer defend; group by target. Rules: GD-STEP-2."""
    movers = decision.state.squads.rows()
    hops = tuple(
        Hop(squad.id, squad.seat, squad.unit, squad.count, *_border(squad)) for squad in movers
    )
    decision.emit(ev.LiftedOff(hops))
    bound: SquadsByTarget = {}
    for hop in sorted(hops, key=lambda hop: hop.target):
        bound.setdefault(hop.target, []).append(hop.squad)
    return bound


def _border(squad: Squad) -> tuple[int, int]:
    """Return source and target of the squad's next hop, or of its hop in progress."""
    return squad.path[squad.hop], squad.path[squad.hop + 1]


def living(decision: Decision, squads: Iterable[int]) -> list[Squad]:
    """Return the squads that still have units."""
    known = decision.state.squads
    return [known[squad] for squad in squads if squad in known]


def _arrive_in_peace(decision: Decision, bound: SquadsByTarget) -> SquadsByTarget:
    """Land all squads that meet no resistance; return the others as hostile. Rules: GD-STEP-3."""
    hostile: SquadsByTarget = {}
    for target, squads in bound.items():
        owner = decision.state.territories[target].owner
        movers = living(decision, squads)
        own = [squad for squad in movers if squad.seat == owner]
        foreign = [squad for squad in movers if squad.seat != owner]
        if own:
            _land(decision, target, own, "distribution")
        if foreign and owner == NOBODY and len({squad.seat for squad in foreign}) == 1:
            _expand(decision, target, foreign)
        elif foreign:
            hostile[target] = [squad.id for squad in foreign]
    return hostile


def _land(
    decision: Decision,
    target: int,
    squads: Sequence[Squad],
    kind: Literal["distribution", "expansion", "landing"],
) -> None:
    """Land squads of one seat; claim the territory if necessary. Rules: GD-STEP-5, GD-LAND-2."""
    if not squads:
        return
    seat = squads[0].seat
    if decision.state.territories[target].owner != seat:
        decision.emit(ev.Claimed(seat, target))
    units = unit_counts((squad.unit, squad.count) for squad in squads)
    decision.emit(ev.Arrived(seat, target, kind, tuple(squad.id for squad in squads), units))


def _expand(decision: Decision, target: int, squads: Sequence[Squad]) -> None:
    """Explode the mines of neutral land, then land squads on it.

    Rules: GD-STEP-4. See: GD-MINE-2.
    """
    line = attack_line(squads)
    explode(decision, target, line, squads[0].seat)
    _land(decision, target, living(decision, [squad.id for squad in squads]), "expansion")


def _skirmish_at_targets(decision: Decision, hostile: SquadsByTarget) -> None:
    """Fight over contested targets; take neutral ones. Rules: GD-SKIRMISH-1, GD-SKIRMISH-3."""
    for target in list(hostile):
        squads = living(decision, hostile[target])
        if len({squad.seat for squad in squads}) >= 2:
            skirmish(decision, "target", (target,), squads)
        if decision.state.territories[target].owner == NOBODY:
            survivors = living(decision, hostile.pop(target))
            if survivors:
                _expand(decision, target, survivors)


def _skirmish_in_loops(decision: Decision, hostile: SquadsByTarget) -> None:
    """Fight out closed loops of attacks, one after another. Rules: GD-LOOP-1. See: GD-LOOP-2."""
    while True:
        attacks = [squad for squads in hostile.values() for squad in living(decision, squads)]
        loop = next_loop(map(_border, attacks))
        if not loop:
            return
        decision.emit(ev.LoopFound(loop))
        edges = set(zip(loop, (*loop[1:], loop[0]), strict=True))
        on_it = [squad for squad in attacks if _border(squad) in edges]
        skirmish(decision, "loop", loop, on_it)


# -- binding units to orders -----------------------------------------------------------------------

SPIES: Final = 1_000_000
"""First id of squads of spies."""

RANKS: Final = 10_000
"""Upper limit for the lines of a list."""


def move_reasons(seen: StateOrView, seat: int, order: Move) -> list[RefusalReason]:
    """Return the reasons against a move, whatever the other lines are.

    Rules: GD-MOVE-1, GD-MOVE-2.
    """
    found = []
    start, speed = order.path[0], unit_rows()[order.unit].speed
    if seen.territories[start].owner != seat:
        text = f"{name(seen, start)} is not yours."
        found.append(RefusalReason(Refusal.ORIGIN_NOT_OWNED, text, "GD-MOVE-1"))
    if order.count < 1:
        text = f"{order.count} units cannot be moved."
        found.append(RefusalReason(Refusal.MOVE_BAD_COUNT, text, "GD-MOVE-1"))
    hops = len(order.path) - 1
    if not 1 <= hops <= speed:
        text = f"A path of {hops} borders; a {order.unit} crosses 1 to {speed}."
        found.append(RefusalReason(Refusal.PATH_BAD_LENGTH, text, "GD-MOVE-2"))
    for one, other in pairwise(order.path):
        if other not in seen.world.beside(one):
            text = f"{name(seen, other)} is not next to {name(seen, one)}."
            found.append(RefusalReason(Refusal.PATH_NOT_CONNECTED, text, "GD-MOVE-2"))
            break
    return found


def bound(
    seen: StateOrView, seat: int, lines: Sequence[OrderLine[Move]]
) -> list[tuple[OrderLine[Move], int, list[RefusalReason]]]:
    """Return each move with the number of units bound to it and the reasons against it.

    Rules: GD-BIND-1.
    """
    taken: dict[tuple[int, Unit], int] = {}
    found = []
    for line in lines:
        order = line.order
        why = move_reasons(seen, seat, order)
        if why:
            found.append((line, 0, why))
            continue
        key = order.path[0], order.unit
        there = count_of(seen.territories[order.path[0]], order.unit) - taken.get(key, 0)
        kept = min(order.count, there)
        taken[key] = taken.get(key, 0) + kept
        found.append((line, kept, [] if kept else [_nothing_left(seen, order)]))
    return found


def _nothing_left(seen: StateOrView, order: Move) -> RefusalReason:
    place = name(seen, order.path[0])
    there = count_of(seen.territories[order.path[0]], order.unit)
    text = f"{there} of type {order.unit} at {place}, none left for this order of {order.count}."
    return RefusalReason(Refusal.INSUFFICIENT_UNITS, text, "GD-BIND-1")


def bind(decision: Decision, lists: LinesBySeat) -> None:
    """Bind units to moves as squads. Rules: GD-BIND-1, GD-BIND-2.

    Ids follow starting territory and priority, so that no seat comes first. Spies have the last
    ids, which depend on their own list only: an id that a seat sees must not reveal how many
    foreign spies there are. See: GD-SECRET-4.
    """
    state, squads = decision.state, list[Squad]()
    for seat, lines in lists.items():
        for line, kept, why in bound(state, seat, of_kind(lines, Move)):
            order = line.order
            if why:
                refuse(decision, seat, line, why)
                continue
            if kept < order.count:
                decision.emit(ev.OrderReduced(seat, line.place, order, kept))
            squads.append(Squad(0, seat, line.place, order.unit, kept, order.path))
        squads += tuple(_forced(state, seat, squads))
    squads.sort(key=lambda squad: (squad.unit == "spy", squad.path[0], squad.rank))
    if squads:
        ids = (_squad_id(squad, number) for number, squad in enumerate(squads, 1))
        pairs = zip(squads, ids, strict=True)
        decision.emit(ev.SquadsBound(tuple(replace(squad, id=number) for squad, number in pairs)))


def _forced(state: StateOrView, seat: int, bound: Sequence[Squad]) -> Iterator[Squad]:
    """Yield the squads of the referee's moves, from units that the seat's own list leaves free.

    Rules: GD-FORCED-2, GD-FORCED-3.
    """
    player, taken = state.players[seat], Counter[tuple[int, Unit]]()
    for squad in bound:
        if squad.seat == seat:
            taken[squad.path[0], squad.unit] += squad.count
    for rank, order in enumerate(player.forced, len(player.orders)):
        if isinstance(order, Move) and state.territories[order.path[0]].owner == seat:
            start = order.path[0]
            there = count_of(state.territories[start], order.unit) - taken[start, order.unit]
            kept = min(order.count, there)
            taken[start, order.unit] += kept
            if kept:
                yield Squad(0, seat, rank, order.unit, kept, order.path)


def _squad_id(squad: Squad, number: int) -> int:
    return SPIES + squad.path[0] * RANKS + squad.rank if squad.unit == "spy" else number


# -- loops -----------------------------------------------------------------------------------------

AttackGraph = Mapping[int, tuple[int, ...]]
"""Attacked targets by starting territory, in order."""


def next_loop(edges: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the next loop to fight out, or () if there is none. Rules: GD-LOOP-1, GD-LOOP-2.

    The shortest loop comes first; ties go to the one with the lowest territories. It starts at its
    lowest territory.

    >>> next_loop([(1, 2), (2, 3), (3, 1), (3, 2)])
    (2, 3)
    """
    graph = _trimmed(edges)
    best: tuple[int, ...] = ()
    for start in graph:
        if len(best) == 2:
            break
        found = _shortest_from(graph, start, len(best) - 1 if best else len(graph))
        best = found or best
    return best


def _trimmed(edges: Iterable[tuple[int, int]]) -> AttackGraph:
    """Return the subgraph in which every territory both attacks and is attacked."""
    left = set(edges)
    while True:
        sources, targets = {a for a, _ in left}, {b for _, b in left}
        both = sources & targets
        kept = {(a, b) for a, b in left if a in both and b in both}
        if len(kept) == len(left):
            break
        left = kept
    return {
        start: tuple(sorted(b for a, b in left if a == start))
        for start in sorted({a for a, _ in left})
    }


def _shortest_from(graph: AttackGraph, start: int, longest: int) -> tuple[int, ...]:
    """Return the first shortest loop of at most ``longest`` that has ``start`` as lowest, or ()."""
    back = _steps_back(graph, start)
    ways = [back[other] for other in graph[start] if other in back]
    if not ways or min(ways) + 1 > longest:
        return ()
    path, left = [start], min(ways)
    while left:
        path.append(min(other for other in graph[path[-1]] if back.get(other, -1) == left))
        left -= 1
    return tuple(path)


def _steps_back(graph: AttackGraph, start: int) -> dict[int, int]:
    """Return the distance to ``start`` of each territory with a higher number."""
    into: dict[int, list[int]] = {}
    for source, targets in graph.items():
        for target in targets:
            if source > start and target >= start:
                into.setdefault(target, []).append(source)
    steps, wave, count = dict[int, int](), [start], 0
    while wave:
        count += 1
        fresh = {
            source for target in wave for source in into.get(target, ()) if source not in steps
        }
        steps.update(dict.fromkeys(sorted(fresh), count))
        wave = sorted(fresh)
    return steps
