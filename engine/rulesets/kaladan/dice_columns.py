"""Show the dice of a battle as columns of pairs, and as moments. See: KA-7.6, KA-19."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any, Final, NamedTuple

from engine.core.record import replace
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.boxes import border
from engine.rulesets.kaladan.canvas import LETTERS, TERRAIN_LETTERS
from engine.rulesets.kaladan.pools import (
    ATTACK,
    DEFENCE,
    CardPair,
    cards_at_work,
    dropped,
    has_op,
)
from engine.rulesets.kaladan.state import Battle, Die, View
from engine.rulesets.kaladan.words import called, card_name, joined, many, sentence
from engine.tabletop.board import BoardMark, Line
from engine.tabletop.fact import EventMoment
from engine.tabletop.registration import Handlers
from engine.tabletop.roles import MarkSign, Tone

_HALF: Final = 8
"""Columns of one die: ``S D12 12``."""

_SIGNS: Final = {"castle": "#", "card": "*"}
"""Signs of dice that belong to no unit and no terrain."""


class DiceColumns(NamedTuple):
    """Dice of both sides, high to low: the pairs, and the dice that take no part."""

    pairs: tuple[tuple[Die, Die], ...]
    ignored: tuple[tuple[Die, ...], tuple[Die, ...]]
    set_aside: tuple[tuple[Die, ...], tuple[Die, ...]]


def dice_columns(dice: Sequence[Die], cards: CardPair) -> DiceColumns:
    """Return thrown dice in pairs, with the effects of the active cards. See: KA-7.6, KA-10.2."""
    away = dropped(cards)
    own = [
        sorted((die for die in dice if die.side == side), key=lambda die: -die.value)
        for side in (ATTACK, DEFENCE)
    ]
    left = own[ATTACK][away[ATTACK] :], own[DEFENCE][away[DEFENCE] :]
    pairs = tuple(zip(*left, strict=False))
    count = len(pairs)
    return DiceColumns(
        pairs,
        (tuple(left[ATTACK][count:]), tuple(left[DEFENCE][count:])),
        (tuple(own[ATTACK][: away[ATTACK]]), tuple(own[DEFENCE][: away[DEFENCE]])),
    )


# -- lines -----------------------------------------------------------------------------------------


def dice_lines(view: View, battle: Battle) -> Iterator[Line]:
    """Yield the columns of dice with signs, and each side's losses. See: KA-7.6, KA-7.7."""
    cards = cards_at_work(battle)
    found = dice_columns(battle.dice, cards)
    yield _heads(view, battle)
    yield from _pair_lines(view, battle, found, len(found.pairs))
    yield from _card_lines(view, battle, found, cards)
    yield from _loss_lines(view, battle, (side.losses for side in battle.sides))


def _heads(view: View, battle: Battle) -> Line:
    """Return the names above the columns."""
    first, second = (called(view, side.seat).removeprefix("The ") for side in battle.sides)
    return Line(f"{first[:_HALF]:<{_HALF}}|{second[:_HALF]}", Tone.STRONG, rule="KA-7.6")


def _pair_lines(view: View, battle: Battle, found: DiceColumns, judged: int) -> Iterator[Line]:
    """Yield a line per pair, with signs for the first ``judged``, then the unpaired dice."""
    for number, (one, other) in enumerate(found.pairs):
        sign = _sign(one, other) if number < judged else "|"
        text = f"{_left(view, one)}{sign}{_right(view, other)}"
        yield Line(text, _tone(view, battle, sign), rule="KA-7.6")
    for die in found.ignored[ATTACK]:
        yield Line(_left(view, die, ignored=True), Tone.QUIET, rule="KA-7.6")
    for die in found.ignored[DEFENCE]:
        text = " " * (_HALF + 1) + _right(view, die, ignored=True)
        yield Line(text, Tone.QUIET, rule="KA-7.6")


def _card_lines(view: View, battle: Battle, found: DiceColumns, cards: CardPair) -> Iterator[Line]:
    """Yield the effects of cards on the comparison. See: KA-10.2."""
    for number, side in enumerate(battle.sides):
        if away := found.set_aside[number]:
            values = joined([str(die.value) for die in away])
            text = f"{called(view, side.seat)}: {values} set aside"
            yield Line(sentence(text), Tone.QUIET, side.seat, "KA-10.2")
        if has_op(cards, number, "ties_win") and not has_op(cards, 1 - number, "ties_win"):
            other = battle.sides[1 - number]
            text = f"{card_name(cards[number])}: {called(view, other.seat)} loses ties"
            yield Line(sentence(text), Tone.QUIET, side.seat, "KA-10.2")


def _loss_lines(
    view: View, battle: Battle, losses: Iterable[int], tone: Tone = Tone.NORMAL
) -> Iterator[Line]:
    for side, lost in zip(battle.sides, losses, strict=True):
        text = f"{called(view, side.seat)} loses {many(lost, 'unit')}"
        yield Line(sentence(text), tone, side.seat, "KA-7.7")


def _sign(one: Die, other: Die) -> str:
    if one.value == other.value:
        return "="
    return ">" if one.value > other.value else "<"


def _tone(view: View, battle: Battle, sign: str) -> Tone:
    """Return the tone of a pair for the viewer: good if its own die is higher."""
    won = {">": ATTACK, "<": DEFENCE}.get(sign)
    seats = [side.seat for side in battle.sides]
    if won is None or view.viewer not in seats:
        return Tone.NORMAL
    return Tone.GOOD if seats[won] == view.viewer else Tone.BAD


def _left(view: View, die: Die, *, ignored: bool = False) -> str:
    """Format a die of the attacker: its owner, its size, its value."""
    value = f"[{die.value}]" if ignored else str(die.value)
    return f"{_owner(view, die)} {f'D{die.sides}':<3}{value:>3}"


def _right(view: View, die: Die, *, ignored: bool = False) -> str:
    """Format a die of the defender, in reverse order."""
    value = f"[{die.value}]" if ignored else str(die.value)
    return f"{value:<3}{f'D{die.sides}':<3} {_owner(view, die)}"


def _owner(view: View, die: Die) -> str:
    """Return the letter of a die's unit or terrain. See: KA-7.5."""
    if die.source == "unit" and die.unit in view.units:
        return LETTERS[view.units[die.unit].kind]
    if die.source == "terrain" and view.battle is not None:
        return TERRAIN_LETTERS[view.tiles[view.battle.sides[die.side].tile].terrain]
    return _SIGNS.get(die.source, "?")


# -- moments ---------------------------------------------------------------------------------------

MOMENTS: Final[Handlers[Callable[[Any, View], Iterable[EventMoment]]]] = Handlers()
"""Functions that make moments, by event."""


def _marks(view: View, battle: Battle) -> Iterator[BoardMark]:
    """Yield two corners of both tiles; whole borders would be many cells to send."""
    for side, sign in zip(battle.sides, (MarkSign.HELD, MarkSign.TARGET), strict=True):
        cells = [*border(view.layout, side.tile)]
        left, right = min(x for x, _ in cells), max(x for x, _ in cells)
        top, low = min(y for _, y in cells), max(y for _, y in cells)
        for x, y in cells:
            if (x, y) in {(left, top), (right, low)}:
                yield BoardMark(x, y, sign)


def _moment(view: View, battle: Battle, title: str, lines: Iterator[Line]) -> EventMoment:
    head = Line(title, Tone.TITLE, rule="KA-7.6")
    return EventMoment(tuple(_marks(view, battle)), (head, _heads(view, battle), *lines))


def _thrown(view: View, dice: Sequence[Die]) -> Iterator[Line]:
    """Yield the dice in the order of the units, before they are sorted."""
    first, second = ([die for die in dice if die.side == side] for side in (ATTACK, DEFENCE))
    for one, other in zip_longest(first, second):
        left = _left(view, one) if one is not None else " " * _HALF
        right = _right(view, other) if other is not None else ""
        yield Line(f"{left}|{right}".rstrip(), rule="KA-7.6")


_TUMBLES: Final = 2
"""Number of moments in which dice roll before they come to rest."""


def _tumbling(dice: Sequence[Die], step: int) -> list[Die]:
    """Return dice with other faces than thrown; no two neighbouring ones are alike.

    Faces follow from the throw and its place, because only the game's dice may use chance.
    """
    return [
        replace(die, value=(die.value + 3 * number + 5 * (_TUMBLES - step) + 1) % die.sides + 1)
        for number, die in enumerate(dice)
    ]


@MOMENTS.on(ev.DiceRolled)
def _rolled(event: ev.DiceRolled, before: View) -> Iterator[EventMoment]:
    """Show the dice rolling, then at rest."""
    battle = before.battle
    if battle is not None:
        for step in range(_TUMBLES):
            dice = _tumbling(event.dice, step)
            yield _moment(before, battle, "The dice roll", _thrown(before, dice))
        yield _moment(before, battle, "The dice are thrown", _thrown(before, event.dice))


@MOMENTS.on(ev.DiceRerolled)
def _rerolled(event: ev.DiceRerolled, before: View) -> Iterator[EventMoment]:
    """Show the dice after some are thrown again."""
    if before.battle is not None:
        title = "Some are thrown again"
        yield _moment(before, before.battle, title, _thrown(before, event.dice))


@MOMENTS.on(ev.PairsCompared)
def _compared(event: ev.PairsCompared, before: View) -> Iterator[EventMoment]:
    """Show the dice sorted from high to low, then pair by pair, then the losses."""
    battle = before.battle
    if battle is None:
        return
    found = dice_columns(battle.dice, cards_at_work(battle))
    yield _moment(before, battle, "The dice are sorted", _half_sorted(before, battle))
    for judged in range(len(found.pairs) + 1):
        title = f"Pair {judged} of {len(found.pairs)}" if judged else "Sorted high to low"
        yield _moment(before, battle, title, _pair_lines(before, battle, found, judged))
    pairs = _pair_lines(before, battle, found, len(found.pairs))
    losses = _loss_lines(before, battle, event.losses, Tone.STRONG)
    yield _moment(before, battle, "The losses", chain(pairs, losses))


def _half_sorted(view: View, battle: Battle) -> Iterator[Line]:
    """Yield the dice with only each side's highest moved to the top."""
    dice: list[Die] = []
    for side in (ATTACK, DEFENCE):
        own = [die for die in battle.dice if die.side == side]
        highest = max(own, key=lambda die: die.value, default=None)
        dice += sorted(own, key=lambda die: die is not highest)
    return _thrown(view, dice)
