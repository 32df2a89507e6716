"""Exact forecasts of battles, and the possible effects of enemy Magic.

All chances are fractions of equally likely rolls. See: KA-7.11, KA-18.1, KA-19.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.core.record import Record, replace
from engine.kit.dice_pools import DicePool, pair_losses
from engine.kit.identity_cache import keyed_identity_cache
from engine.rulesets.kaladan.aims import victims
from engine.rulesets.kaladan.board import (
    capacity,
    controller,
    has_castle,
    is_basic,
    neighbours,
    owned,
    room,
    standing,
)
from engine.rulesets.kaladan.magic import can_join
from engine.rulesets.kaladan.outcome import inheritance, side_number
from engine.rulesets.kaladan.pools import (
    ATTACK,
    DEFENCE,
    NO_CARDS,
    CardPair,
    SourcedPool,
    card_at_work,
    casualties,
    dropped,
    has_op,
    pools,
    rerolls,
    sizes,
    unit_dice,
)
from engine.rulesets.kaladan.state import (
    HIDDEN,
    NOBODY,
    NOWHERE,
    Battle,
    BattleSide,
    StateOrView,
    Unit,
    View,
)
from engine.rulesets.kaladan.tables import MagicCard, magic_cards, realm_deck

_MOST_KEPT: Final = 4096
"""Maximum number of rolls in the cache of forecasts."""

Fear: TypeAlias = Literal["clearing", "crown"]
"""Fear of the other side's Magic: for the attacked tile, or for the side's own Crown."""


# -- rolls -----------------------------------------------------------------------------------------


class RollTerms(NamedTuple):
    """All that the outcome of a roll depends on, except the pools and cards.

    ``units`` of attacker and defender, the ``crowns`` among them, and units ``saved`` to the battle
    tile in the end. ``places`` are those of the battle tile, ``kept`` those reserved there for
    Special Units of a Crown that falls.
    """

    units: tuple[int, int]
    crowns: tuple[bool, bool] = (False, False)
    saved: tuple[int, int] = (0, 0)
    places: int = 0
    kept: int = 0


class RollOdds(Record, frozen=True):
    """Forecast of one roll.

    ``losses`` are casualties of attacker and defender with their chance. ``clears`` is the chance
    that no defender is left, ``takes`` that also an attacker is left. ``crowns`` are the chances
    that each side's Crown must fall because all units of its tile are lost. ``invaders`` are the
    minimum and maximum number of units that must move in if the tile is taken.
    See: KA-7.7, KA-7.10, KA-18.2.
    """

    pairs: int
    losses: tuple[tuple[int, int, Fraction], ...]
    expected: tuple[Fraction, Fraction]
    clears: Fraction
    takes: Fraction
    crowns: tuple[Fraction, Fraction]
    invaders: tuple[int, int]


def roll_odds(
    attack: DicePool, defence: DicePool, cards: CardPair = NO_CARDS, terms: RollTerms | None = None
) -> RollOdds:
    """Forecast a roll of two pools; cards can change the comparison and the losses.

    Without ``terms``, each die counts as one unit. Cached by the sorted pools.
    Rules: KA-18.1, KA-7.11.
    """
    found = terms or RollTerms((len(attack), len(defence)))
    return _roll_odds(tuple(sorted(attack)), tuple(sorted(defence)), _comparing(cards), found)


def _comparing(cards: CardPair) -> CardPair:
    """Keep only the cards that affect thrown dice or casualties. See: KA-7.4."""
    ops = ("ties_win", "drop_highest", "reroll", "loss_cap")
    first, second = (name if name and magic_cards()[name].op in ops else "" for name in cards)
    return first, second


@lru_cache(maxsize=_MOST_KEPT)
def _roll_odds(attack: DicePool, defence: DicePool, cards: CardPair, terms: RollTerms) -> RollOdds:
    drop = dropped(cards)
    counts = pair_losses(
        attack,
        defence,
        ties_win=(has_op(cards, ATTACK, "ties_win"), has_op(cards, DEFENCE, "ties_win")),
        drop=drop,
        reroll=rerolls(cards),
    )
    weights: dict[tuple[int, int], int] = {}
    for lost, count in counts.items():
        one, other = (
            max(0, casualties(lost[side], terms.units[side], cards, side) - terms.saved[side])
            for side in (ATTACK, DEFENCE)
        )
        weights[one, other] = weights.get((one, other), 0) + count
    rolls = sum(weights.values())
    fielded, defended = terms.units

    def chance(rows: Iterator[tuple[int, int]]) -> Fraction:
        return Fraction(sum(weights[row] for row in rows), rolls)

    taking = [row for row in weights if row[1] >= defended and row[0] < fielded]
    moving = [min(fielded - lost, terms.places - terms.kept) for lost, _ in taking]
    return RollOdds(
        pairs=max(0, min(len(attack) - drop[ATTACK], len(defence) - drop[DEFENCE])),
        losses=tuple((*row, Fraction(weights[row], rolls)) for row in sorted(weights)),
        expected=(
            Fraction(sum(row[0] * count for row, count in weights.items()), rolls),
            Fraction(sum(row[1] * count for row, count in weights.items()), rolls),
        ),
        clears=chance(row for row in weights if row[1] >= defended),
        takes=chance(iter(taking)),
        crowns=(
            chance(row for row in weights if terms.crowns[0] and row[0] >= fielded),
            chance(row for row in weights if terms.crowns[1] and row[1] >= defended),
        ),
        invaders=(min(moving, default=0), max(moving, default=0)),
    )


# -- battles ---------------------------------------------------------------------------------------


class AttackForecast(Record, frozen=True):
    """Forecast of a battle: the cards, both pools and units, and the roll.

    Cards with targets are assumed to choose the best ones by their dice, see ``imagined``.
    See: KA-18.2, KA-19.
    """

    source: int
    target: int
    cards: CardPair
    pools: tuple[SourcedPool, SourcedPool]
    units: tuple[tuple[int, ...], tuple[int, ...]]
    roll: RollOdds


def battle_odds(
    seen: StateOrView, source: int, target: int, cards: CardPair = NO_CARDS
) -> AttackForecast:
    """Forecast an attack with the given cards, even if it cannot be declared now.

    An after-battle card counts if it brings units back to the battle tile. See: KA-18.2.
    """
    return _battle_odds(seen, (source, target, cards))


@keyed_identity_cache
def _battle_odds(seen: StateOrView, key: tuple[int, int, CardPair]) -> AttackForecast:
    source, target, cards = key
    working = without_negated(cards)
    shown = imagined(seen, source, target, working)
    fought = pools(shown, source, target, working)
    units = standing(shown, source), standing(shown, target)
    crowns = any(u.kind == "crown" for u in units[0]), any(u.kind == "crown" for u in units[1])
    enemy = controller(shown, target)
    terms = RollTerms(
        units=(len(units[0]), len(units[1])),
        crowns=crowns,
        saved=(0, _saved(shown, target, working)),
        places=capacity(shown.tiles[target]),
        kept=int(crowns[1] and enemy != NOBODY and bool(inheritance(shown, enemy))),
    )
    roll = roll_odds(sizes(fought[0]), sizes(fought[1]), working, terms)
    ids = tuple(unit.id for unit in units[0]), tuple(unit.id for unit in units[1])
    return AttackForecast(source, target, cards, fought, ids, roll)


def without_negated(cards: CardPair) -> CardPair:
    """Return the active cards after a negation of committed cards. See: KA-7.4."""
    if not (has_op(cards, ATTACK, "negate") or has_op(cards, DEFENCE, "negate")):
        return cards
    first, second = (
        name if name and magic_cards()[name].timing == "after" else "" for name in cards
    )
    return first, second


def _saved(seen: StateOrView, target: int, cards: CardPair) -> int:
    """Return how many units the defender's card brings back to the battle tile. See: KA-10.2."""
    card = card_at_work(cards, DEFENCE)
    if card is None or card.op != "save" or card.to != "battle_tile":
        return 0
    return card.n if has_castle(seen, target) or card.needs != "castle" else 0


def current_odds(seen: StateOrView, card: str = "") -> AttackForecast | None:
    """Forecast the current battle; None without one or once its dice are thrown.

    It includes the cards that the viewer knows. ``card`` is one that the viewer could commit now.
    See: KA-7.1.
    """
    battle = seen.battle
    if battle is None or battle.dice or battle.verdict:
        return None
    first, second = (_known(side) for side in battle.sides)
    if card and isinstance(seen, View):
        own = side_number(battle, seen.viewer)
        first, second = (card, second) if own == ATTACK else (first, card)
    return battle_odds(seen, battle.sides[ATTACK].tile, battle.sides[DEFENCE].tile, (first, second))


def _known(side: BattleSide) -> str:
    """Return the card of a side if it is known and still has an effect."""
    if side.card in ("", HIDDEN) or side.cancelled:
        return ""
    aimed = magic_cards()[side.card].op in ("shift", "levy", "assassinate")
    return "" if side.applied and aimed else side.card


# -- cards that move units -------------------------------------------------------------------------


def imagined(seen: StateOrView, source: int, target: int, cards: CardPair) -> StateOrView:
    """Return the position after cards that move or remove units, aimed by size of dice.

    A levy brings the best units of the reserve to the side's tile, a shift fills it with the best
    ones of an adjacent tile, and an assassination strikes the units with the largest dice.
    See: KA-7.4.
    """
    tiles = source, target
    for stage in (("shift", "levy"), ("assassinate",)):
        for side in (ATTACK, DEFENCE):
            card = card_at_work(cards, side)
            if card is not None and card.op in stage:
                seen = with_units(seen, aimed(seen, side, tiles, card))
    return seen


def with_units(seen: StateOrView, units: Sequence[Unit]) -> StateOrView:
    """Return the position with these units replaced."""
    return replace(seen, units=seen.units.put(*units)) if units else seen


def aimed(
    seen: StateOrView, side: int, tiles: tuple[int, int], card: MagicCard
) -> tuple[Unit, ...]:
    """Return the units that a card changes, aimed by the sizes of the dice. See: KA-10.2."""
    match card.op:
        case "levy":
            return _levied(seen, side, tiles, card)
        case "shift":
            return _shifted(seen, side, tiles)
        case _:
            battle = imagined_battle(seen, *tiles)
            found = victims(seen, battle, battle.sides[side].seat, card)
            struck = sorted(found, key=lambda unit: -_worth(seen, unit, 1 - side, tiles))[: card.n]
            return tuple(replace(unit, place="removed", tile=NOWHERE) for unit in struck)


def _worth(seen: StateOrView, unit: Unit, side: int, tiles: tuple[int, int]) -> int:
    return sum(unit_dice(seen, unit, side, tiles))


def _levied(
    seen: StateOrView, side: int, tiles: tuple[int, int], card: MagicCard
) -> tuple[Unit, ...]:
    own = tiles[side]
    waiting = [
        unit
        for unit in owned(seen, controller(seen, own))
        if unit.place == "reserve" and is_basic(unit)
    ]
    waiting.sort(key=lambda unit: -_worth(seen, unit, side, tiles))
    count = min(card.n, room(seen, own))
    return tuple(replace(unit, place="board", tile=own) for unit in waiting[:count])


def _shifted(seen: StateOrView, side: int, tiles: tuple[int, int]) -> tuple[Unit, ...]:
    own, seat = tiles[side], controller(seen, tiles[side])
    best: tuple[int, tuple[Unit, ...]] = (0, ())
    for other in neighbours(seen.layout, own):
        if controller(seen, other) != seat:
            continue
        here = standing(seen, own)
        rows = sorted(
            (*here, *standing(seen, other)),
            key=lambda unit: (-_worth(seen, unit, side, tiles), unit.tile != own, unit.id),
        )
        inside = rows[: capacity(seen.tiles[own])]
        gain = sum(_worth(seen, unit, side, tiles) for unit in inside)
        gain -= sum(_worth(seen, unit, side, tiles) for unit in here)
        moved = [replace(unit, tile=own) for unit in inside if unit.tile != own]
        moved += [replace(unit, tile=other) for unit in here if unit not in inside]
        if gain > best[0]:
            best = gain, tuple(moved)
    return best[1]


def imagined_battle(seen: StateOrView, source: int, target: int) -> Battle:
    """Return the battle on two tiles: the current one, or one that could be declared."""
    battle = seen.battle
    if battle is not None and [side.tile for side in battle.sides] == [source, target]:
        return battle
    first, second = (BattleSide(controller(seen, tile), tile) for tile in (source, target))
    return Battle((first, second))


# -- Magic of the enemy ----------------------------------------------------------------------------


def possible_cards(seen: StateOrView, seat: int) -> tuple[str, ...]:
    """Return the cards that a seat can hold, as far as the viewer knows, in table order.

    Spent cards are excluded; a hand that the viewer sees is known. See: KA-15.
    """
    player = seen.players[seat]
    if seen.options.magic == "off" or not player.hand:
        return ()
    if HIDDEN not in player.hand:
        return player.hand
    shown = {*player.spent, *(card for card in player.deck if card != HIDDEN)}
    return tuple(card for card in realm_deck(player.realm) if card not in shown)


def fitting_cards(seen: StateOrView, source: int, target: int, side: int) -> tuple[str, ...]:
    """Return the cards that a side can hold and use in a battle.

    In the current battle, a side that has joined plays no other card, and a side that has stayed
    out plays no committed one. See: KA-7.3, KA-7.8.
    """
    battle = imagined_battle(seen, source, target)
    mine = battle.sides[side]
    if mine.card not in ("", HIDDEN):
        return (mine.card,)
    found = []
    for name in possible_cards(seen, mine.seat):
        card = magic_cards()[name]
        if card.timing == "declare":
            fits = mine.statement != "out" and can_join(seen, battle, mine.seat, card)
        else:
            fits = mine.statement != "in" and side == DEFENCE and card.to == "battle_tile"
        if fits:
            found.append(name)
    return tuple(found)


def enemy_magic(
    seen: StateOrView, source: int, target: int, asker: int, card: str = ""
) -> tuple[AttackForecast, ...]:
    """Return forecasts with each possible card of the other side, and with none if possible.

    ``asker`` is the side that asks, ``card`` the card that it plays itself.
    """
    other = 1 - asker
    side = imagined_battle(seen, source, target).sides[other]
    names = fitting_cards(seen, source, target, other)
    if side.statement != "in" or not names:
        names = ("", *names)
    return tuple(
        battle_odds(seen, source, target, (card, name) if asker == ATTACK else (name, card))
        for name in names
    )


def worst_magic(
    seen: StateOrView,
    source: int,
    target: int,
    asker: int,
    card: str = "",
    fear: Fear = "clearing",
) -> AttackForecast:
    """Return the forecast with the other side's worst card for the asking side.

    With ``clearing`` it has the lowest chance to clear the tile for the attacker, and the highest
    for the defender. With ``crown`` it has the highest chance that the asking side's Crown
    must fall.
    See: KA-18.2, KA-19.
    """
    sign = -1 if asker == ATTACK else 1

    def evil(odds: AttackForecast) -> tuple[Fraction, Fraction]:
        clearing, crown = sign * odds.roll.clears, odds.roll.crowns[asker]
        return (clearing, crown) if fear == "clearing" else (crown, clearing)

    return max(enemy_magic(seen, source, target, asker, card), key=evil)
