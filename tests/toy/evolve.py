"""From a state and an event to the next state; contains no rules."""

from __future__ import annotations

from typing import assert_never

from engine.core.containers import Roster
from engine.core.record import replace
from tests.toy import events as ev
from tests.toy.state import Band, Clan, Lost, Now, State


def evolve(state: State, event: ev.AnyEvent) -> State:
    """Return the state after an event."""
    match event:
        case ev.GameSet():
            return _set_up(event)
        case ev.OrderGiven():
            return replace(state, orders=state.orders.put(event.order))
        case ev.OrdersDropped():
            return replace(state, orders=state.orders.drop(*event.bands))
        case ev.RanksSet():
            return _clan(state, replace(state.clans[event.clan], ranks=event.ranks))
        case ev.CryRaised():
            return _clan(state, replace(state.clans[event.clan], cried=True))
        case ev.StakeLaid():
            return _clan(state, replace(state.clans[event.clan], stake=event.stake))
        case ev.OrdersSealed():
            return _clan(state, replace(state.clans[event.clan], sealed=True))
        case ev.MarchBegan():
            return _march(state, event)
        case ev.BandMarched():
            return _band(state, replace(state.bands[event.band], x=event.x, y=event.y))
        case ev.BandsShown():
            shown = [replace(state.bands[band], known=True) for band in event.bands]
            return _band(state, *shown)
        case ev.FightWon():
            return state
        case ev.BandFell():
            return _fall(state, event)
        case ev.RetreatDue():
            return replace(state, lost=(*state.lost, Lost(event.clan, event.x, event.y)))
        case ev.BandsRetreated():
            gone = [replace(state.bands[band], x=event.x, y=event.y) for band in event.bands]
            return replace(_band(state, *gone), lost=state.lost[1:])
        case ev.LanternLit():
            return _clan(state, replace(state.clans[event.clan], lanterns=event.lanterns))
        case ev.ClanLeft():
            left = tuple(lost for lost in state.lost if lost.clan != event.clan)
            clan = replace(state.clans[event.clan], playing=False)
            return replace(_clan(state, clan), lost=left)
        case ev.RoundBegan():
            return _begin_round(state, event)
        case ev.GameEnded():
            return replace(state, reason=event.reason, winners=event.winners)
        case _:
            assert_never(event)


def _set_up(event: ev.GameSet) -> State:
    field = event.scenario
    now = field.now or Now(clans=tuple(Clan(number) for number in range(field.clans)))
    return State(
        terrain=event.terrain,
        bands=Roster(event.bands),
        clans=Roster(now.clans),
        strengths=field.strengths,
        rounds=event.rounds,
        orders=Roster(now.orders),
        options=event.options,
        name=field.name,
        title=field.title,
        about=field.about,
        round=now.round,
        marched=now.marched,
        lost=now.lost,
        reason=now.reason,
        winners=now.winners,
    )


def _clan(state: State, clan: Clan) -> State:
    return replace(state, clans=state.clans.put(clan))


def _band(state: State, *bands: Band) -> State:
    return replace(state, bands=state.bands.put(*bands))


def _march(state: State, event: ev.MarchBegan) -> State:
    clans = [
        replace(clan, stake=stake, lanterns=lanterns)
        for clan, stake, lanterns in zip(
            state.clans.rows(), event.stakes, event.lanterns, strict=True
        )
    ]
    return replace(state, marched=True, orders=Roster(), clans=state.clans.put(*clans))


def _fall(state: State, event: ev.BandFell) -> State:
    fallen = _band(state, replace(state.bands[event.band], alive=False))
    if event.band not in state.orders:
        return fallen
    return replace(fallen, orders=state.orders.drop(event.band))


def _begin_round(state: State, event: ev.RoundBegan) -> State:
    clans = [replace(clan, sealed=False, cried=False, stake=0) for clan in state.clans.rows()]
    return replace(state, round=event.round, marched=False, clans=state.clans.put(*clans))
