"""Apply events to a state: record what happened, without any rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.state import (
    NOBODY,
    NOWHERE,
    Battle,
    BattleSide,
    EventInProgress,
    Options,
    Progress,
    State,
)

EMPTY: Final = State(layout=0, tiles=Roster(), players=Roster(), units=Roster(), options=Options())
"""State before the first event."""


def evolve(state: State, event: ev.AnyEvent) -> State:
    """Return the state after the event."""
    match event:
        case ev.GameSet():
            return _set_up(event)
        case ev.TurnOrderRolled():
            return replace(state, first=event.first, active=event.first, order_rolls=event.rolls)
        case ev.WorldBagShuffled():
            return replace(state, bag=event.bag)
        case ev.TileDrawn():
            return replace(state, drawn=event.terrain, bag=state.bag[1:], active=event.seat)
        case ev.TilePlaced():
            bag = state.bag[1:] if event.dealt else state.bag
            tile = replace(state.tiles[event.tile], terrain=event.terrain)
            return replace(state, tiles=state.tiles.put(tile), bag=bag, drawn="")
        case ev.RealmChosen():
            taken = _player(state, event.seat, realm=event.realm)
            return replace(taken, units=taken.units.put(*event.units))
        case ev.MagicDeckShuffled():
            return _player(state, event.seat, deck=event.deck)
        case ev.MagicDrawn():
            return _draw(state, event.seat, event.card)
        case ev.CastlePlaced():
            tile = replace(state.tiles[event.tile], castle=event.seat)
            return replace(state, tiles=state.tiles.put(tile))
        case ev.UnitsDeployed():
            return _stand(state, event.units, event.tile)
        case ev.GoldSet():
            return _player(state, event.seat, gold=event.gold)
        case ev.EventDeckShuffled():
            return replace(state, event_deck=event.deck, event_discard=())
        case (
            ev.TurnBegan()
            | ev.PhaseBegan()
            | ev.EventDrawn()
            | ev.EventApplied()
            | ev.EventResolved()
            | ev.IncomeReceived()
            | ev.UnitSpawned()
            | ev.UnitsMoved()
            | ev.UnitBought()
            | ev.UnitUpgraded()
            | ev.SpecialBroughtIn()
            | ev.CardSwapped()
            | ev.CardBought()
            | ev.UnitsMarched()
            | ev.TurnEnded()
            | ev.RoundEnded()
        ):
            return _turn(state, event)
        case ev.SeatEliminated():
            return _eliminate(state, event)
        case ev.GameEnded():
            return replace(state, reason=event.reason, winners=event.winners)
        case _:
            return _battle(state, event)


def _set_up(event: ev.GameSet) -> State:
    war = event.scenario
    now = war.now or Progress()
    return State(
        layout=event.layout,
        tiles=Roster(event.tiles),
        players=Roster(event.players),
        units=Roster(event.units),
        options=event.options,
        name=war.name,
        title=war.title,
        about=war.about,
        **{name: getattr(now, name) for name in Progress.__struct_fields__},
    )


def _player(state: State, seat: int, **changes: Any) -> State:
    player = replace(state.players[seat], **changes)
    return replace(state, players=state.players.put(player))


def _draw(state: State, seat: int, card: str, **changes: Any) -> State:
    """Move the top card of a seat's deck to its hand."""
    player = state.players[seat]
    return _player(state, seat, hand=(*player.hand, card), deck=player.deck[1:], **changes)


def _units(state: State, units: Iterable[int], **changes: Any) -> State:
    changed = [replace(state.units[unit], **changes) for unit in units]
    return replace(state, units=state.units.put(*changed)) if changed else state


def _stand(state: State, units: Iterable[int], tile: int, **changes: Any) -> State:
    return _units(state, units, place="board", tile=tile, **changes)


# -- turns -----------------------------------------------------------------------------------------


def _turn(state: State, event: ev.AnyEvent) -> State:
    match event:
        case ev.TurnBegan():
            begun = replace(state, active=event.seat, round=event.round)
            return replace(begun, battle_used=False, spawned=())
        case ev.PhaseBegan():
            return replace(state, phase=event.phase, active=event.seat)
        case ev.EventDrawn():
            drawn = EventInProgress(event.card, event.asked)
            return replace(state, event=drawn, event_deck=state.event_deck[1:])
        case ev.EventApplied():
            return _event_applied(state, event)
        case ev.EventResolved():
            return replace(state, event=None, event_discard=(*state.event_discard, event.card))
        case ev.IncomeReceived():
            return _player(state, event.seat, gold=event.gold)
        case ev.UnitSpawned():
            used = replace(state, spawned=(*state.spawned, event.tile))
            return _stand(used, (event.unit,), event.tile)
        case ev.UnitsMoved():
            return _stand(state, event.units, event.target, done=True)
        case ev.UnitBought() | ev.SpecialBroughtIn():
            return _stand(_player(state, event.seat, gold=event.gold), (event.unit,), event.tile)
        case ev.UnitUpgraded():
            paid = _player(state, event.seat, gold=event.gold)
            return _units(paid, (event.unit,), upgraded=True)
        case ev.CardSwapped():
            hand = list(state.players[event.seat].hand)
            hand[hand.index(event.given)] = event.taken
            return _player(state, event.seat, hand=tuple(hand), deck=event.deck, gold=event.gold)
        case ev.CardBought():
            return _draw(state, event.seat, event.card, gold=event.gold)
        case ev.UnitsMarched():
            return _stand(state, event.units, event.target)
        case ev.TurnEnded():
            tired = [unit.id for unit in state.units.values() if unit.done]
            return _units(state, tired, done=False)
        case _:
            return state


def _event_applied(state: State, event: ev.EventApplied) -> State:
    now = _player(state, event.seat, gold=event.gold)
    if event.unit is not None:
        now = replace(now, units=now.units.put(event.unit))
    if event.asked and now.event is not None:
        asked = tuple(seat for seat in now.event.asked if seat != event.seat)
        now = replace(now, event=replace(now.event, asked=asked))
    return now


def _eliminate(state: State, event: ev.SeatEliminated) -> State:
    """Remove the seat's units from the game; give transferred Special Units to the victor.

    Dead units stay dead.
    """
    own = [
        unit
        for unit in state.units.values()
        if unit.owner == event.seat and unit.place not in ("dead", "out")
    ]
    gone = [unit.id for unit in own if unit.id not in event.specials]
    now = _units(state, gone, place="out", tile=NOWHERE, done=False)
    count = max((unit.gained for unit in state.units.values()), default=0)
    for number, unit in enumerate(event.specials, count + 1):
        now = _units(
            now, (unit,), owner=event.by, place="fallen", tile=NOWHERE, done=True, gained=number
        )
    now = _player(now, event.seat, alive=False, gold=0, hand=(), deck=())
    if now.event is not None:
        asked = tuple(seat for seat in now.event.asked if seat != event.seat)
        now = replace(now, event=replace(now.event, asked=asked))
    if now.battle is not None and event.specials:
        now = replace(now, battle=replace(now.battle, arrivals=event.specials))
    return now


# -- battles ---------------------------------------------------------------------------------------


def _battle(state: State, event: ev.AnyEvent) -> State:
    if isinstance(event, ev.BattleDeclared):
        sides = (
            BattleSide(event.attacker, event.source),
            BattleSide(event.defender, event.target),
        )
        return replace(state, battle=Battle(sides), battle_used=True)
    battle = state.battle
    if battle is None:
        raise ValueError("there is no battle")
    match event:
        case ev.BattleWaits():
            return replace(state, battle=replace(battle, step=event.step, asked=event.seat))
        case ev.MagicDeclared():
            return _declared(state, event)
        case ev.MagicRevealed():
            return _revealed(state, battle, event)
        case ev.MagicApplied():
            return _applied(state, event)
        case ev.DiceRolled():
            return replace(_counted(state, battle, event), battle=replace(battle, dice=event.dice))
        case ev.DiceRerolled():
            return replace(state, battle=replace(battle, dice=event.dice))
        case ev.PairsCompared():
            sides = (
                replace(battle.sides[0], pairs_lost=event.lost[0], losses=event.losses[0]),
                replace(battle.sides[1], pairs_lost=event.lost[1], losses=event.losses[1]),
            )
            return replace(state, battle=replace(battle, sides=sides, pairs=len(event.pairs)))
        case ev.CasualtiesChosen():
            gone = _side(_remove(state, event.units), event.seat, chosen=True, lost=event.units)
            return replace(gone, battle=replace(_of(gone), asked=NOBODY))
        case ev.AfterMagicPlayed():
            return _after_played(state, event)
        case ev.UnitsDied():
            dead = _units(state, event.dead, place="dead", tile=NOWHERE, done=False)
            return _units(dead, event.fallen, place="fallen", tile=NOWHERE, done=False)
        case ev.CrownFell():
            return _units(state, (event.unit,), place="dead", tile=NOWHERE)
        case ev.BattleJudged():
            judged = replace(battle, verdict=event.verdict, invaders=event.invaders)
            return replace(_fought(state, battle, event), battle=judged)
        case ev.Invaded():
            moved = _stand(state, event.units, event.target)
            return replace(moved, battle=replace(battle, asked=NOBODY, invaders=0))
        case ev.SpecialTransferred():
            return _transferred(state, battle, event)
        case ev.BattleEnded():
            back = replace(state, units=state.units.put(*event.returned), battle=None)
            return _units(back, event.done, done=True)
        case _:
            raise TypeError(f"{type(event).__name__} is no event of a battle")


def _counted(state: State, battle: Battle, event: ev.DiceRolled) -> State:
    """Add the dice to the statistics of both sides."""
    now = state
    for number, side in enumerate(battle.sides):
        own = [die for die in event.dice if die.side == number]
        player = now.players[side.seat]
        now = _player(
            now,
            side.seat,
            dice=player.dice + len(own),
            dice_sum=player.dice_sum + sum(die.value for die in own),
            dice_expected=player.dice_expected + sum(die.sides + 1 for die in own),
        )
    return now


def _fought(state: State, battle: Battle, event: ev.BattleJudged) -> State:
    """Add the battle to the statistics of both sides."""
    winner = {"attacker_wins": 0, "defender_wins": 1, "defender_holds": 1}.get(event.verdict)
    now = state
    for number, side in enumerate(battle.sides):
        player = now.players[side.seat]
        won = player.battles_won + (number == winner)
        now = _player(now, side.seat, battles=player.battles + 1, battles_won=won)
    return now


def _side(state: State, seat: int, **changes: Any) -> State:
    """Change a seat's side of the battle."""
    battle = state.battle
    assert battle is not None  # noqa: S101 - tells the type checker
    first, second = (
        replace(side, **changes) if side.seat == seat else side for side in battle.sides
    )
    return replace(state, battle=replace(battle, sides=(first, second)))


def _remove(state: State, units: Iterable[int]) -> State:
    """Remove units from the battle's tiles; the end of the battle makes that final."""
    return _units(state, units, place="removed", tile=NOWHERE)


def _spend(state: State, seat: int, card: str) -> State:
    player = state.players[seat]
    hand = list(player.hand)
    if card in hand:
        hand.remove(card)
    return _player(state, seat, hand=tuple(hand), spent=(*player.spent, card))


def _declared(state: State, event: ev.MagicDeclared) -> State:
    said = _side(state, event.seat, statement="in" if event.joins else "out", card=event.card)
    return replace(said, battle=replace(_of(said), asked=NOBODY))


def _of(state: State) -> Battle:
    assert state.battle is not None  # noqa: S101 - tells the type checker
    return state.battle


def _revealed(state: State, battle: Battle, event: ev.MagicRevealed) -> State:
    now = state
    for side, card in zip(battle.sides, event.cards, strict=True):
        if card:
            now = _side(_spend(now, side.seat, card), side.seat, card=card)
    return replace(now, battle=replace(_of(now), revealed=True))


def _applied(state: State, event: ev.MagicApplied) -> State:
    now = replace(state, units=state.units.put(*event.moved)) if event.moved else state
    now = _remove(now, event.removed)
    for seat, gold in event.gold:
        now = _player(now, seat, gold=gold)
    if event.after:
        return now
    now = _side(now, event.seat, applied=True, cancelled=event.cancelled)
    return replace(now, battle=replace(_of(now), asked=NOBODY))


def _after_played(state: State, event: ev.AfterMagicPlayed) -> State:
    said = _side(
        state,
        event.seat,
        after="in" if event.card else "out",
        after_card=event.card,
        after_units=event.units,
    )
    said = replace(said, battle=replace(_of(said), asked=NOBODY))
    return _spend(said, event.seat, event.card) if event.card else said


def _transferred(state: State, battle: Battle, event: ev.SpecialTransferred) -> State:
    left = tuple(unit for unit in battle.arrivals if unit != event.unit)
    now = replace(state, battle=replace(battle, arrivals=left))
    if not event.tile:
        return _units(now, (event.unit,), done=False)
    return _stand(now, (event.unit,), event.tile, done=True)
