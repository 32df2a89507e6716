"""Evolution: compute the next state from a state and an event, without any rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import UNITS, InventoryItem, Unit
from engine.rulesets.gd6.state import (
    NOBODY,
    Deed,
    Loss,
    Player,
    Snapshot,
    Squad,
    State,
    Territory,
    header,
)


def evolve(state: State, event: ev.AnyEvent) -> State:
    """Return the state after the event."""
    match event:
        case ev.GameStarted():
            return _start(event)
        case ev.OrderAdded():
            orders = (*state.players[event.seat].orders, event.order)
            return _player(state, replace(state.players[event.seat], orders=orders))
        case ev.ListWritten():
            return _player(state, replace(state.players[event.seat], orders=event.orders))
        case ev.ListSealed():
            return _player(state, replace(state.players[event.seat], sealed=True))
        case ev.ListUnsealed():
            return _player(state, replace(state.players[event.seat], sealed=False))
        case ev.Conceded():
            return _player(state, replace(state.players[event.seat], conceding=True))
        case ev.TurnClosed():
            return _close(state, event)
        case ev.PhaseBegan():
            return replace(state, phase=event.phase)
        case ev.WastelandLoss():
            return _left(state, event.at, event.unit, event.left)
        case ev.HqBuilt():
            return _settle(state, event)
        case ev.HqRoundFailed():
            return _choose_again(state, event)
        case ev.Promoted():
            return _promote(state, event)
        case ev.Claimed():
            here = state.territories[event.at]
            return _land(state, replace(here, owner=event.seat, loyalty=0))
        case ev.Neutralised():
            return _neutralise(state, event)
        case ev.Spawned():
            here = replace(state.territories[event.at], army=event.armies)
            return _did(_land(state, here), Deed(event.seat, "spawn", event.at, count=event.count))
        case ev.MinesExploded():
            return _explode(state, event)
        case ev.ConstructBuilt():
            here = replace(state.territories[event.at], construct=event.construct)
            deed = Deed(event.seat, "build", event.at, what=event.construct)
            return _did(_land(state, here), deed)
        case ev.MinesLaid():
            return _lay(state, event)
        case ev.IpPaid():
            return _player(state, replace(state.players[event.seat], ip=event.left))
        case ev.ItemSpent():
            return _stock(state, event.seat, event.item, event.left)
        case ev.ItemBought():
            return _stock(state, event.seat, event.item, event.stock)
        case ev.CropUsed():
            grown = [replace(state.territories[at], army=now) for at, _, now in event.lots]
            deeds = [Deed(event.seat, "crop", at, count=count) for at, count, _ in event.lots]
            return _did(_land(state, *grown), *deeds)
        case ev.DynamiteUsed():
            return _blast(state, event)
        case ev.ToxicUsed():
            here = replace(state.territories[event.target], wasteland=True)
            deed = Deed(event.seat, "toxic", event.source, event.target)
            return _did(_land(state, here), deed)
        case ev.SquadsBound():
            return replace(state, squads=Roster(event.squads))
        case ev.StepStarted():
            return replace(state, step=event.step)
        case ev.LiftedOff():
            return _lift(state, event)
        case ev.Arrived():
            return _arrive(state, event)
        case ev.Skirmish() | ev.SpiesCaught() | ev.PenaltyPaid():
            return _lose(state, event.losses)
        case ev.WatchtowerHeld():
            here = state.territories[event.at]
            construct = None if event.destroyed else here.construct
            return _land(_lose(state, event.losses), replace(here, construct=construct))
        case ev.Defended():
            return _defend(_lose(state, (*event.losses, *event.passing)), event)
        case ev.MovementEnded():
            return replace(state, step=0, squads=Roster())
        case ev.BivouacYielded():
            return _left(state, event.at, "army", event.armies)
        case ev.LoyaltyGrown():
            grown = [replace(state.territories[at], loyalty=now) for at, now in event.grown]
            return _land(state, *grown)
        case ev.IncomeEarned():
            return _player(state, replace(state.players[event.seat], ip=event.ip))
        case ev.Disbanded():
            here = state.territories[event.at]
            return _land(state, replace(here, army=0, cavalry=0, heavy=0, spy=0))
        case ev.Eliminated():
            player = state.players[event.seat]
            out = replace(player, status="eliminated", conceding=False, sealed=False)
            return _player(state, out)
        case ev.TurnOpened():
            return _open(state, event)
        case ev.GameOver():
            return replace(state, reason=event.reason, winners=event.winners, choosing=())
        case ev.OrderRefused() | ev.OrderReduced():
            return state
        case ev.LoopFound() | ev.InvasionBegan() | ev.InvasionRepelled():
            return state
        case _:
            assert_never(event)


def _start(event: ev.GameStarted) -> State:
    return State(
        world=event.world,
        territories=Roster(event.territories),
        players=Roster(event.players),
        options=event.options,
        **header(event.scenario),
    )


def _player(state: State, *players: Player) -> State:
    return replace(state, players=state.players.put(*players))


def _land(state: State, *territories: Territory) -> State:
    return replace(state, territories=state.territories.put(*territories))


def _did(state: State, *deeds: Deed) -> State:
    return replace(state, deeds=(*state.deeds, *deeds))


def _with(here: Territory, unit: Unit, count: int) -> Territory:
    return replace(here, **{unit: count})


def _with_more(here: Territory, units: Sequence[int]) -> Territory:
    """Add units to a territory, counted in the order of UNITS; negative numbers remove units."""
    changed = zip(UNITS, units, strict=True)
    return replace(here, **{unit: getattr(here, unit) + more for unit, more in changed if more})


def _left(state: State, at: int, unit: Unit, count: int) -> State:
    return _land(state, _with(state.territories[at], unit, count))


def _close(state: State, event: ev.TurnClosed) -> State:
    idle = [replace(state.players[seat], orders=(), sealed=True) for seat in event.idle]
    deeds = state.deeds if state.failed_rounds else ()
    return _player(replace(state, deeds=deeds), *idle)


def _settle(state: State, event: ev.HqBuilt) -> State:
    here = replace(state.territories[event.at], owner=event.seat, loyalty=0, hq=event.seat)
    player = replace(state.players[event.seat], hq_built=True, status="active")
    return _did(_player(_land(state, here), player), Deed(event.seat, "hq", event.at))


def _choose_again(state: State, event: ev.HqRoundFailed) -> State:
    again = [replace(state.players[seat], sealed=False) for seat in event.failed]
    changed = replace(state, failed_rounds=event.rounds, choosing=event.failed)
    wanted = ((seat, at) for seat, at in event.orders if seat in event.failed)
    wishes = [Deed(seat, "hq", at, what="failed") for seat, at in wanted]
    return _did(_player(changed, *again), *wishes)


def _promote(state: State, event: ev.Promoted) -> State:
    here = state.territories[event.at]
    here = replace(here, army=here.army - event.count)
    here = _with(here, event.unit, getattr(here, event.unit) + event.count)
    deed = Deed(event.seat, "promote", event.at, what=event.unit, count=event.count)
    return _did(_land(state, here), deed)


def _neutralise(state: State, event: ev.Neutralised) -> State:
    here = state.territories[event.at]
    construct = None if event.lost is not None else here.construct
    return _land(state, replace(here, owner=NOBODY, loyalty=0, construct=construct))


def _explode(state: State, event: ev.MinesExploded) -> State:
    here = replace(state.territories[event.at], mines=event.left, laid=())
    deed = Deed(event.seat, "mines", event.at, count=event.exploded)
    return _did(_lose(_land(state, here), event.losses), deed)


def _lay(state: State, event: ev.MinesLaid) -> State:
    here = state.territories[event.at]
    laid = dict(here.laid)
    laid[event.seat] = laid.get(event.seat, 0) + event.count
    mines = here.mines + event.count
    return _land(state, replace(here, mines=mines, laid=tuple(sorted(laid.items()))))


def _stock(state: State, seat: int, item: InventoryItem, count: int) -> State:
    return _player(state, replace(state.players[seat], **{item: count}))


def _blast(state: State, event: ev.DynamiteUsed) -> State:
    here = state.territories[event.target]
    if event.unit is not None:
        here = _with(here, event.unit, event.left)
    if event.construct is not None:
        here = replace(here, construct=None)
    return _did(_land(state, here), Deed(event.seat, "dynamite", event.source, event.target))


def _lift(state: State, event: ev.LiftedOff) -> State:
    changed: dict[int, Territory] = {}
    flying, deeds = list[Squad](), list[Deed]()
    for hop in event.hops:
        here = changed.get(hop.source, state.territories[hop.source])
        changed[hop.source] = _with(here, hop.unit, getattr(here, hop.unit) - hop.count)
        flying.append(replace(state.squads[hop.squad], flying=True))
        deeds.append(Deed(hop.seat, "move", hop.source, hop.target, hop.unit, hop.count))
    lifted = replace(state, squads=state.squads.put(*flying))
    return _did(_land(lifted, *changed.values()), *deeds)


def _arrive(state: State, event: ev.Arrived) -> State:
    here = _with_more(state.territories[event.at], event.units)
    squads = (state.squads[squad] for squad in event.squads)
    landed = [replace(squad, hop=squad.hop + 1, flying=False) for squad in squads]
    done = [squad.id for squad in landed if squad.hop == len(squad.path) - 1]
    return replace(_land(state, here), squads=state.squads.put(*landed).drop(*done))


def _lose(state: State, losses: Iterable[Loss]) -> State:
    """Subtract losses from squads, and drop squads without units."""
    known = [loss for loss in losses if loss.squad in state.squads]
    if not known:
        return state
    left = [replace(state.squads[loss.squad], count=loss.left) for loss in known if loss.left]
    gone = [loss.squad for loss in known if not loss.left]
    return replace(state, squads=state.squads.put(*left).drop(*gone))


def _defend(state: State, event: ev.Defended) -> State:
    here = state.territories[event.at]
    return _land(state, _with_more(here, [-fallen for fallen in event.garrison]))


def _open(state: State, event: ev.TurnOpened) -> State:
    players = []
    for seat, *owned in event.owned:
        player = state.players[seat]
        last = player.orders
        rested = replace(player, sealed=False, orders=(), forced=(), last=last)
        players.append(replace(rested, opened=Snapshot(*owned)))
    fresh = replace(state, turn=event.turn, phase="natural", failed_rounds=0, choosing=())
    return _player(fresh, *players)
