"""Answers of a computer player: in the set-up, to events, and in battles.

Each answer is one of the offers, and the best one by the exact chances. See: KA-18.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.record import replace
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.board import (
    controller,
    crown,
    distance,
    in_reserve,
    standing,
    tile_number,
)
from engine.rulesets.kaladan.bot.board import (
    WORTH,
    dearest_last,
    invaders_of,
    losses_by_count,
    total_worth,
    worth,
)
from engine.rulesets.kaladan.odds import (
    AttackForecast,
    battle_odds,
    current_odds,
    enemy_magic,
    with_units,
)
from engine.rulesets.kaladan.outcome import has_won, removed, side_number, side_of
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE
from engine.rulesets.kaladan.state import (
    NOBODY,
    NOWHERE,
    BasicKind,
    Battle,
    StateOrView,
    Unit,
    View,
)
from engine.rulesets.kaladan.tables import magic_cards, terrains

_CROWN: Final = 30.0
"""Worth of a Crown that falls in a battle."""

_CARD: Final = 0.9
"""Minimum gain for which a card is played; half of it if the player's Crown is in danger."""


# -- set-up ----------------------------------------------------------------------------------------

_FIRST_UNITS: Final[tuple[BasicKind, ...]] = ("archer", "shield", "shield")

_REALMS: Final = ("plainsmark", "highfells", "khalisia", "mistcourt", "weald", "ironmarch")
"""Realms in order of preference; the most useful ones in battle come first."""


def found(view: View, offers: Sequence[do.AnyCommand]) -> do.AnyCommand:
    """Choose land, realm, Castle or first units in the set-up. See: KA-5."""
    match view.phase:
        case "realms":
            return min(offers, key=lambda one: _REALMS.index(_realm(one)))
        case "castles":
            return max(offers, key=lambda one: _site(view, one))
        case "deployment":
            return do.Deploy(_FIRST_UNITS)
        case _:
            return offers[0]


def _realm(command: do.AnyCommand) -> str:
    return command.realm if isinstance(command, do.ChooseRealm) else _REALMS[-1]


def _site(view: View, command: do.AnyCommand) -> tuple[float, int]:
    """Return the worth of a Castle site: distance from others, room, and dice in defence."""
    if not isinstance(command, do.PlaceCastle):
        return 0.0, 0
    tile = tile_number(view.layout, command.tile)
    row = terrains()[view.tiles[tile].terrain]
    built = [other.id for other in view.tiles.values() if other.castle != NOBODY]
    apart = min((distance(view.layout, tile, other) for other in built), default=0)
    return row.capacity_with_castle + 0.8 * len(row.defence_bonus_dice) + 0.6 * apart, -tile


# -- events ----------------------------------------------------------------------------------------


def answer(view: View, offers: Sequence[do.AnyCommand]) -> do.AnyCommand:
    """Choose the best answer to an event card. See: KA-11.1."""
    return max(offers, key=lambda one: _event_value(view, one))


def _event_value(view: View, command: do.AnyCommand) -> float:
    """Return the worth of an answer, roughly in gold."""
    if not isinstance(command, do.AnswerEvent):
        return -100.0
    seat = view.viewer
    court = crown(view, seat)
    home = court.tile if court is not None else NOWHERE
    unit = view.units.get(command.unit)
    tile = tile_number(view.layout, command.tile) if command.tile else NOWHERE
    match command.option:
        case "gold":
            return 0.8
        case "add" | "resurrect":
            gain = 1.0 if unit is None else worth(replace(unit, upgraded=False))
            return gain + 0.2 * (tile == home) - 0.01 * tile
        case "upgrade" | "retire" if unit is not None:
            sign, here = (0.7, 0.1) if command.option == "upgrade" else (-1.0, -0.5)
            return sign * worth(unit) + here * (unit.tile == home)
        case "swap_magic":
            return 0.1 if magic_cards()[command.card].timing == "after" else -0.1
        case _:
            return 0.0


# -- battles ---------------------------------------------------------------------------------------


def fight(
    view: View, offers: Sequence[do.AnyCommand], worths: Mapping[str, float]
) -> do.AnyCommand:
    """Choose the best command in a battle. Rules: KA-18.2. See: KA-7."""
    battle = view.battle
    if battle is None:
        return offers[0]
    match battle.step:
        case "magic":
            return _statement(view, battle, offers, worths)
        case "aim":
            return _aim(view, battle, offers, worths)
        case "losses":
            return _losses(view, battle, worths)
        case "after":
            return max(offers, key=lambda one: _after_value(view, battle, one, worths))
        case _:
            return _invasion(view, battle, worths)


def balance(
    seen: StateOrView, odds: AttackForecast, side: int, worths: Mapping[str, float] = WORTH
) -> float:
    """Return a battle's expected gain for ATTACK or DEFENCE; a negative one is a loss.

    It is the worth of the enemy's losses less the own ones, and of the tile and Crowns if it falls.

    See: KA-18.2.
    """
    first, second = (
        dearest_last(
            (unit for number in ids if (unit := seen.units.get(number)) is not None), worths
        )
        for ids in odds.units
    )
    lost, killed = losses_by_count(first, worths), losses_by_count(second, worths)
    found = sum(
        float(chance) * (killed[min(other, len(second))] - lost[min(one, len(first))])
        for one, other, chance in odds.roll.losses
    )
    found += 1.5 * float(odds.roll.takes)
    found += _CROWN * float(odds.roll.crowns[DEFENCE] - odds.roll.crowns[ATTACK])
    return found if side == ATTACK else -found


def feared(
    view: StateOrView,
    battle: tuple[int, int],
    side: int,
    card: str = "",
    worths: Mapping[str, float] = WORTH,
) -> float:
    """Return the average worth of a battle to a side over the cards the other side may play.

    A side that has joined plays one of them; else it is more likely to, the more cards it has.
    """
    source, target = battle
    every = enemy_magic(view, source, target, side, card)
    values = [balance(view, odds, side, worths) for odds in every]
    if every[0].cards[1 - side] or len(values) == 1:
        return sum(values) / len(values)
    rival = controller(view, target if side == ATTACK else source)
    held = len(view.players[rival].hand) if rival in view.players else 0
    plays = min(0.6, 0.25 * held)
    return (1 - plays) * values[0] + plays * sum(values[1:]) / len(values[1:])


def _statement(
    view: View, battle: Battle, offers: Sequence[do.AnyCommand], worths: Mapping[str, float]
) -> do.AnyCommand:
    """Join with the card that gains most, if it gains enough; else stay out."""
    side = side_number(battle, view.viewer)
    tiles = battle.sides[ATTACK].tile, battle.sides[DEFENCE].tile
    values: dict[str, float] = {}
    for one in offers:
        if isinstance(one, do.DeclareMagic):
            values[one.card] = feared(view, tiles, side, one.card, worths)
            if one.card and magic_cards()[one.card].op == "steal":
                rival = view.players[battle.sides[1 - side].seat]
                values[one.card] += 1.0 * min(magic_cards()[one.card].n, rival.gold)
    plain = current_odds(view)
    risk = float(plain.roll.crowns[side]) if plain is not None else 0.0
    price = _CARD / 2 if risk > _RISK else _CARD
    best = max(values, key=lambda card: (values[card], card == ""))
    return do.DeclareMagic(best if best and values[best] > values[""] + price else "")


_RISK: Final = 0.05


def _aim(
    view: View, battle: Battle, offers: Sequence[do.AnyCommand], worths: Mapping[str, float]
) -> do.AnyCommand:
    """Choose the targets after which the battle is worth most."""
    side = side_number(battle, view.viewer)
    tiles = battle.sides[ATTACK].tile, battle.sides[DEFENCE].tile
    cards = [one.card if not one.cancelled else "" for one in battle.sides]
    cards[side] = ""

    def value(command: do.AnyCommand) -> tuple[float, int]:
        if not isinstance(command, do.AimCard):
            return -1000.0, 0
        after = _after_aim(view, command)
        odds = battle_odds(after, *tiles, (cards[ATTACK], cards[DEFENCE]))
        fresh = sum(unit.place == "board" for unit in after.units.values())
        return balance(after, odds, side, worths) + 0.6 * fresh, -len(command.units)

    return max(offers, key=value)


def _after_aim(view: View, command: do.AimCard) -> StateOrView:
    """Return the position after a card has had the effect that a command chooses."""
    tiles = [tile_number(view.layout, tile) for tile in command.tiles]
    changed: list[Unit] = []
    if command.types and tiles:
        taken: list[int] = []
        for kind in command.types:
            unit = in_reserve(with_units(view, changed), view.viewer, kind)
            if unit is not None and unit.id not in taken:
                taken.append(unit.id)
                changed.append(replace(unit, place="board", tile=tiles[0]))
    elif len(tiles) > 1:
        for number in command.units:
            unit = view.units[number]
            other = tiles[1] if unit.tile == tiles[0] else tiles[0]
            changed.append(replace(unit, tile=other))
    else:
        changed += (
            replace(view.units[number], place="removed", tile=NOWHERE) for number in command.units
        )
    return with_units(view, changed)


def _losses(view: View, battle: Battle, worths: Mapping[str, float]) -> do.AnyCommand:
    """Choose the casualties: the cheapest units first, the Crown last. See: KA-18.2."""
    side = side_of(battle, view.viewer)
    units = dearest_last(standing(view, side.tile), worths)
    return do.ChooseLosses(tuple(unit.id for unit in units[: side.losses]))


def _after_value(
    view: View, battle: Battle, command: do.AnyCommand, worths: Mapping[str, float]
) -> float:
    """Return the worth of an answer about an after-battle card."""
    if not isinstance(command, do.AfterMagic) or not command.card:
        return 0.0
    card = magic_cards()[command.card]
    won = has_won(view, battle, view.viewer)
    rival = view.players[battle.sides[1 - side_number(battle, view.viewer)].seat]
    match card.op:
        case "save":
            units = [view.units[number] for number in command.units]
            saved = total_worth(units, worths)
            saved += _CROWN * any(unit.kind == "crown" for unit in units)
            return saved * (0.6 if card.to == "reserve" else 1.0) - _CARD
        case "gold_per_loss":
            return min(card.max, card.n * len(removed(view, view.viewer))) - 1.5
        case "steal":
            return min(card.n, rival.gold) - 0.5 if won else -1.0
        case _:
            return card.n - 0.5 if won or not card.needs else -1.0


def _invasion(view: View, battle: Battle, worths: Mapping[str, float]) -> do.AnyCommand:
    """Choose the units that move in. See: KA-7.10, KA-18.2."""
    units = standing(view, battle.sides[ATTACK].tile)
    going = invaders_of(units, battle.invaders, worths)
    return do.Invade(tuple(unit.id for unit in going))
