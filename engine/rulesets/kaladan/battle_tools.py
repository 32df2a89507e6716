"""Tools of ``calc`` about battles: pools, odds, pairs, capacity."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from engine.core.base_ruleset import FunctionTool
from engine.core.refused import Refused
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.kit.arguments import whole
from engine.kit.dice_pools import DicePool
from engine.rulesets.kaladan.board import (
    capacity,
    controller,
    has_castle,
    neighbours,
    standing,
    tile_name,
    tile_number,
)
from engine.rulesets.kaladan.odds import (
    AttackForecast,
    RollOdds,
    RollTerms,
    battle_odds,
    roll_odds,
    without_negated,
    worst_magic,
)
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE, CardPair, comparison, has_op
from engine.rulesets.kaladan.state import NOBODY, Die, State, StateOrView
from engine.rulesets.kaladan.tables import magic_cards
from engine.rulesets.kaladan.view import view

_MOST_DICE: Final = 24
_MOST_SIDES: Final = 100
_DICE: Final = re.compile(r"(\d{0,2})d(\d{1,3})")
_NO_CARD: Final = ("", "-")
_SIDES: Final = ("attacker", "defender")
_OUTRIGHT: Final = ("extra_die", "ties_win", "drop_highest", "reroll", "loss_cap", "negate")
"""Effects that work without units."""

ToolRow = tuple[int | float | str | None, ...]

_CARDS: Final = (
    Argument("card", "word", "attacker's Magic card as dawns_sword, - for none", required=False),
    Argument("answer", "word", "defender's Magic card", required=False),
)
_TILES: Final = (
    Argument("source", "place", "the tile the attack comes from, as B1"),
    Argument("target", "place", "the tile that is attacked"),
)


# -- answers ---------------------------------------------------------------------------------------


def _pools(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the dice of both sides with their sources. See: KA-7.5."""
    odds = _forecast(state, arguments["source"], arguments["target"], _cards(arguments))
    rows = tuple(
        (_SIDES[side], f"d{die.sides}", _source(state, die))
        for side in (ATTACK, DEFENCE)
        for die in sorted(odds.pools[side], key=lambda die: -die.sides)
    )
    return ToolReport(("side", "die", "source"), rows, (_pairs(odds.roll),))


def _odds(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the casualties of both sides with their chances. See: KA-18.1, KA-18.2."""
    first, second = arguments["attackers"], arguments["defenders"]
    cards = _cards(arguments)
    if _is_dice(first) != _is_dice(second):
        raise ValueError("name two tiles as B1 C1, or two lists of dice as d12,d10 2d8")
    if _is_dice(first):
        roll = _dice_odds(dice_of(first), dice_of(second), cards, arguments.get("units", ""))
        return ToolReport(_LOSSES, _losses(roll), tuple(_told(roll)))
    if arguments.get("units", ""):
        raise ValueError("units go with lists of dice; on tiles it is the units that stand there")
    odds = _forecast(state, first, second, cards)
    remarks = (*_told(odds.roll), *_told_crowns(odds), *_told_magic(state, odds))
    return ToolReport(_LOSSES, _losses(odds.roll), remarks)


def _pair(_state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the pairs of given dice. See: KA-7.6."""
    values = [
        [whole(part, name, _MOST_SIDES) for part in arguments[name].split(",")]
        for name in ("attack", "defence")
    ]
    if max(map(len, values)) > _MOST_DICE:
        raise ValueError(f"at most {_MOST_DICE} dice a side")
    dice = tuple(Die(side, 0, "card", v, v) for side, row in enumerate(values) for v in row)
    cards = without_negated(_cards(arguments))
    found = comparison(dice, cards)
    rows: list[ToolRow] = [
        (
            place,
            one,
            "<" if one < other else ">" if one > other else "=",
            other,
            None if loser is None else _SIDES[loser],
        )
        for place, ((one, other), loser) in enumerate(
            zip(found.pairs, found.losers, strict=True), 1
        )
    ]
    lost = f"{found.lost[0]} by the attacker, {found.lost[1]} by the defender"
    remarks = [f"Pairs lost: {lost}, {found.tied} by nobody."]
    remarks += [
        f"With {card} the {_SIDES[1 - side]} loses ties."
        for side, card in enumerate(cards)
        if has_op(cards, side, "ties_win") and not has_op(cards, 1 - side, "ties_win")
    ]
    for side, name in enumerate(_SIDES):
        for told, left in (("Ignored", found.ignored), ("Set aside", found.set_aside)):
            if left[side]:
                remarks.append(f"{told} of the {name}: {', '.join(map(str, left[side]))}.")
    columns = ("pair", "attack", "", "defence", "lost by")
    return ToolReport(columns, tuple(rows), tuple(remarks))


def _capacity(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report capacity and room of tiles, and units that must move in. See: KA-1.2, KA-7.10."""
    name = arguments.get("tile", "all")
    tiles = [*state.tiles] if name == "all" else [_tile(state, name)]
    survivors = arguments.get("survivors", "")
    attackers = whole(survivors, "survivors", 99) if survivors else None
    rows = []
    for tile in tiles:
        row = state.tiles[tile]
        if not row.terrain:
            raise ValueError("the world of this scenario is built in the game")
        places, units = capacity(row), len(standing(state, tile))
        moving = None if attackers is None else min(attackers, places)
        castle = "yes" if has_castle(state, tile) else "no"
        label = tile_name(state.layout, tile)
        rows.append((label, row.terrain, castle, places, units, places - units, moving))
    columns = ("tile", "terrain", "castle", "capacity", "units", "room", "must move in")
    remarks = (
        "One fewer must move in where a fallen Crown's Special Unit is about to appear.",
    ) * bool(survivors)
    return ToolReport(columns, tuple(rows), remarks)


# -- words -----------------------------------------------------------------------------------------


def _is_dice(text: str) -> bool:
    """Return whether a text is a list of dice; D2 in capitals is a tile."""
    return all(_DICE.fullmatch(part.strip()) for part in text.split(","))


def dice_of(text: str) -> DicePool:
    """Return the sizes of the dice in a text such as ``d12,2d10``.

    Raises:
        ValueError: the text is no list of dice, or has too many.

    >>> dice_of("d12,2d10")
    (12, 10, 10)
    """
    found: list[int] = []
    for part in text.split(","):
        shown = _DICE.fullmatch(part.strip())
        count, sides = (int(word or 1) for word in shown.groups()) if shown else (0, 0)
        if not (0 < count <= _MOST_DICE and 1 < sides <= _MOST_SIDES):
            raise ValueError(f"{part.strip()[:12]!r} is no die; write d8, or 2d10")
        found += [sides] * count
    if len(found) > _MOST_DICE:
        raise ValueError(f"at most {_MOST_DICE} dice a side")
    return tuple(found)


def _tile(state: State, name: str) -> int:
    try:
        return tile_number(state.layout, name)
    except Refused as fault:
        raise ValueError(fault.text) from None


def _cards(arguments: Mapping[str, str]) -> CardPair:
    first, second = (arguments.get(name, "") for name in ("card", "answer"))
    for side, name in enumerate((first, second)):
        if name in _NO_CARD:
            continue
        if name not in magic_cards():
            raise ValueError(f"there is no Magic card {name[:24]!r}: {', '.join(magic_cards())}")
        if magic_cards()[name].role not in ("any", _SIDES[side]):
            raise ValueError(f"{name} is not for the {_SIDES[side]}")
    return "" if first in _NO_CARD else first, "" if second in _NO_CARD else second


def _forecast(state: State, source: str, target: str, cards: CardPair) -> AttackForecast:
    """Return the forecast of an attack from one tile on another.

    Raises:
        ValueError: one tile is empty, or the two make no attack.
    """
    here, there = _tile(state, source), _tile(state, target)
    for tile, name in ((here, source), (there, target)):
        if controller(state, tile) == NOBODY:
            raise ValueError(f"no unit stands on {name.upper()}")
    if controller(state, here) == controller(state, there):
        raise ValueError(f"{source.upper()} and {target.upper()} belong to the same player")
    if there not in neighbours(state.layout, here):
        raise ValueError(f"{target.upper()} is not next to {source.upper()}")
    return battle_odds(state, here, there, cards)


def _dice_odds(attack: DicePool, defence: DicePool, cards: CardPair, units: str) -> RollOdds:
    for name in filter(None, cards):
        if magic_cards()[name].op not in _OUTRIGHT:
            raise ValueError(f"{name} needs units to work on: name tiles instead of dice")
    working = without_negated(cards)
    pools = [attack, defence]
    for side, name in enumerate(working):
        if name and magic_cards()[name].op == "extra_die":
            pools[side] += (magic_cards()[name].size,) * magic_cards()[name].n
    counts = units.split(",") if units else (str(len(attack)), str(len(defence)))
    if len(counts) != len(_SIDES):
        raise ValueError("units: write those of both sides, as 4,3")
    first, second = (whole(part, "units", _MOST_DICE) for part in counts)
    return roll_odds(pools[0], pools[1], working, RollTerms((first, second)))


# -- texts -----------------------------------------------------------------------------------------

_LOSSES: Final = ("attackers lost", "defenders lost", "chance")


def _losses(roll: RollOdds) -> tuple[ToolRow, ...]:
    return tuple((one, other, _rounded(chance)) for one, other, chance in roll.losses)


def _rounded(chance: Fraction) -> float:
    return round(float(chance), 6)


def _pairs(roll: RollOdds) -> str:
    return f"{roll.pairs} {'pair is' if roll.pairs == 1 else 'pairs are'} compared."


def _told(roll: RollOdds) -> Iterator[str]:
    yield _pairs(roll)
    yield f"No defender is left with {_rounded(roll.clears)}."
    first, second = map(_rounded, roll.expected)
    yield f"Lost on average: {first} attackers and {second} defenders."
    if roll.invaders[1]:
        least, most = roll.invaders
        count = str(most) if least == most else f"from {least} to {most}"
        yield f"If the tile is taken, {count} must move in."


def _told_crowns(odds: AttackForecast) -> Iterator[str]:
    for side, name in enumerate(_SIDES):
        if chance := odds.roll.crowns[side]:
            yield f"The {name}'s Crown must fall with {_rounded(chance)}."


def _told_magic(state: State, odds: AttackForecast) -> Iterator[str]:
    """Yield the worst effect of the defender's Magic, as far as the attacker can know."""
    if odds.cards[DEFENCE]:
        return
    seen = view(state, controller(state, odds.source))
    worst = worst_magic(seen, odds.source, odds.target, ATTACK, odds.cards[ATTACK])
    if worst.cards[DEFENCE]:
        card = magic_cards()[worst.cards[DEFENCE]].name
        yield f"At worst {card} leaves {_rounded(worst.roll.clears)} to clear the tile."


def _source(seen: StateOrView, die: Die) -> str:
    unit = seen.units.get(die.unit)
    return unit.kind + "+" * unit.upgraded if unit is not None else die.source


TOOLS: Final[Sequence[Tool]] = (
    FunctionTool("pools", "The dice of both sides of an attack.", (*_TILES, *_CARDS), _pools),
    FunctionTool(
        "odds",
        "What an attack comes to, from tiles or from dice.",
        (
            Argument("attackers", "place", "a tile as B1, or dice as d12,2d10"),
            Argument("defenders", "place", "a tile, or dice"),
            *_CARDS,
            Argument("units", "word", "units of both sides as 4,3", required=False),
        ),
        _odds,
    ),
    FunctionTool(
        "pair",
        "Pairs of dice that have been thrown.",
        (
            Argument("attack", "word", "values as 8,5,3"),
            Argument("defence", "word", "values as 6,6"),
            *_CARDS,
        ),
        _pair,
    ),
    FunctionTool(
        "capacity",
        "How many units tiles hold, and how many of some survivors must move in.",
        (
            Argument("tile", "place", "a tile as B2, or all", required=False),
            Argument("survivors", "number", "attackers that are left", required=False),
        ),
        _capacity,
    ),
)
"""Tools of ``calc`` about battles."""
