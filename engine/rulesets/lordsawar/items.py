"""Items (section 11): the pool, standards, and items on the ground."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.core.record import replace
from engine.rulesets.lordsawar.land import LandCode
from engine.rulesets.lordsawar.levels import OwnDecision
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import (
    ArmysetItem,
    armyset,
    command_items,
    personal_strength,
)
from engine.strategic import sites as layer
from engine.strategic.commands import Drop, PlantFlag
from engine.strategic.item_records import laid, lost, lying, move_items
from engine.strategic.pieces import (
    NONE,
    Army,
    Item,
    ItemKind,
    ItemPowers,
)
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import (
    items_of,
    own_hero,
    site_at,
)

# -- the pool --------------------------------------------------------------------------------------

_WORN: Final = ("PLANT_TO_VECTOR",)
"""Powers that do not use a charge. See: LW-11."""

_PURSES: Final = {f"ADD{gold}GOLDPERCITY": gold for gold in (2, 3, 4, 5)}


def powers_of(row: ArmysetItem) -> ItemPowers:
    """Return the powers of an item of the table: worn ones, and its charges. Rules: LW-11.1."""
    worn: dict[ItemKind, int] = {
        "weapon": personal_strength(row.bonus),
        "command": command_items(row.bonus),
        "flight": row.bonus.count("FLYSTACK"),
        "speed": row.bonus.count("DOUBLEMOVESTACK"),
        "purse": sum(_PURSES.get(flag, 0) for flag in row.bonus),
    }
    return ItemPowers(
        worn=tuple((kind, value) for kind, value in worn.items() if value),
        acts=tuple(flag for flag in row.bonus if row.charges and flag not in _WORN),
        charges=row.charges,
        type=row.unit,
        amount=row.amount,
        percent=row.percent,
        place=row.site,
    )


@cache
def stock() -> tuple[Item, ...]:
    """Return the items of the default army set, all unused. See: LW-11, LW-14."""
    return tuple(
        Item(row.id, "item", row.id, row.name, powers=powers_of(row)) for row in armyset().items
    )


def powered(item: Item) -> Item:
    """Return a scenario's item with the powers of its kind, or its own if any. See: LW-11."""
    rows = stock()
    if item.powers or item.kind != "item" or not 0 <= item.value < len(rows):
        return item
    return replace(item, powers=rows[item.value].powers)


def standard_of(state: State, side: int) -> Item:
    """Return the unused standard of a side, or a new one. See: LW-10."""
    for item in state.items.values():
        if item.kind == "standard" and item.side == side and item.where == "unused":
            return item
    name = f"Standard of {state.sides[side].name}"
    return Item(max(state.items, default=NONE) + 1, "standard", 1, name, side=side)


# -- laying down and planting ----------------------------------------------------------------------


def drop(decision: OwnDecision, settings: RuleSettings, side: int, order: Drop) -> None:
    """Lay down an item; on water it is lost. Rules: LW-11.4.

    Raises:
        Refused: no such hero, or it does not carry that.
    """
    hero, item = thing(decision.state, side, order.army, order.item)
    wet = decision.state.terrain[hero.y, hero.x] in settings.heroes.items.afloat
    if wet:
        move_items(decision, (lost(item),), "lost")
    else:
        move_items(decision, (laid(item, hero.at),), "dropped")


def plant(decision: OwnDecision, settings: RuleSettings, side: int, order: PlantFlag) -> None:
    """Plant a hero's standard on its tile: cities can send armies there. Rules: LW-13.4.

    Raises:
        Refused: no such hero, it does not carry the standard, or the tile cannot hold it.
    """
    state = decision.state
    at = own_hero(state, side, order.army, "item").at
    marked = any((sign.x, sign.y) == at for sign in state.signs)
    if state.terrain[at[1], at[0]] == LandCode.CITY or site_at(state, at) is not None or marked:
        refuse(Refusal.NOT_ALLOWED, "Standards are not planted in cities or at sites.", "item")
    if any(item.where == "planted" for item in lying(state, at)):
        refuse(Refusal.NOT_ALLOWED, "Another standard is planted here.", "item")
    layer.plant_flag(decision, settings, side, order)


def thing(state: State, side: int, army: int, item: int) -> tuple[Army, Item]:
    """Return a hero of a side and an item that it carries.

    Raises:
        Refused: the side has no such hero, or the hero does not carry the item.
    """
    hero = own_hero(state, side, army, "item")
    found = [one for one in items_of(state, hero.id) if one.id == item]
    if not found:
        refuse(Refusal.NO_SUCH_ITEM, "That hero does not carry that.", "item")
    return hero, found[0]
