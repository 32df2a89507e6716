"""Views and redaction: the state and the events as one viewer may know them."""

from __future__ import annotations

from engine.core.containers import Roster
from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.state import Deed, Player, Squad, State, Territory, View


def view(state: State, viewer: Viewer) -> View:
    """What the viewer knows. Rules: GD-SECRET-1, GD-SECRET-2, GD-SECRET-4, GD-MINE-5."""
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
        turn=state.turn,
        phase=state.phase,
        failed_rounds=state.failed_rounds,
        choosing=state.choosing,
        step=state.step,
        squads=_squads(state, viewer),
        deeds=_deeds(state, viewer),
        reason=state.reason,
        winners=state.winners,
        name=state.name,
        title=state.title,
        about=state.about,
    )


def knows(viewer: Viewer, seat: int) -> bool:
    """Whether the viewer is let into a seat's secrets."""
    return viewer in (seat, REFEREE)


def _territories(state: State, viewer: Viewer) -> Roster[Territory]:
    if state.reason or viewer == REFEREE or state.options.variant == "base":
        return state.territories
    return Roster(_territory(here, viewer) for here in state.territories.values())


def _territory(here: Territory, viewer: Viewer) -> Territory:
    """A territory without other seats' spies and mines that are secret."""
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
    """A seat as others see it: no purse, no items, no list."""
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
    """Own squads; others' while they are on their way, without where they go next, and no spies."""
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
    """What was done, without what spies did and where they were made. Rules: GD-SECRET-4."""
    if deed.what != "spy" or knows(viewer, deed.seat):
        return deed
    return Deed(deed.seat, "promote", 0, what="spy") if deed.kind == "promote" else None


def imagine(seen: View) -> State:
    """A state that looks like this: what is hidden is not there."""
    return State(
        world=seen.world,
        territories=seen.territories,
        players=seen.players,
        options=seen.options,
        turn=seen.turn,
        phase=seen.phase,
        failed_rounds=seen.failed_rounds,
        choosing=seen.choosing,
        step=seen.step,
        squads=seen.squads,
        deeds=seen.deeds,
        reason=seen.reason,
        winners=seen.winners,
        name=seen.name,
        title=seen.title,
        about=seen.about,
    )


# -- redaction -------------------------------------------------------------------------------------


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
