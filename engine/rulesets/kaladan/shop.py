"""The shop: goods with prices, then places, units or cards. See: KA-6.5, KA-9, KA-10.4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.core.record import Command
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import panels
from engine.rulesets.kaladan.asking import ask_tile
from engine.rulesets.kaladan.board import in_reserve, owned, standing
from engine.rulesets.kaladan.purchases import (
    for_sale,
    may_swap,
    purchase_places,
    special_places,
    upgradable,
    upgrade_price,
)
from engine.rulesets.kaladan.state import Unit, View
from engine.rulesets.kaladan.tables import UnitRow, first_seat, magic_cards, tables, unit_rows
from engine.rulesets.kaladan.words import card_name, kind_name, many, on, unit_name
from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, choose
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

_POOR = "not enough gold"
_FULL = "no room for it"

_SHOWN = {"reserve": "waits", "fallen": "fallen", "board": "in play"}
"""Places of Special Units in the list of goods, as words."""


def buy(view: View, _focus: Focus) -> Dialogue[Command]:
    """Ask for goods, then for place, unit or card if needed. See: KA-6.5, KA-9, KA-10.4."""
    seat = view.viewer
    title = f"The shop: you have {view.players[seat].gold} gold"
    good = yield from choose(title, _goods(view), lambda choice: choice, _notes(view))
    ask_place = partial(ask_tile, view, "On which tile?", action="Choose")
    match good.value.split("-"):
        case ["card"]:
            return do.BuyCard()
        case ["swap"]:
            return (yield from _swap(view))
        case ["upgrade"]:
            return (yield from _upgrade(view))
        case ["in", unit]:
            tile = yield from ask_place(special_places(view, seat))
            return do.BringIn(int(unit), on(view, tile))
        case _:
            tile = yield from ask_place(purchase_places(view, seat))
            return do.BuyUnit(good.value, on(view, tile))


def _notes(view: View) -> Iterator[Line]:
    """Yield the tiles where new units appear. See: KA-6.5."""
    places = purchase_places(view, view.viewer)
    where = " or ".join(f"{on(view, tile)} ({len(standing(view, tile))} there)" for tile in places)
    full = "Your Castles are full, and so is the tile of your Crown."
    text = f"New units come to {where}." if places else full
    yield Line(text, Tone.QUIET, rule="KA-6.5")


# -- goods -----------------------------------------------------------------------------------------


def _row(name: str, dice: str, left: str, price: str) -> str:
    """Format a row of the list: name, dice, stock, price."""
    return f"{name:<18}{dice:<14}{left:<8}{price:>6}".rstrip()


def _goods(view: View) -> Iterator[Choice]:
    """Yield all goods with prices, and a reason for those that cannot be bought. See: KA-6.5."""
    sold = {row.id for row in for_sale(view, view.viewer)}
    for row in unit_rows().values():
        if row.price:
            yield _unit(view, row, affordable=row.id in sold)
    specials = (unit for unit in owned(view, view.viewer) if unit.kind == "special")
    yield from (_special(view, unit) for unit in specials if unit.place in _SHOWN)
    yield _upgrades(view)
    if view.options.magic == "on":
        yield from _cards(view)


def _barred(*needs: tuple[object, str]) -> str:
    """Return the text of the first need that is not met; empty if all are."""
    return next((text for is_met, text in needs if not is_met), "")


def _unit(view: View, row: UnitRow, *, affordable: bool) -> Choice:
    """Return the choice of a unit from the reserve. See: KA-6.5."""
    seat = view.viewer
    left = sum(unit.kind == row.id and unit.place == "reserve" for unit in owned(view, seat))
    dice = f"{panels.pool_text(row.attack)} / {panels.pool_text(row.defence)}"
    label = _row(kind_name(row.id), dice, f"{left} left", f"{row.price} gold")
    some, room = in_reserve(view, seat, row.id), purchase_places(view, seat)
    return Choice(row.id, label, _barred((some, "none left"), (affordable, _POOR), (room, _FULL)))


def _special(view: View, unit: Unit) -> Choice:
    """Return the choice of a Special Unit that comes in or back, or is in play. See: KA-9."""
    price = tables().prices.special
    dice = panels.special_dice(view.players[first_seat(unit.id)].realm)
    state = _SHOWN[unit.place]
    label = _row(unit_name(view, unit), dice, state, f"{price} gold")
    reason = _barred(
        (unit.place != "board", "in play already"),
        (view.players[view.viewer].gold >= price, _POOR),
        (special_places(view, view.viewer), _FULL),
    )
    return Choice(f"in-{unit.id}", label, reason)


def _upgrades(view: View) -> Choice:
    """Return the choice to upgrade a unit on the board. See: KA-2.2."""
    found = upgradable(view, view.viewer)
    prices = sorted({upgrade_price(unit) for unit in found})
    price = f"{' or '.join(map(str, prices))} gold" if prices else ""
    label = _row("Upgrade a unit", "larger dice", many(len(found), "unit"), price)
    cheap = bool(prices) and prices[0] <= view.players[view.viewer].gold
    return Choice("upgrade", label, _barred((found, "no plain unit"), (cheap, _POOR)))


def _cards(view: View) -> Iterator[Choice]:
    """Yield the choices of unseen Magic cards. See: KA-10.4."""
    player, prices = view.players[view.viewer], tables().prices
    left = f"{len(player.deck)} left"
    reason = _barred((player.deck, "none left"), (player.gold >= prices.buy_card, _POOR))
    yield Choice("card", _row("A Magic card", "unseen", left, f"{prices.buy_card} gold"), reason)
    swappable = may_swap(view, view.viewer)
    reason = _barred((swappable, "nothing to swap"), (player.gold >= prices.swap_card, _POOR))
    label = _row("Swap a Magic card", "unseen", left, f"{prices.swap_card} gold")
    yield Choice("swap", label, reason)


# -- further questions -----------------------------------------------------------------------------


def _swap(view: View) -> Dialogue[Command]:
    card = yield from choose(
        "Which card do you give?",
        view.players[view.viewer].hand,
        lambda card: Choice(card, f"{card_name(card)}: {magic_cards()[card].text}"),
    )
    return do.SwapCard(card)


def _upgrade(view: View) -> Dialogue[Command]:
    gold = view.players[view.viewer].gold

    def choice(unit: Unit) -> Choice:
        price = upgrade_price(unit)
        label = f"{on(view, unit.tile)}  {_improved(unit.kind):<36}{price} gold"
        return Choice(str(unit.id), label, "" if price <= gold else _POOR)

    found = upgradable(view, view.viewer)
    unit = yield from choose("Which unit do you upgrade?", found, choice)
    return do.UpgradeUnit(unit.id)


def _improved(kind: str) -> str:
    """Describe the dice of a type before and after its upgrade. See: KA-2.2."""
    row = unit_rows()[kind]
    plain = f"{panels.pool_text(row.attack)}/{panels.pool_text(row.defence)}"
    better = f"{panels.pool_text(row.upgraded_attack)}/{panels.pool_text(row.upgraded_defence)}"
    return f"{kind_name(kind)} {plain} to {better}"
