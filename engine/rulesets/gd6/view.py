"""Views and redaction: the parts of state and events that one viewer may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec.structs import asdict

from engine.core.containers import Roster
from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.state import Deed, Player, Squad, State, Territory, View, header
from engine.tabletop.registration import Handlers


def view(state: State, viewer: Viewer) -> View:
    """Return the view of a viewer. Rules: GD-SECRET-1, GD-SECRET-2, GD-SECRET-4, GD-MINE-5."""
    open_now = bool(state.reason)
    return View(
        viewer=viewer,
        world=state.world,
        territories=_territories(state, viewer),
        players=Roster(
            player if open_now or knows(viewer, player.id) else _outside(player)
            for player in state.players.values()
        ),
        options=state.options,
        step=state.step,
        squads=_squads(state, viewer),
        **header(state) | {"deeds": _deeds(state, viewer)},
    )


def knows(viewer: Viewer, seat: int) -> bool:
    """Return whether the viewer knows the secrets of a seat."""
    return viewer in (seat, REFEREE)


def _territories(state: State, viewer: Viewer) -> Roster[Territory]:
    if state.reason or viewer == REFEREE or state.options.variant == "base":
        return state.territories
    return Roster(_territory(here, viewer) for here in state.territories.values())


def _territory(here: Territory, viewer: Viewer) -> Territory:
    """Return a territory without the spies and secret mines of other seats."""
    if here.owner == viewer and not here.laid:
        return here
    laid = tuple((seat, count) for seat, count in here.laid if seat == viewer)
    known = here.mines - sum(count for seat, count in here.laid if seat != viewer)
    return Territory(
        id=here.id,
        owner=here.owner,
        loyalty=here.loyalty,
        army=here.army,
        cavalry=here.cavalry,
        heavy=here.heavy,
        spy=here.spy if here.owner == viewer else 0,
        construct=here.construct,
        hq=here.hq,
        wasteland=here.wasteland,
        mines=known,
        laid=laid,
    )


def _outside(player: Player) -> Player:
    """Return a seat as other seats see it: without IP, items and list."""
    return Player(
        id=player.id,
        name=player.name,
        colour=player.colour,
        hq_built=player.hq_built,
        status=player.status,
        sealed=player.sealed,
        conceding=player.conceding,
        opened=player.opened,
    )


def _squads(state: State, viewer: Viewer) -> Roster[Squad]:
    """Return the viewer's squads, and those of others in flight: next hop only, no spies."""
    found = []
    for squad in state.squads.values():
        if knows(viewer, squad.seat):
            found.append(squad)
        elif squad.flying and squad.unit != "spy":
            here, there = squad.path[squad.hop], squad.path[squad.hop + 1]
            shown = Squad(
                squad.id, squad.seat, 0, squad.unit, squad.count, (here, there), flying=True
            )
            found.append(shown)
    return Roster(found)


def _deeds(state: State, viewer: Viewer) -> tuple[Deed, ...]:
    if state.options.variant == "base":
        return state.deeds
    known = (_deed(deed, viewer) for deed in state.deeds)
    return tuple(deed for deed in known if deed is not None)


def _deed(deed: Deed, viewer: Viewer) -> Deed | None:
    """Hide the actions of spies; of their promotion only place and number. See: GD-SECRET-4."""
    if deed.what != "spy" or knows(viewer, deed.seat):
        return deed
    return Deed(deed.seat, "promote", 0, what="spy") if deed.kind == "promote" else None


def imagine(seen: View) -> State:
    """Return a state that fits a view, without hidden units, mines and lists."""
    fields = asdict(seen)
    del fields["viewer"]
    return State(**fields)


# -- redaction -------------------------------------------------------------------------------------

Redactor: TypeAlias = Callable[[Any, State, Viewer], ev.AnyEvent | None]
"""Converts an event, the state before it and a viewer to the redacted event."""

_REDACTORS: Final[Handlers[Redactor]] = Handlers()


def redact(event: ev.AnyEvent, before: State, after: State, viewer: Viewer) -> ev.AnyEvent | None:
    """Return the event as the viewer may know it, or None.

    Rules: GD-SECRET-2, GD-SECRET-3, GD-SECRET-4. See: GD-SECRET-1.
    """
    if viewer == REFEREE:
        return event
    if isinstance(event, ev.Draft | ev.Secret):
        return event if event.seat == viewer else None
    if isinstance(event, ev.GameStarted):
        return _started(event, view(after, viewer))
    redactor = _REDACTORS.get(event)
    return redactor(event, before, viewer) if redactor is not None else event


def _started(event: ev.GameStarted, seen: View) -> ev.GameStarted:
    return replace(
        event,
        scenario=replace(event.scenario, deeds=seen.deeds),
        players=seen.players.rows(),
        territories=seen.territories.rows(),
    )


# Number and places of spies are visible to their owner only. See: GD-SECRET-4.


@_REDACTORS.on(ev.WastelandLoss)
def _wasteland_loss(
    event: ev.WastelandLoss, before: State, viewer: Viewer
) -> ev.WastelandLoss | None:
    is_own = before.territories[event.at].owner == viewer
    return event if is_own or event.unit != "spy" else None


@_REDACTORS.on(ev.DynamiteUsed)
def _dynamite_used(event: ev.DynamiteUsed, before: State, viewer: Viewer) -> ev.DynamiteUsed:
    is_own = before.territories[event.target].owner == viewer
    return event if is_own or event.unit != "spy" else replace(event, unit=None, left=0)


@_REDACTORS.on(ev.Promoted)
def _promoted(event: ev.Promoted, _before: State, viewer: Viewer) -> ev.Promoted:
    is_known = event.seat == viewer or event.unit != "spy"
    return event if is_known else replace(event, at=0, count=0)


@_REDACTORS.on(ev.SquadsBound)
def _squads_bound(event: ev.SquadsBound, _before: State, viewer: Viewer) -> ev.SquadsBound | None:
    own = tuple(squad for squad in event.squads if squad.seat == viewer)
    return replace(event, squads=own) if own else None


@_REDACTORS.on(ev.StepStarted)
def _step_started(event: ev.StepStarted, before: State, viewer: Viewer) -> ev.StepStarted | None:
    squads = before.squads.values()
    is_seen = any(squad.seat == viewer or squad.unit != "spy" for squad in squads)
    return event if is_seen else None


@_REDACTORS.on(ev.LiftedOff)
def _lifted_off(event: ev.LiftedOff, _before: State, viewer: Viewer) -> ev.LiftedOff | None:
    hops = tuple(hop for hop in event.hops if hop.unit != "spy" or hop.seat == viewer)
    return replace(event, hops=hops) if hops else None


@_REDACTORS.on(ev.Arrived)
def _arrived(event: ev.Arrived, before: State, viewer: Viewer) -> ev.Arrived | None:
    if event.seat == viewer:
        return event
    shown = tuple(squad for squad in event.squads if before.squads[squad].unit != "spy")
    return replace(event, squads=shown, units=(*event.units[:3], 0)) if shown else None


@_REDACTORS.on(ev.Disbanded)
def _disbanded(event: ev.Disbanded, _before: State, viewer: Viewer) -> ev.Disbanded | None:
    if event.seat == viewer:
        return event
    return replace(event, units=(*event.units[:3], 0)) if any(event.units[:3]) else None
