"""Dice pools of a battle, and how cards change them and the comparison.

All functions take a state or view and two tiles, so that forecasts, panels and the battle itself
use the same code. See: KA-7.5, KA-7.6.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.core.record import replace
from engine.kit.dice_pools import Comparison, compare
from engine.rulesets.kaladan.board import has_castle, standing
from engine.rulesets.kaladan.state import Battle, Die, StateOrView, Unit
from engine.rulesets.kaladan.tables import (
    MagicCard,
    MagicOp,
    RealmRow,
    first_seat,
    magic_cards,
    realms,
    terrains,
    unit_rows,
)

ATTACK: Final = 0
"""Index of the attacker's side."""

DEFENCE: Final = 1
"""Index of the defender's side."""

CardPair: TypeAlias = tuple[str, str]
"""Active cards of attacker and defender, by id; empty for none."""

NO_CARDS: Final[CardPair] = ("", "")

SourcedPool: TypeAlias = tuple[Die, ...]
"""Dice of one side with their sources; the values are 0 before the roll."""


def pools(
    seen: StateOrView, source: int, target: int, cards: CardPair = NO_CARDS
) -> tuple[SourcedPool, SourcedPool]:
    """Return the pools of an attack from ``source`` on ``target``, with the active cards.

    Dice of units come first, in id order, then those of terrain, Castle and card. A side without
    units has no dice. Rules: KA-7.5. See: KA-7.4.
    """
    tiles = source, target
    return _pool(seen, ATTACK, tiles, cards), _pool(seen, DEFENCE, tiles, cards)


def sizes(pool: SourcedPool) -> tuple[int, ...]:
    """Return the number of sides of each die in a pool."""
    return tuple(die.sides for die in pool)


def _pool(seen: StateOrView, side: int, tiles: tuple[int, int], cards: CardPair) -> SourcedPool:
    units = standing(seen, tiles[side])
    if not units:
        return ()
    card = card_at_work(cards, side)
    dice = [
        Die(side, unit.id, "unit", _size(unit, sides, card), 0)
        for unit in units
        for sides in unit_dice(seen, unit, side, tiles)
    ]
    if not has_op(cards, 1 - side, "strip_terrain"):
        dice += [Die(side, 0, "terrain", size, 0) for size in terrain_dice(seen, side, tiles)]
    if side == DEFENCE and seen.options.castle_die == "d8" and has_castle(seen, tiles[side]):
        dice.append(Die(side, 0, "castle", 8, 0))
    if card is not None and card.op == "extra_die":
        dice += [Die(side, 0, "card", card.size, 0)] * card.n
    return tuple(dice)


def _size(unit: Unit, sides: int, card: MagicCard | None) -> int:
    """Return the size of a unit's die; a card may replace it, upgraded or not. See: KA-7.5."""
    replaced = card is not None and card.op == "die" and card.unit == unit.kind
    return card.size if card is not None and replaced else sides


def terrain_dice(seen: StateOrView, side: int, tiles: tuple[int, int]) -> tuple[int, ...]:
    """Return the sizes of a side's dice for the terrain of its tile. Rules: KA-7.5. See: KA-1.2."""
    row = terrains().get(seen.tiles[tiles[side]].terrain)
    if row is None:
        return ()
    return row.attack_bonus_dice if side == ATTACK else row.defence_bonus_dice


def unit_dice(seen: StateOrView, unit: Unit, side: int, tiles: tuple[int, int]) -> tuple[int, ...]:
    """Return the sizes of a unit's dice in an attack from the first tile on the second.

    A Special Unit keeps the condition of the realm that it was made for. Rules: KA-2.1, KA-2.3.
    """
    if unit.kind == "special":
        realm = realms()[seen.players[first_seat(unit.id)].realm]
        return realm.bonus_dice if _has_bonus(seen, realm, side, tiles) else realm.dice
    row = unit_rows()[unit.kind]
    if side == ATTACK:
        return row.upgraded_attack if unit.upgraded else row.attack
    if row.defence_on_castle and has_castle(seen, tiles[DEFENCE]):
        return row.defence_on_castle
    return row.upgraded_defence if unit.upgraded else row.defence


def _has_bonus(seen: StateOrView, realm: RealmRow, side: int, tiles: tuple[int, int]) -> bool:
    """Return whether the condition of a realm's Special Unit is met. Rules: KA-2.3."""
    if realm.bonus_role not in ("both", "attack" if side == ATTACK else "defence"):
        return False
    own, enemy = tiles[side], tiles[1 - side]
    match realm.bonus_when:
        case "own_tile_castle":
            return has_castle(seen, own)
        case "enemy_tile_castle":
            return has_castle(seen, enemy)
        case "with_own_general_or_crown":
            return any(unit.kind in ("general", "crown") for unit in standing(seen, own))
        case terrain:
            return terrain == f"own_terrain_{seen.tiles[own].terrain}"


# -- cards at work ---------------------------------------------------------------------------------


def card_at_work(cards: CardPair, side: int) -> MagicCard | None:
    """Return the active card of a side, or None."""
    return magic_cards().get(cards[side])


def has_op(cards: CardPair, side: int, op: MagicOp) -> bool:
    """Return whether the active card of a side has this effect. See: KA-10.2."""
    card = card_at_work(cards, side)
    return card is not None and card.op == op


def cards_at_work(battle: Battle) -> CardPair:
    """Return the revealed cards of a battle that are not cancelled. See: KA-7.4."""
    if not battle.revealed:
        return NO_CARDS
    first, second = ("" if side.cancelled else side.card for side in battle.sides)
    return first, second


# -- comparison ------------------------------------------------------------------------------------


def comparison(dice: tuple[Die, ...], cards: CardPair = NO_CARDS) -> Comparison:
    """Return thrown dice compared in pairs, with the advantages that cards give.

    The opponent's card can set aside the highest dice of a side. Rules: KA-7.6. See: KA-7.4.
    """
    attack, defence = (
        [die.value for die in dice if die.side == side] for side in (ATTACK, DEFENCE)
    )
    return compare(
        attack,
        defence,
        ties_win=(has_op(cards, ATTACK, "ties_win"), has_op(cards, DEFENCE, "ties_win")),
        drop=dropped(cards),
    )


def dropped(cards: CardPair) -> tuple[int, int]:
    """Return how many highest dice attacker and defender set aside. Rules: KA-10.2."""
    first, second = (
        card.n if (card := card_at_work(cards, 1 - side)) and card.op == "drop_highest" else 0
        for side in (ATTACK, DEFENCE)
    )
    return first, second


def rerolls(cards: CardPair) -> tuple[int, int]:
    """Return the highest die value that attacker and defender reroll, or 0. Rules: KA-10.2."""
    first, second = (
        card.at_most if (card := card_at_work(cards, side)) and card.op == "reroll" else 0
        for side in (ATTACK, DEFENCE)
    )
    return first, second


def casualties(lost: int, units: int, cards: CardPair, side: int) -> int:
    """Return a side's casualties from its lost pairs, its units and its card. Rules: KA-7.7."""
    card = card_at_work(cards, side)
    cap = card.n if card is not None and card.op == "loss_cap" else units
    return min(lost, units, cap)


def thrown(pool: SourcedPool, values: tuple[int, ...]) -> SourcedPool:
    """Return the dice of a pool with the values thrown."""
    return tuple(replace(die, value=value) for die, value in zip(pool, values, strict=True))
