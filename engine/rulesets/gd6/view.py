"""What a viewer may know, and what a state could be that looks like this."""

from __future__ import annotations

from engine.core.containers import Roster
from engine.core.ids import REFEREE, Viewer
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
