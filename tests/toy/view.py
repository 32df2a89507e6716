"""What viewers know, and states that fit a view."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.containers import Roster
from engine.core.dice import Dice, shuffle
from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from tests.toy import events as ev
from tests.toy.setup import field_of
from tests.toy.state import HIDDEN, Band, Clan, Seen, State, View


def view(state: State, viewer: Viewer) -> View:
    """Return what a viewer knows of a state. See: T-SETUP-2, T-ORDER-1, T-RANK-1, T-SEAL-1."""
    return View(
        viewer=viewer,
        terrain=state.terrain,
        bands=Roster(_band(band, viewer) for band in state.bands.values()),
        clans=Roster(_clan(clan, state, viewer) for clan in state.clans.values()),
        strengths=state.strengths,
        rounds=state.rounds,
        orders=Roster(
            order for order in state.orders.values() if knows(viewer, state.bands[order.id].clan)
        ),
        options=state.options,
        name=state.name,
        title=state.title,
        about=state.about,
        round=state.round,
        marched=state.marched,
        lost=state.lost,
        reason=state.reason,
        winners=state.winners,
    )


def knows(viewer: Viewer, clan: int) -> bool:
    """Return whether a viewer may know a clan's secrets."""
    return viewer in (clan, REFEREE)


def _band(band: Band, viewer: Viewer) -> Band:
    shown = band.known or knows(viewer, band.clan)
    return Band(
        id=band.id,
        clan=band.clan,
        x=band.x,
        y=band.y,
        strength=band.strength if shown else HIDDEN,
        known=band.known,
        alive=band.alive,
    )


def _clan(clan: Clan, state: State, viewer: Viewer) -> Clan:
    own = knows(viewer, clan.id)
    return Clan(
        id=clan.id,
        lanterns=clan.lanterns,
        stake=clan.stake if own or state.marched else 0,
        ranks=clan.ranks if own else (),
        sealed=clan.sealed,
        cried=clan.cried,
        playing=clan.playing,
    )


def redact(event: ev.AnyEvent, before: State, after: State, viewer: Viewer) -> ev.AnyEvent | None:
    """Return the event as the viewer may know it, or None if the viewer sees none of it."""
    match event:
        case ev.GameSet():
            seen = view(after, viewer)
            return replace(event, scenario=field_of(seen), bands=seen.bands.rows())
        case ev.OrderGiven():
            return event if knows(viewer, after.bands[event.order.id].clan) else None
        case ev.OrdersDropped():
            return event if knows(viewer, after.bands[event.bands[0]].clan) else None
        case ev.RanksSet() | ev.StakeLaid():
            return event if knows(viewer, event.clan) else None
        case _:
            return event


def imagine(seen: View, dice: Dice) -> State:
    """Return a state that would give this view.

    Hidden strengths are dealt by the dice; other clans have no orders.
    """
    bands = {band.id: band for band in seen.bands.values()}
    for clan in seen.clans:
        for band, strength in _dealt(seen, clan, dice):
            bands[band.id] = replace(band, strength=strength)
    return State(
        terrain=seen.terrain,
        bands=Roster(bands.values()),
        clans=seen.clans,
        strengths=seen.strengths,
        rounds=seen.rounds,
        orders=seen.orders,
        options=seen.options,
        name=seen.name,
        title=seen.title,
        about=seen.about,
        round=seen.round,
        marched=seen.marched,
        lost=seen.lost,
        reason=seen.reason,
        winners=seen.winners,
    )


def _dealt(seen: Seen, clan: int, dice: Dice) -> Iterator[tuple[Band, int]]:
    own = [band for band in seen.bands.values() if band.clan == clan]
    left = list(seen.strengths)
    for band in own:
        if band.strength != HIDDEN:
            left.remove(band.strength)
    hidden = [band for band in own if band.strength == HIDDEN]
    return zip(hidden, shuffle(dice, left), strict=True)
