"""Offers: commands that will not be refused. Rules: KA-13."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.actions import (
    march_targets,
    movable,
    move_targets,
    spawn_kinds,
    spawn_tiles,
)
from engine.rulesets.kaladan.battle_offers import attack_offers, battle_offers
from engine.rulesets.kaladan.board import controlled, on_board, room, standing, tile_name
from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.elimination import may_resign
from engine.rulesets.kaladan.event_phase import event_offers
from engine.rulesets.kaladan.founding import founding_offers
from engine.rulesets.kaladan.purchases import (
    absent_specials,
    for_sale,
    may_swap,
    purchase_places,
    special_places,
    upgradable,
    upgrade_price,
)
from engine.rulesets.kaladan.state import SETUP_PHASES, Unit, View
from engine.rulesets.kaladan.tables import tables
from engine.rulesets.kaladan.turns import may_end_phase, owing

_HOPELESS: Final = 2
"""Most units on the board with which a seat is offered to give up."""


def offers(view: View, about: int | None = None) -> Iterator[AnyCommand]:
    """Commands that will not be refused; with ``about`` only those of one unit.

    Incomplete: of groups that move or march only single units, all that fit, and all but the Crown
    are offered, and giving up only to a seat that has hardly a unit left.
    """
    if view.viewer not in owing(view):
        return
    for command in _every(view):
        if about is None or about in _units_of(view, command):
            yield command


def _units_of(view: View, command: AnyCommand) -> Sequence[int]:
    """Units that a command is about."""
    match command:
        case do.MoveUnits() | do.March() | do.ChooseLosses() | do.Invade() | do.Aim():
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
    """All offers to the seat that is asked."""
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
    """Offers in the phases that a seat ends. Rules: KA-6."""
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
    """Moves and attacks. Rules: KA-6.4, KA-7.2."""
    for source in controlled(view, seat):
        name = tile_name(view.layout, source)
        units = movable(view, seat, source)
        for target in move_targets(view, seat, source):
            for group in groups(units, room(view, target)):
                yield do.MoveUnits(name, tile_name(view.layout, target), group)
    yield from attack_offers(view)


def _marches(view: View, seat: int) -> Iterator[AnyCommand]:
    """Marches. Rules: KA-6.6."""
    for source in controlled(view, seat):
        name = tile_name(view.layout, source)
        for target in march_targets(view, seat, source):
            for group in groups(standing(view, source), room(view, target)):
                yield do.March(name, tile_name(view.layout, target), group)


def groups(units: Sequence[Unit], most: int) -> list[tuple[int, ...]]:
    """Groups out of units that are worth a thought: all that fit, all but the Crown, single ones.

    Units that are alike stand for each other in the groups of one, and each group is listed once.
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
    """Purchases. Rules: KA-6.5, KA-9, KA-10.4."""
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
