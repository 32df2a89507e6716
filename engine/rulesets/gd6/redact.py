"""Events as a viewer may know them."""

from __future__ import annotations

from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.state import State
from engine.rulesets.gd6.view import knows, view


def redact(event: ev.AnyEvent, before: State, after: State, viewer: Viewer) -> ev.AnyEvent | None:
    """The event as the viewer may know it, or None. Rules: GD-SECRET-1 to GD-SECRET-4."""
    shown: ev.AnyEvent | None = event
    match event:
        case _ if viewer == REFEREE:
            pass
        case ev.GameStarted():
            shown = _started(event, after, viewer)
        case (
            ev.OrderAdded()
            | ev.ListWritten()
            | ev.OrderRefused()
            | ev.OrderReduced()
            | ev.IpPaid()
            | ev.MinesLaid()
            | ev.ItemSpent()
            | ev.ItemBought()
            | ev.IncomeEarned()
        ):
            shown = event if event.seat == viewer else None
        case ev.SquadsBound():
            own = tuple(squad for squad in event.squads if squad.seat == viewer)
            shown = replace(event, squads=own) if own else None
        case ev.WastelandLoss() | ev.DynamiteUsed() | ev.Promoted():
            shown = _without_spy(event, before, viewer)
        case ev.StepStarted() | ev.LiftedOff() | ev.Arrived() | ev.Disbanded():
            shown = _without_spies(event, before, viewer)
        case _:
            pass
    return shown


def _started(event: ev.GameStarted, after: State, viewer: Viewer) -> ev.GameStarted:
    seen = view(after, viewer)
    return replace(
        event,
        scenario=replace(event.scenario, deeds=seen.deeds),
        players=seen.players.rows(),
        territories=seen.territories.rows(),
    )


def _without_spy(
    event: ev.WastelandLoss | ev.DynamiteUsed | ev.Promoted, before: State, viewer: Viewer
) -> ev.AnyEvent | None:
    """What happens to a single spy is for its owner. Rules: GD-SECRET-4."""
    if event.unit != "spy":
        return event
    match event:
        case ev.WastelandLoss():
            return event if before.territories[event.at].owner == viewer else None
        case ev.DynamiteUsed():
            own = before.territories[event.target].owner == viewer
            return event if own else replace(event, unit=None, left=0)
        case ev.Promoted():
            return event if event.seat == viewer else replace(event, at=0, count=0)


def _without_spies(
    event: ev.StepStarted | ev.LiftedOff | ev.Arrived | ev.Disbanded,
    before: State,
    viewer: Viewer,
) -> ev.AnyEvent | None:
    """Movements without those of others' spies; None if nothing is left of them."""
    squads = before.squads
    match event:
        case ev.StepStarted():
            known = (knows(viewer, s.seat) or s.unit != "spy" for s in squads.values())
            return event if any(known) else None
        case ev.LiftedOff():
            hops = tuple(hop for hop in event.hops if hop.unit != "spy" or hop.seat == viewer)
            return replace(event, hops=hops) if hops else None
        case ev.Arrived() | ev.Disbanded() if event.seat == viewer:
            return event
        case ev.Arrived():
            shown = tuple(squad for squad in event.squads if squads[squad].unit != "spy")
            return replace(event, squads=shown, units=_seen(event.units)) if shown else None
        case ev.Disbanded():
            return replace(event, units=_seen(event.units)) if any(_seen(event.units)) else None


def _seen(units: ev.Counts) -> ev.Counts:
    """Units as others count them."""
    return (*units[:3], 0)
