"""The engine's Movement Phase, on the plain dicts of case rows and random positions."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.containers import Roster
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import CONSTRUCTS, UNITS, Construct, Unit
from engine.rulesets.gd6.commands import Move as MoveOrder
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.movement import move
from engine.rulesets.gd6.state import (
    LETTERS,
    NOBODY,
    Loss,
    Options,
    Player,
    State,
    Territory,
    World,
)
from engine.rulesets.gd6.state import Land as LandRecord
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import readable
from tests.rulesets.gd6.movement_cases import Outcome, Problem, empty
from tests.rulesets.gd6.naive_world import Land, Order

SEATS = 6

Lost = dict[int, dict[str, int]]


def position(problem: Problem) -> State:
    """Return the engine's state for a problem, with written and sealed lists."""
    lands = tuple(
        LandRecord(place, f"Land {place}", tuple(beside))
        for place, beside in problem["borders"].items()
    )
    players = [
        Player(
            seat,
            name=LETTERS[seat],
            hq_built=True,
            status="active",
            sealed=True,
            orders=tuple(order_of(order) for order in problem["orders"].get(seat, [])),
        )
        for seat in range(SEATS)
    ]
    return State(
        world=World("graph", "Graph", lands),
        territories=Roster(_territory(at, land) for at, land in problem["lands"].items()),
        players=Roster(players),
        options=Options(variant="advanced" if problem["advanced"] else "base"),
        phase="movement",
    )


def plain(state: State) -> Problem:
    """Convert a position and its moves to plain dicts for the naive Movement Phase."""
    orders = {
        seat: [
            Order(path=list(order.path), unit=order.unit, count=order.count)
            for order in player.orders
            if isinstance(order, MoveOrder)
        ]
        for seat, player in state.players.items()
    }
    return {
        "borders": {land.id: list(land.neighbours) for land in state.world.lands},
        "lands": {at: _land(row) for at, row in state.territories.items()},
        "orders": orders,
        "advanced": state.options.variant == "advanced",
    }


def order_of(order: Order) -> MoveOrder:
    """Return the engine's form of an order."""
    return MoveOrder(tuple(order["path"]), order["count"], _unit(order["unit"]))


def moved(problem: Problem) -> Decision:
    """Run only the Movement Phase and return its decision."""
    state = position(problem)
    decision = BaseDecision(state, evolve, Scripted([]))
    move(decision, readable(decision, list(state.players)))
    return decision


def outcome(problem: Problem, decision: Decision) -> Outcome:
    """Return the engine's outcome; losses are counted from its events."""
    return {
        "lands": {at: _land(row) for at, row in decision.state.territories.items()},
        "lost": _lost(problem, decision),
        "refused": {
            (event.seat, event.place): event.codes[0]
            for event in decision.events
            if isinstance(event, ev.OrderRefused)
        },
        "reduced": {
            (event.seat, event.place): event.kept
            for event in decision.events
            if isinstance(event, ev.OrderReduced)
        },
    }


def units(state: State) -> Lost:
    """Count all units by seat and type; omit zeros."""
    found: Lost = {}
    for row in state.territories.values():
        for unit in UNITS:
            _add(found, row.owner, unit, getattr(row, unit))
    return found


def _lost(problem: Problem, decision: Decision) -> Lost:
    lost: Lost = {}
    for event in decision.events:
        for loss in _losses(event):
            _add(lost, loss.seat, loss.unit, loss.lost)
        if isinstance(event, ev.Defended):
            for unit, count in zip(UNITS, event.garrison, strict=True):
                _add(lost, event.owner, unit, count)
    return lost


def _losses(event: ev.AnyEvent) -> Iterator[Loss]:
    match event:
        case ev.Skirmish() | ev.SpiesCaught() | ev.PenaltyPaid() | ev.WatchtowerHeld():
            yield from event.losses
        case ev.MinesExploded() | ev.Defended():
            yield from event.losses
        case _:
            return


def _add(found: Lost, seat: int, unit: str, count: int) -> None:
    if count:
        of_seat = found.setdefault(seat, {})
        of_seat[unit] = of_seat.get(unit, 0) + count


def _territory(at: int, land: Land) -> Territory:
    owner, standing = land["owner"], land["units"]
    return Territory(
        at,
        owner=NOBODY if owner is None else owner,
        loyalty=land["loyalty"],
        army=standing.get("army", 0),
        cavalry=standing.get("cavalry", 0),
        heavy=standing.get("heavy", 0),
        spy=standing.get("spy", 0),
        construct=_construct(land["construct"]),
        hq=0 if land["hq"] else NOBODY,
        wasteland=land["wasteland"],
        mines=land["mines"],
    )


def _land(row: Territory) -> Land:
    counts: dict[str, int] = {unit: getattr(row, unit) for unit in UNITS if getattr(row, unit)}
    return empty() | Land(
        owner=None if row.owner == NOBODY else row.owner,
        loyalty=row.loyalty,
        units=counts,
        construct=row.construct,
        hq=row.hq != NOBODY,
        wasteland=row.wasteland,
        mines=row.mines,
    )


def _unit(name: str) -> Unit:
    return next(unit for unit in UNITS if unit == name)


def _construct(name: str | None) -> Construct | None:
    return next((construct for construct in CONSTRUCTS if construct == name), None)
