"""Purchases: units, upgrades, Special Units and Magic cards. See: KA-6.5, KA-9, KA-10.4."""

from __future__ import annotations

from typing import assert_never

from engine.core.dice import shuffle
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import (
    Decision,
    castles,
    check_gold,
    check_phase,
    controlled,
    controller,
    crown,
    has_castle,
    in_reserve,
    neighbours,
    on_board,
    owned,
    room,
    tile_name,
    tile_number,
)
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import NOBODY, State, StateOrView, Unit
from engine.rulesets.kaladan.tables import UnitRow, tables, unit_rows

# -- goods -----------------------------------------------------------------------------------------


def for_sale(seen: StateOrView, seat: int) -> tuple[UnitRow, ...]:
    """Return the types of units in a seat's reserve that its gold can buy. See: KA-6.5."""
    gold = seen.players[seat].gold
    return tuple(
        row
        for row in unit_rows().values()
        if 0 < row.price <= gold and in_reserve(seen, seat, row.id) is not None
    )


def purchase_places(seen: StateOrView, seat: int) -> tuple[int, ...]:
    """Return the tiles for a bought unit: Castles with room, or the Crown's. Rules: KA-6.5."""
    return _castles_with_room(seen, seat) or _crown_tile_with_room(seen, seat)


def special_places(seen: StateOrView, seat: int) -> tuple[int, ...]:
    """Return the tiles where a Special Unit can come in: the first of these groups with any.

    Castle tiles with room, the Crown's tile with room, free tiles beside the seat's.
    Rules: KA-9.
    """
    return purchase_places(seen, seat) or _free_tiles_beside(seen, seat)


def _castles_with_room(seen: StateOrView, seat: int) -> tuple[int, ...]:
    return tuple(tile for tile in castles(seen, seat) if room(seen, tile) > 0)


def _crown_tile_with_room(seen: StateOrView, seat: int) -> tuple[int, ...]:
    own = crown(seen, seat)
    return (own.tile,) if own is not None and room(seen, own.tile) > 0 else ()


def _free_tiles_beside(seen: StateOrView, seat: int) -> tuple[int, ...]:
    beside = {other for tile in controlled(seen, seat) for other in neighbours(seen.layout, tile)}
    return tuple(sorted(tile for tile in beside if controller(seen, tile) == NOBODY))


def upgradable(seen: StateOrView, seat: int) -> tuple[Unit, ...]:
    """Return the units of a seat on the board that can be upgraded. See: KA-2.2."""
    return tuple(unit for unit in on_board(seen, seat) if is_upgradable(unit))


def is_upgradable(unit: Unit) -> bool:
    """Return whether a unit is plain and its type has upgraded dice. Rules: KA-2.2."""
    return not unit.upgraded and upgrade_price(unit) > 0


def upgrade_price(unit: Unit) -> int:
    """Return the price of a unit's upgrade; 0 if its type has none. See: KA-2.1."""
    row = unit_rows().get(unit.kind)
    return row.upgrade_price if row is not None else 0


def absent_specials(seen: StateOrView, seat: int) -> tuple[Unit, ...]:
    """Return the Special Units of a seat that are in the reserve or fallen.

    Rules: KA-12. See: KA-9.
    """
    return tuple(
        unit
        for unit in owned(seen, seat)
        if unit.kind == "special" and unit.place in ("reserve", "fallen")
    )


def may_swap(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat has a card to give and an unused one to take. See: KA-10.4."""
    player = seen.players[seat]
    return bool(player.hand and player.deck)


def may_buy(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat can buy anything. See: KA-6.5."""
    player, prices = seen.players[seat], tables().prices
    gold = player.gold
    return (
        bool(for_sale(seen, seat) and purchase_places(seen, seat))
        or any(upgrade_price(unit) <= gold for unit in upgradable(seen, seat))
        or (
            gold >= prices.special
            and bool(absent_specials(seen, seat) and special_places(seen, seat))
        )
        or (gold >= prices.swap_card and may_swap(seen, seat))
        or (gold >= prices.buy_card and bool(player.deck))
    )


# -- commands --------------------------------------------------------------------------------------


def buy(
    decision: Decision,
    seat: int,
    command: do.BuyUnit | do.UpgradeUnit | do.BringIn | do.SwapCard | do.BuyCard,
) -> None:
    """Buy what the command names. Rules: KA-6.5.

    Raises:
        Refused: it is another phase, the gold is too little, or the item is not available.
    """
    text = "Things are bought only in the Purchase Phase."
    check_phase(decision.state, "purchase", text, "KA-6.5")
    match command:
        case do.BuyUnit():
            _buy_unit(decision, seat, command)
        case do.UpgradeUnit():
            _upgrade(decision, seat, command)
        case do.BringIn():
            _bring_in(decision, seat, command)
        case do.SwapCard():
            _buy_swap(decision, seat, command)
        case do.BuyCard():
            _buy_card(decision, seat)
        case _:
            assert_never(command)


def _buy_unit(decision: Decision, seat: int, command: do.BuyUnit) -> None:
    """Buy a Basic or Advanced unit from the reserve. Rules: KA-6.5."""
    state = decision.state
    row = unit_rows().get(command.unit)
    if row is None or not row.price:
        sold = ", ".join(row.id for row in unit_rows().values() if row.price)
        text = f"{command.unit[:20]!r} is not for sale; to be had are {sold}."
        raise Refused(Refusal.NOT_IN_RESERVE, text, "KA-6.5")
    unit = in_reserve(state, seat, row.id)
    if unit is None:
        text = f"Your reserve has no {row.id.capitalize()} left."
        raise Refused(Refusal.NOT_IN_RESERVE, text, "KA-2.1")
    check_gold(state, seat, row.price, "KA-6.5")
    tile = tile_number(state.layout, command.tile)
    places = purchase_places(state, seat)
    _check_place(state, seat, tile, places, "KA-6.5")
    gold = state.players[seat].gold - row.price
    decision.emit(ev.UnitBought(seat, unit.id, tile, gold))


def _upgrade(decision: Decision, seat: int, command: do.UpgradeUnit) -> None:
    """Upgrade a unit on the board. Rules: KA-2.2. See: KA-6.5."""
    unit = check_upgradable(decision.state, seat, command.unit)
    price = upgrade_price(unit)
    check_gold(decision.state, seat, price, "KA-6.5")
    gold = decision.state.players[seat].gold - price
    decision.emit(ev.UnitUpgraded(seat, unit.id, gold))


def check_upgradable(state: State, seat: int, number: int) -> Unit:
    """Return the upgradable unit of a seat on the board with this id. See: KA-2.2.

    Raises:
        Refused: the seat has no such unit on the board, or it cannot be upgraded.
    """
    unit = state.units.get(number)
    if unit is None or unit.owner != seat or unit.place != "board":
        raise Refused(Refusal.NO_UNIT, "Name a unit of yours on the board.", "KA-2.2")
    if not is_upgradable(unit):
        why = "has been upgraded" if unit.upgraded else "cannot be upgraded"
        text = f"That {unit.kind.capitalize()} {why}."
        raise Refused(Refusal.NOT_UPGRADABLE, text, "KA-2.2")
    return unit


def _bring_in(decision: Decision, seat: int, command: do.BringIn) -> None:
    """Bring in a Special Unit. Rules: KA-9."""
    state, price = decision.state, tables().prices.special
    if command.unit not in {unit.id for unit in absent_specials(state, seat)}:
        text = "Name a Special Unit of yours that is in the reserve or fallen."
        raise Refused(Refusal.NOT_IN_RESERVE, text, "KA-9")
    check_gold(state, seat, price, "KA-9")
    tile = tile_number(state.layout, command.tile)
    _check_place(state, seat, tile, special_places(state, seat), "KA-9")
    gold = state.players[seat].gold - price
    decision.emit(ev.SpecialBroughtIn(seat, command.unit, tile, gold))


def _check_place(state: State, seat: int, tile: int, places: tuple[int, ...], rule: str) -> None:
    if tile in places:
        return
    name = tile_name(state.layout, tile)
    if not places:
        raise Refused(Refusal.NO_ROOM, "There is no room for it anywhere.", rule)
    fit = ", ".join(tile_name(state.layout, other) for other in places)
    if has_castle(state, tile) and controller(state, tile) == seat:
        raise Refused(Refusal.NO_ROOM, f"{name} is full; it may come to {fit}.", rule)
    raise Refused(Refusal.BAD_PLACE, f"It cannot come to {name}; it may come to {fit}.", rule)


def _buy_swap(decision: Decision, seat: int, command: do.SwapCard) -> None:
    """Swap a Magic card and pay for it. Rules: KA-10.4."""
    price = tables().prices.swap_card
    check_swap(decision.state, seat, command.card)
    check_gold(decision.state, seat, price, "KA-10.4")
    swap(decision, seat, command.card, decision.state.players[seat].gold - price)


def check_swap(state: State, seat: int, card: str) -> None:
    """Check that a seat holds a card and has an unused one to take. See: KA-10.4.

    Raises:
        Refused: the seat does not hold the card, or its deck is empty.
    """
    player = state.players[seat]
    if card not in player.hand:
        raise Refused(Refusal.NO_CARD, "Name a card of your hand.", "KA-10.4")
    _check_deck(state, seat)


def _check_deck(state: State, seat: int) -> None:
    if not state.players[seat].deck:
        text = "Your Magic deck has no unused card left."
        raise Refused(Refusal.DECK_EMPTY, text, "KA-10.4")


def swap(decision: Decision, seat: int, given: str, gold: int) -> None:
    """Take the top card of the unused deck, and shuffle the given one into the rest.

    The taken card leaves the deck first, so the given one cannot come back at once. Rules: KA-10.4.
    """
    taken, *rest = decision.state.players[seat].deck
    deck = shuffle(decision.dice, (*rest, given))
    decision.emit(ev.CardSwapped(seat, given, taken, deck, gold))


def _buy_card(decision: Decision, seat: int) -> None:
    """Buy the top card of the unused deck. Rules: KA-10.4."""
    state, price = decision.state, tables().prices.buy_card
    _check_deck(state, seat)
    check_gold(state, seat, price, "KA-10.4")
    player = state.players[seat]
    decision.emit(ev.CardBought(seat, player.deck[0], player.gold - price))
