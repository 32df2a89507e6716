"""Offers of a battle: what a seat that is asked may say. Rules: KA-7, KA-10.2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import Final

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.aims import levy_kinds, levy_tiles, shift_fault, shift_pairs, victims
from engine.rulesets.kaladan.battle import targets
from engine.rulesets.kaladan.board import controlled, room, standing, tile_name
from engine.rulesets.kaladan.magic import can_join, can_play_after, most_saved, savable
from engine.rulesets.kaladan.outcome import side_of
from engine.rulesets.kaladan.pools import ATTACK
from engine.rulesets.kaladan.state import BASIC, HIDDEN, BasicKind, Battle, Unit, View
from engine.rulesets.kaladan.tables import MagicCard, magic_cards

_MOST_SHIFTED: Final = 2
"""Units of a shift that are offered in every combination; beyond that whole stacks only."""


def attack_offers(view: View) -> Iterator[do.Attack]:
    """Battles that the viewer may declare now. Rules: KA-7.2."""
    for source in controlled(view, view.viewer):
        for target in targets(view, view.viewer, source):
            yield do.Attack(tile_name(view.layout, source), tile_name(view.layout, target))


def battle_offers(view: View) -> Iterator[do.AnyCommand]:
    """Commands of the viewer in a battle that waits for it; nothing else. Rules: KA-7.1.

    Large choices are bounded: shifts of whole stacks and of a few units, but not of every subset.
    """
    battle = view.battle
    if battle is None or battle.asked != view.viewer:
        return
    match battle.step:
        case "magic":
            yield from _statements(view, battle)
        case "aim":
            yield from _aims(view, battle)
        case "losses":
            side = side_of(battle, view.viewer)
            for units in _choices(standing(view, side.tile), side.losses):
                yield do.ChooseLosses(units)
        case "after":
            yield from _after(view, battle)
        case "invasion":
            for units in _choices(standing(view, battle.sides[ATTACK].tile), battle.invaders):
                yield do.Invade(units)


def _choices(units: Sequence[Unit], count: int) -> Iterator[tuple[int, ...]]:
    """All choices of so many units."""
    return combinations([unit.id for unit in units], count)


def _hand(view: View) -> tuple[MagicCard, ...]:
    hand = view.players[view.viewer].hand
    return tuple(magic_cards()[card] for card in hand if card != HIDDEN)


def _statements(view: View, battle: Battle) -> Iterator[do.DeclareMagic]:
    yield do.DeclareMagic()
    for card in _hand(view):
        if can_join(view, battle, view.viewer, card):
            yield do.DeclareMagic(card.id)


def _after(view: View, battle: Battle) -> Iterator[do.AfterMagic]:
    yield do.AfterMagic()
    for card in _hand(view):
        if not can_play_after(view, battle, view.viewer, card):
            continue
        if card.op != "save":
            yield do.AfterMagic(card.id)
            continue
        units = savable(view, view.viewer, card)
        most = min(most_saved(view, battle, card), len(units))
        for count in range(most, 0, -1):
            for chosen in _choices(units, count):
                yield do.AfterMagic(card.id, chosen)


# -- aims ------------------------------------------------------------------------------------------


def _aims(view: View, battle: Battle) -> Iterator[do.Aim]:
    card = magic_cards()[side_of(battle, view.viewer).card]
    yield do.Aim()
    match card.op:
        case "shift":
            yield from _shifts(view, battle)
        case "levy":
            yield from _levies(view, battle, card)
        case _:
            found = victims(view, battle, view.viewer, card)
            for count in range(1, min(card.n, len(found)) + 1):
                for chosen in _choices(found, count):
                    yield do.Aim(units=chosen)


def _shifts(view: View, battle: Battle) -> Iterator[do.Aim]:
    own = side_of(battle, view.viewer).tile
    for pair in shift_pairs(view, view.viewer):
        here, there = ([unit.id for unit in standing(view, tile)] for tile in pair)
        few = chain.from_iterable(
            combinations([*here, *there], count) for count in range(1, _MOST_SHIFTED + 1)
        )
        stacks = (
            tuple(stack[:count])
            for stack in (here, there)
            for count in range(_MOST_SHIFTED + 1, len(stack) + 1)
        )
        first, second = (tile_name(view.layout, tile) for tile in pair)
        swap = [(*here, *there)] if len(here) + len(there) > _MOST_SHIFTED else []
        for units in (*few, *stacks, *swap):
            if not shift_fault(view, own, pair, units):
                yield do.Aim((first, second), units)


def _levies(view: View, battle: Battle, card: MagicCard) -> Iterator[do.Aim]:
    reserve = levy_kinds(view, view.viewer)
    for tile in levy_tiles(view, battle, view.viewer, card):
        for count in range(1, min(card.n, room(view, tile)) + 1):
            for types in combinations_with_replacement(BASIC, count):
                if _has(reserve, types):
                    yield do.Aim((tile_name(view.layout, tile),), (), types)


def _has(reserve: Sequence[BasicKind], types: Sequence[BasicKind]) -> bool:
    """True if the reserve has units of all these types."""
    return all(types.count(kind) <= reserve.count(kind) for kind in types)
