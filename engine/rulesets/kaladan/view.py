"""Views and redaction: what one viewer may know of states and events. See: KA-15."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.core.containers import Roster
from engine.core.dice import Dice, shuffle
from engine.core.ids import REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.magic import can_join
from engine.rulesets.kaladan.state import (
    HIDDEN,
    Battle,
    Now,
    Player,
    State,
    StateOrView,
    View,
    War,
    header,
)
from engine.rulesets.kaladan.tables import event_cards, magic_cards, realm_deck, terrains


def view(state: State, viewer: Viewer) -> View:
    """Return the view of a viewer; at the end of the game nothing is hidden. Rules: KA-15, KA-4."""
    hides = not state.reason and viewer != REFEREE
    shown: dict[str, Any] = header(state)
    if hides:
        shown |= {
            "bag": _backs(state.bag),
            "event_deck": _backs(state.event_deck),
            "battle": _covered(state.battle, viewer),
        }
    return View(
        viewer=viewer,
        layout=state.layout,
        tiles=state.tiles,
        players=Roster(_seen(player, viewer) for player in state.players.values())
        if hides
        else state.players,
        units=state.units,
        options=state.options,
        **shown,
    )


def knows(viewer: Viewer, seat: int) -> bool:
    """Return whether the viewer knows the hand of a seat."""
    return viewer in (seat, REFEREE)


def _backs(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the cards face down."""
    return (HIDDEN,) * len(cards)


def _seen(player: Player, viewer: Viewer) -> Player:
    hand = player.hand if knows(viewer, player.id) else _backs(player.hand)
    return replace(player, hand=hand, deck=_backs(player.deck))


def _covered(battle: Battle | None, viewer: Viewer) -> Battle | None:
    """Hide the committed cards of others in a battle. See: KA-7.3."""
    if battle is None or battle.revealed:
        return battle
    first, second = (
        side if knows(viewer, side.seat) or not side.card else replace(side, card=HIDDEN)
        for side in battle.sides
    )
    return replace(battle, sides=(first, second))


# -- events ----------------------------------------------------------------------------------------


def redact(  # noqa: PLR0911 - one case for each kind of secret
    event: ev.AnyEvent, _before: State, after: State, viewer: Viewer
) -> ev.AnyEvent | None:
    """Return the part of an event that a viewer may know; no event is hidden completely.

    Rules: KA-15.
    """
    if viewer == REFEREE:
        return event
    match event:
        case ev.GameSet():
            seen = view(after, viewer)
            players = seen.players.rows()
            return replace(event, players=players, scenario=_veiled(event.scenario, seen))
        case ev.WorldBagShuffled():
            return replace(event, bag=_backs(event.bag))
        case ev.MagicDeckShuffled() | ev.EventDeckShuffled():
            return replace(event, deck=_backs(event.deck))
        case ev.MagicDrawn() | ev.CardBought():
            return event if viewer == event.seat else replace(event, card=HIDDEN)
        case ev.MagicDeclared() if event.card and viewer != event.seat:
            return replace(event, card=HIDDEN)
        case ev.CardSwapped():
            own = viewer == event.seat
            given, taken = (event.given, event.taken) if own else (HIDDEN, HIDDEN)
            return replace(event, given=given, taken=taken, deck=_backs(event.deck))
        case _:
            return event


def _veiled(war: War, seen: View) -> War:
    """Hide the secrets in the moment of a scenario."""
    if war.now is None:
        return war
    now: Now = replace(
        war.now,
        players=seen.players.rows(),
        bag=seen.bag,
        event_deck=seen.event_deck,
        battle=seen.battle,
    )
    return replace(war, now=now)


# -- guesses ---------------------------------------------------------------------------------------


def imagine(seen: View, dice: Dice) -> State:
    """Return a full state that fits a view; deal hidden cards at random. See: KA-15."""
    players, battle = [], seen.battle
    for player in seen.players.values():
        hand, deck, card = _dealt(seen, player, dice)
        players.append(replace(player, hand=hand, deck=deck))
        if card and battle is not None:
            first, second = (
                replace(side, card=card) if side.seat == player.id else side
                for side in battle.sides
            )
            battle = replace(battle, sides=(first, second))
    bag = _filled(seen.bag, left_in_bag(seen), dice)
    deck = _filled(seen.event_deck, left_in_event_deck(seen), dice)
    return State(
        layout=seen.layout,
        tiles=seen.tiles,
        players=Roster(players),
        units=seen.units,
        options=seen.options,
        **header(seen) | {"bag": bag, "event_deck": deck, "battle": battle},
    )


def _dealt(seen: View, player: Player, dice: Dice) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return hand, deck and committed card of a seat; the card is empty if none is hidden.

    A committed card stays in the hand until it is revealed, so it is a card of the hand with which
    the seat can join. See: KA-7.3.
    """
    known = [card for card in player.hand if card != HIDDEN]
    left = [card for card in realm_deck(player.realm) if card not in (*player.spent, *known)]
    order = list(shuffle(dice, left))
    sides = seen.battle.sides if seen.battle is not None else ()
    committed = ""
    battle = seen.battle
    hides = any(side.seat == player.id and side.card == HIDDEN for side in sides)
    if battle is not None and hides and order:
        cards = magic_cards()
        fit = (card for card in order if can_join(seen, battle, player.id, cards[card]))
        committed = next(fit, order[0])
        order.remove(committed)
        order.insert(0, committed)
    hand = tuple(order.pop(0) if card == HIDDEN and order else card for card in player.hand)
    deck = tuple(order.pop(0) if card == HIDDEN and order else card for card in player.deck)
    return hand, deck, committed


def left_in_bag(seen: StateOrView) -> tuple[str, ...]:
    """Return the terrain tiles still in the bag, in no particular order. See: KA-3.3."""
    left = [row.id for row in terrains().values() for _ in range(row.bag)]
    for terrain in (*(tile.terrain for tile in seen.tiles.values()), seen.drawn):
        if terrain in left:
            left.remove(terrain)
    return tuple(left)


def left_in_event_deck(seen: StateOrView) -> tuple[str, ...]:
    """Return the event cards still in the deck, in no particular order. See: KA-11."""
    left = [row.id for row in event_cards().values() for _ in range(row.copies)]
    open_cards = (*seen.event_discard, *([seen.event.card] if seen.event else ()))
    for card in open_cards:
        if card in left:
            left.remove(card)
    return tuple(left)


def _filled(shown: Sequence[str], left: Sequence[str], dice: Dice) -> tuple[str, ...]:
    """Replace the hidden cards of a deck by the remaining ones, in random order."""
    if HIDDEN not in shown:
        return tuple(shown)
    rest = iter(shuffle(dice, left))
    pick: Callable[[str], str] = lambda card: next(rest, HIDDEN) if card == HIDDEN else card  # noqa: E731
    return tuple(pick(card) for card in shown)
