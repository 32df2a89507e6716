"""Offer commands that will not be refused. See: KA-13."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement
from typing import Final

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.actions import (
    march_targets,
    movable,
    move_targets,
    spawn_kinds,
    spawn_tiles,
)
from engine.rulesets.kaladan.aims import levy_kinds, levy_tiles, shift_fault, shift_pairs, victims
from engine.rulesets.kaladan.battle import targets
from engine.rulesets.kaladan.board import controlled, on_board, room, standing, tile_name
from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.elimination import may_resign
from engine.rulesets.kaladan.event_phase import event_offers
from engine.rulesets.kaladan.founding import founding_offers
from engine.rulesets.kaladan.magic import can_join, can_play_after, most_saved, savable
from engine.rulesets.kaladan.outcome import side_of
from engine.rulesets.kaladan.pools import ATTACK
from engine.rulesets.kaladan.purchases import (
    absent_specials,
    for_sale,
    may_swap,
    purchase_places,
    special_places,
    upgradable,
    upgrade_price,
)
from engine.rulesets.kaladan.state import BASIC, HIDDEN, SETUP_PHASES, BasicKind, Battle, Unit, View
from engine.rulesets.kaladan.tables import MagicCard, magic_cards, tables
from engine.rulesets.kaladan.turns import may_end_phase, owing

_HOPELESS: Final = 2
"""A seat with at most this many units on the board is offered to resign."""


def offers(view: View, about: int | None = None) -> Iterator[AnyCommand]:
    """Yield commands that will not be refused; ``about`` limits them to one unit.

    The list is incomplete. For moves and marches it has only single units, all that fit, and all
    but the Crown. It has resignation only for a seat with very few units.
    """
    if view.viewer not in owing(view):
        return
    for command in _every(view):
        if about is None or about in _units_of(view, command):
            yield command


def _units_of(view: View, command: AnyCommand) -> Sequence[int]:
    """Return the units that a command concerns."""
    match command:
        case do.MoveUnits() | do.March() | do.ChooseLosses() | do.Invade() | do.AimCard():
            return command.units
        case do.AfterMagic():
            return command.units
        case do.UpgradeUnit() | do.BringIn() | do.AnswerEvent():
            return (command.unit,) if command.unit else ()
        case do.Attack():
            here = (
                standing(view, tile)
                for tile in controlled(view, view.viewer)
                if tile_name(view.layout, tile) == command.source
            )
            return tuple(unit.id for units in here for unit in units)
        case _:
            return ()


def _every(view: View) -> Iterator[AnyCommand]:
    seat = view.viewer
    if view.phase in SETUP_PHASES:
        yield from founding_offers(view)
    elif view.battle is not None:
        yield from battle_offers(view)
    elif view.event is not None:
        yield from event_offers(view, seat)
    else:
        yield from _in_turn(view, seat)
    if _is_hopeless(view, seat) and may_resign(view, seat):
        yield do.Resign()


def _is_hopeless(view: View, seat: int) -> bool:
    return view.phase not in SETUP_PHASES and len(on_board(view, seat)) <= _HOPELESS


def _in_turn(view: View, seat: int) -> Iterator[AnyCommand]:
    """Yield offers in the phases that a seat ends itself. See: KA-6."""
    match view.phase:
        case "spawn":
            for tile in spawn_tiles(view, seat):
                for kind in spawn_kinds(view, seat):
                    yield do.Spawn(tile_name(view.layout, tile), kind)
        case "action":
            yield from _actions(view, seat)
        case "purchase":
            yield from _purchases(view, seat)
        case "reinforcement":
            yield from _marches(view, seat)
        case _:
            pass
    if may_end_phase(view):
        yield do.EndPhase()


def _actions(view: View, seat: int) -> Iterator[AnyCommand]:
    """Yield moves and attacks. See: KA-6.4, KA-7.2."""
    for source in controlled(view, seat):
        name = tile_name(view.layout, source)
        units = movable(view, seat, source)
        for target in move_targets(view, seat, source):
            for group in groups(units, room(view, target)):
                yield do.MoveUnits(name, tile_name(view.layout, target), group)
    yield from attack_offers(view)


def _marches(view: View, seat: int) -> Iterator[AnyCommand]:
    """Yield marches. See: KA-6.6."""
    for source in controlled(view, seat):
        name = tile_name(view.layout, source)
        for target in march_targets(view, seat, source):
            for group in groups(standing(view, source), room(view, target)):
                yield do.March(name, tile_name(view.layout, target), group)


def groups(units: Sequence[Unit], most: int) -> list[tuple[int, ...]]:
    """Return the groups of units worth trying: all that fit, all but the Crown, single ones.

    In groups of one, one of several alike units represents all. No group is listed twice.
    """
    court = [unit.id for unit in units if unit.kind == "crown"]
    others = [unit.id for unit in units if unit.kind != "crown"]
    first: dict[tuple[str, bool], int] = {}
    for unit in units:
        first.setdefault((unit.kind, unit.upgraded), unit.id)
    found = [(*others, *court)[:most], (*court, *others)[:most], tuple(others)[:most]]
    found += [(unit,) for unit in first.values()]
    return list(dict.fromkeys(tuple(sorted(group)) for group in found if group and most > 0))


def _purchases(view: View, seat: int) -> Iterator[AnyCommand]:
    """Yield purchases. See: KA-6.5, KA-9, KA-10.4."""
    player, prices = view.players[seat], tables().prices
    for row in for_sale(view, seat):
        for tile in purchase_places(view, seat):
            yield do.BuyUnit(row.id, tile_name(view.layout, tile))
    for unit in upgradable(view, seat):
        if upgrade_price(unit) <= player.gold:
            yield do.UpgradeUnit(unit.id)
    if player.gold >= prices.special:
        for unit in absent_specials(view, seat):
            for tile in special_places(view, seat):
                yield do.BringIn(unit.id, tile_name(view.layout, tile))
    if player.gold >= prices.swap_card and may_swap(view, seat):
        yield from (do.SwapCard(card) for card in player.hand)
    if player.gold >= prices.buy_card and player.deck:
        yield do.BuyCard()


# -- battles ---------------------------------------------------------------------------------------

_MOST_SHIFTED: Final = 2
"""Maximum number of units shifted in every combination; beyond it only whole stacks."""


def attack_offers(view: View) -> Iterator[do.Attack]:
    """Yield the battles that the viewer can declare now. See: KA-7.2."""
    for source in controlled(view, view.viewer):
        for target in targets(view, view.viewer, source):
            yield do.Attack(tile_name(view.layout, source), tile_name(view.layout, target))


def battle_offers(view: View) -> Iterator[do.AnyCommand]:
    """Yield the commands of the viewer if the battle waits for it.

    Large choices are limited: shifts of whole stacks and of a few units, but not of every subset.
    See: KA-7.1.
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
    """Yield the ids of all choices of ``count`` units."""
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


def _aims(view: View, battle: Battle) -> Iterator[do.AimCard]:
    card = magic_cards()[side_of(battle, view.viewer).card]
    yield do.AimCard()
    match card.op:
        case "shift":
            yield from _shifts(view, battle)
        case "levy":
            yield from _levies(view, battle, card)
        case _:
            found = victims(view, battle, view.viewer, card)
            for count in range(1, min(card.n, len(found)) + 1):
                for chosen in _choices(found, count):
                    yield do.AimCard(units=chosen)


def _shifts(view: View, battle: Battle) -> Iterator[do.AimCard]:
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
                yield do.AimCard((first, second), units)


def _levies(view: View, battle: Battle, card: MagicCard) -> Iterator[do.AimCard]:
    reserve = levy_kinds(view, view.viewer)
    for tile in levy_tiles(view, battle, view.viewer, card):
        for count in range(1, min(card.n, room(view, tile)) + 1):
            for types in combinations_with_replacement(BASIC, count):
                if _has(reserve, types):
                    yield do.AimCard((tile_name(view.layout, tile),), (), types)


def _has(reserve: Sequence[BasicKind], types: Sequence[BasicKind]) -> bool:
    """Return whether the reserve has units of all these types."""
    return all(types.count(kind) <= reserve.count(kind) for kind in types)
