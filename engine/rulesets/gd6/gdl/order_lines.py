"""Orders as lines of the order language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from engine.rulesets.gd6.gdl.faults import Code, WrongWord
from engine.rulesets.gd6.gdl.words import (
    ARROW,
    CONSTRUCT_WORDS,
    HQ,
    ITEM_WORDS,
    MINES,
    item,
    path,
    pieces,
    quantity,
    shown,
    territory,
    unit_letters,
    unit_of,
    whole,
)
from engine.rulesets.gd6.orders import (
    AnyOrder,
    Build,
    Buy,
    LayMines,
    Move,
    PlaceHq,
    Promote,
    Spawn,
    Unit,
    UseCrop,
    UseDynamite,
    UseToxic,
)

Reader: TypeAlias = Callable[[Sequence[str], int], AnyOrder]
"""The order of the words after the keyword, on a map of so many territories."""


def _con(words: Sequence[str], count: int) -> AnyOrder:
    """Settle, build, spawn, promote or lay mines. Rules: GD-GDL-3."""
    at, what = territory(words[0], count), words[1]
    if what == HQ:
        return PlaceHq(at)
    if what in CONSTRUCT_WORDS:
        return Build(at, CONSTRUCT_WORDS[what])
    number, letter = quantity(what)
    if letter == MINES:
        return LayMines(at, number)
    unit = unit_of(letter, what)
    return Spawn(at, number) if unit == "army" else Promote(at, unit, number)


def _buy(words: Sequence[str], count: int) -> AnyOrder:  # noqa: ARG001 - all readers are alike
    """Buy an item. Rules: GD-GDL-3."""
    return Buy(item(words[0]))


def _use(words: Sequence[str], count: int) -> AnyOrder:
    """Use an item, which is looked at first. Rules: GD-GDL-3, GD-GDL-4."""
    where, what = words[0], item(words[1])
    if what == "crop":
        return UseCrop(_lots(where, count))
    parts = pieces(where)
    if what == "dynamite":
        if len(parts) != 2:
            raise WrongWord(Code.BAD_PATH, f"{words[1]} wants two territories, not {shown(where)}")
        source, target = path(where, count)
        return UseDynamite(source, target)
    if len(parts) > 2:
        text = f"{words[1]} wants one territory or two, not {shown(where)}"
        raise WrongWord(Code.BAD_PATH, text)
    found = path(where, count)
    return UseToxic(found[0], found[-1])


def _lots(word: str, count: int) -> tuple[tuple[int, int], ...]:
    lots: dict[int, int] = {}
    for pair in word.split(","):
        parts = pair.split(":")
        if len(parts) != 2:
            text = f"{shown(pair)} is no territory with a number, such as 4:2"
            raise WrongWord(Code.BAD_ARGUMENT, text)
        at, armies = territory(parts[0], count), whole(parts[1])
        if armies is None:
            raise WrongWord(Code.BAD_ARGUMENT, f"{shown(parts[1])} is no number of armies")
        if at in lots:
            raise WrongWord(Code.BAD_ARGUMENT, f"territory {at} stands twice")
        lots[at] = armies
    return tuple(lots.items())


def _mov(words: Sequence[str], count: int) -> AnyOrder:
    """Move units; how long the path may be is asked later. Rules: GD-GDL-3."""
    way = path(words[0], count)
    number, letter = quantity(words[1])
    return Move(way, number, unit_of(letter, words[1]))


READERS: Final[Mapping[str, tuple[int, Reader]]] = {
    "Con": (2, _con),
    "Buy": (1, _buy),
    "Use": (2, _use),
    "Mov": (2, _mov),
}
"""The keywords of orders: how many words follow, and who reads them."""


def write_order(order: AnyOrder) -> str:
    """The line of an order. Rules: GD-GDL-3, GD-GDL-5."""
    match order:
        case PlaceHq() | Build() | Spawn() | Promote() | LayMines():
            return f"Con {order.at} {_what(order)}"
        case Move():
            way = ARROW.join(map(str, order.path))
            return f"Mov {way} {_counted(order.count, order.unit)}"
        case _:
            return _write_item(order)


def _what(order: PlaceHq | Build | Spawn | Promote | LayMines) -> str:
    match order:
        case PlaceHq():
            return HQ
        case Build():
            return _word(CONSTRUCT_WORDS, order.construct)
        case Spawn():
            return _counted(order.count, "army")
        case Promote():
            return _counted(order.count, order.unit)
        case LayMines():
            return f"{order.count}{MINES}"
        case _:
            assert_never(order)


def _write_item(order: UseCrop | UseDynamite | UseToxic | Buy) -> str:
    match order:
        case Buy():
            return f"Buy {_word(ITEM_WORDS, order.item)}"
        case UseCrop():
            lots = ",".join(f"{at}:{armies}" for at, armies in order.lots)
            return f"Use {lots} {_word(ITEM_WORDS, 'crop')}"
        case UseDynamite():
            way = f"{order.source}{ARROW}{order.target}"
            return f"Use {way} {_word(ITEM_WORDS, 'dynamite')}"
        case UseToxic():
            onto = "" if order.source == order.target else f"{ARROW}{order.target}"
            return f"Use {order.source}{onto} {_word(ITEM_WORDS, 'toxic')}"
        case _:
            assert_never(order)


def _counted(count: int, unit: Unit) -> str:
    return f"{count}{_word(unit_letters(), unit)}"


def _word(words: Mapping[str, str], meaning: str) -> str:
    return next(word for word, meant in words.items() if meant == meaning)
