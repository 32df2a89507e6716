"""Aids for the contract suite: secrets and short games."""

from __future__ import annotations

from typing import Any, Final

from engine.core.ids import Seat
from engine.core.record import replace
from engine.rulesets.kaladan import events as ev
from tests.contract.aids import Aids, Chance, Ending


def _cards_otherwise(state: Any, seat: Seat, chance: Chance) -> Any:
    """Hand and deck of a seat are dealt again."""
    player = chance.choice([*state.players.values()])
    cards = [*player.hand, *player.deck]
    if player.id != seat:
        chance.shuffle(cards)
    else:
        unused = [*player.deck]
        chance.shuffle(unused)
        cards = [*player.hand, *unused]
    hand, deck = tuple(cards[: len(player.hand)]), tuple(cards[len(player.hand) :])
    changed = replace(player, hand=hand, deck=deck)
    battle = state.battle
    if battle is not None and not battle.revealed:
        sides: Any = tuple(
            replace(side, card=chance.choice(hand))
            if side.seat == player.id and side.card
            else side
            for side in battle.sides
        )
        battle = replace(battle, sides=sides)
    return replace(state, players=state.players.put(changed), battle=battle)


def _decks_otherwise(state: Any, _seat: Seat, chance: Chance) -> Any:
    """The orders of the event deck and of the terrain bag."""
    deck, bag = list(state.event_deck), list(state.bag)
    chance.shuffle(deck)
    chance.shuffle(bag)
    return replace(state, event_deck=tuple(deck), bag=tuple(bag))


def _battles(event: Any) -> int:
    return int(isinstance(event, ev.BattleDeclared))


AIDS: Final = Aids(
    battles=_battles,
    changes=(_cards_otherwise, _decks_otherwise),
    seeds={"hard": 8},
    endings=(Ending(0), Ending(1, limited=True), Ending(1, resigns=9)),
    limits={"round_limit": 2},
    rounds=(("", {"round_limit": 9}, "round 1 of 9"),),
)
