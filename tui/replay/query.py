"""Query language for moments of a game: ``attack where chance > 80% and lost``.

Parsed with Lark: the grammar is a dozen lines, and its errors know their column.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args

from engine.core.scenarios import seat_of
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import FactKind
from tui.replay.timeline import Moment, SeatStatistics, Story

if TYPE_CHECKING:
    from lark import Lark, Token


LONGEST: Final = 400
"""Maximum characters of a query, which also limits the nesting of brackets."""

_GRAMMAR: Final = r"""
?clause: any ("where"i any)?
?any: all ("or"i all)*
?all: one ("and"i one)*
?one: "not"i one -> negation
    | "(" any ")"
    | NAME OPERATOR value -> comparison
    | NAME -> flag
value: NUMBER "%" -> percent
     | NUMBER "/" NUMBER -> ratio
     | NUMBER -> number
     | STRING -> text
     | NAME -> word
OPERATOR: "!=" | "<=" | ">=" | "=" | "<" | ">" | "~"
NUMBER: /-?\d+(\.\d+)?/
STRING: /"[^"]*"|'[^']*'/
NAME: /[^\W\d][\w.\-]*/i
%ignore /\s+/
"""

_OPPOSITE: Final = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
"""For each comparison the one that is true if it is false."""

_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class BadQuery(ValueError):
    """The query cannot be parsed; the text is one line with the column of the fault, from 1."""

    def __init__(self, column: int, reason: str) -> None:
        super().__init__(f"column {column}: {reason}")
        self.column = column


@dataclass(frozen=True)
class Scope:
    """What a query is tested on: a moment, and the statistics after its entry."""

    moment: Moment
    numbers: SeatStatistics


Test: TypeAlias = Callable[[Scope], bool]
NumberField: TypeAlias = Callable[[Scope], "Fraction | int | None"]


@dataclass(frozen=True)
class Query:
    """Parsed query."""

    text: str
    test: Test
    opposite: Test
    """Test for moments to which the query applies, but which do not match.

    A moment without the number or seat that the query asks about passes neither test.
    """

    def search(self, story: Story) -> list[Moment]:
        """Return the matching moments of a story in order, as far as it was read."""
        known = story.numbers
        return [
            moment
            for moment in tuple(story.moments)
            if self.test(Scope(moment, known[moment.index] if moment.index < len(known) else {}))
        ]


# -- queries -------------------------------------------------------------------------------------


def _luck(scope: Scope) -> Fraction | None:
    fact = scope.moment.fact
    if fact.amount is None or fact.odds is None:
        return None
    return fact.amount - fact.odds.mean


def _chance(scope: Scope) -> Fraction | None:
    found = scope.moment.fact.chance
    return Fraction(*found) if found is not None else None


def _amount(scope: Scope) -> int | None:
    return scope.moment.fact.amount


def _expected(scope: Scope) -> Fraction | None:
    odds = scope.moment.fact.odds
    return odds.mean if odds is not None else None


def _cell(which: str, axis: int) -> NumberField:
    def read(scope: Scope) -> int | None:
        at: tuple[int, int] | None = getattr(scope.moment.fact, which)
        return at[axis] if at is not None else None

    return read


NUMBERS: Final[Mapping[str, NumberField]] = {
    "entry": lambda scope: scope.moment.entry,
    "round": lambda scope: scope.moment.round,
    "chance": _chance,
    "amount": _amount,
    "damage": _amount,
    "price": _amount,
    "expected": _expected,
    "luck": _luck,
    "x": _cell("at", 0),
    "y": _cell("at", 1),
    "from.x": _cell("source", 0),
    "from.y": _cell("source", 1),
}
"""Numeric fields, by name; a moment without the number matches no comparison with it."""

WORDS: Final[Mapping[str, Callable[[Scope], str]]] = {
    "kind": lambda scope: scope.moment.fact.kind,
    "piece": lambda scope: scope.moment.fact.piece,
    "target": lambda scope: scope.moment.fact.target,
    "phase": lambda scope: scope.moment.phase,
}
"""Text fields, by name; they are compared without regard to case."""

SEATS: Final[Mapping[str, Callable[[Scope], int]]] = {
    "seat": lambda scope: scope.moment.fact.seat,
    "other": lambda scope: scope.moment.fact.other,
}
"""Fields that are seats, compared by name."""


def _has_kind(kind: str, scope: Scope) -> bool:
    return scope.moment.fact.kind == kind


FLAGS: Final[Mapping[str, Test]] = {
    "won": lambda scope: scope.moment.fact.won is True,
    "lost": lambda scope: scope.moment.fact.won is False,
    **{kind: partial(_has_kind, kind) for kind in get_args(FactKind)},
}
"""Words that are tests on their own: kinds of facts, and results of an attempt."""


# -- parsing -------------------------------------------------------------------------------------


def parse(text: str, seats: Sequence[str], statistics: Collection[str] = ()) -> Query:
    """Parse a query; ``seats`` are names, ``statistics`` the names of the game's statistics.

    Raises:
        BadQuery: the query cannot be parsed; the text gives the column.
    """
    from lark import UnexpectedInput  # noqa: PLC0415 - not before somebody searches

    if len(text) > LONGEST:
        raise BadQuery(LONGEST + 1, f"no query is longer than {LONGEST} characters")
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as problem:
        raise _unread(text, problem) from None
    reader = _Reader(seats, statistics)
    return Query(text, reader.test(tree), reader.opposite(tree))


@cache
def _parser() -> Lark:
    from lark import Lark  # noqa: PLC0415 - not before somebody searches

    return Lark(_GRAMMAR, start="clause", parser="lalr")


def _unread(text: str, problem: Any) -> BadQuery:
    if getattr(getattr(problem, "token", None), "type", "") == "$END":
        return BadQuery(len(text.rstrip()) + 1, "something is missing here")
    column = max(1, problem.column)
    return BadQuery(column, f"{text[column - 1 :].split(maxsplit=1)[0]!r} cannot stand here")


class _Reader:
    """Compiler from a parsed query to a test."""

    def __init__(self, seats: Sequence[str], statistics: Collection[str]) -> None:
        self.seats = tuple(seats)
        self.statistics = {name.casefold(): name for name in statistics}

    def test(self, tree: Any) -> Test:
        """Return the test for a part of a query."""
        if tree.data == "comparison":
            return self._comparison(*tree.children)
        if tree.data == "flag":
            return self._flag(tree.children[0])
        parts = [self.test(child) for child in tree.children]
        if tree.data == "negation":
            return lambda scope: not parts[0](scope)
        if tree.data == "any":
            return lambda scope: any(part(scope) for part in parts)
        return lambda scope: all(part(scope) for part in parts)

    def opposite(self, tree: Any) -> Test:
        """Return the negated test of a part.

        Like the test, it is False if the part does not apply.
        """
        if tree.data == "comparison":
            return self._opposite_comparison(*tree.children)
        if tree.data == "flag":
            flag = self._flag(tree.children[0])
            return lambda scope: not flag(scope)
        if tree.data == "negation":
            return self.test(tree.children[0])
        parts = [self.opposite(child) for child in tree.children]
        if tree.data == "any":
            return lambda scope: all(part(scope) for part in parts)
        return lambda scope: any(part(scope) for part in parts)

    def _opposite_comparison(self, field: Token, sign: Token, value: Any) -> Test:
        if sign == "~":
            test = self._comparison(field, sign, value)
            return lambda scope: not test(scope)
        return self._comparison(field, sign.update(value=_OPPOSITE[sign]), value)

    def _flag(self, token: Token) -> Test:
        found = FLAGS.get(token.casefold())
        if found is not None:
            return found
        hint = ", ".join(FLAGS)
        known = self._is_field(token)
        reason = f"{token} needs a comparison" if known else f"no such word: {token}; try {hint}"
        raise BadQuery(_column(token), reason)

    def _is_field(self, token: Token) -> bool:
        name = token.casefold()
        return name in WORDS or name in SEATS or self._number(name) is not None

    def _comparison(self, field: Token, sign: Token, value: Any) -> Test:
        name = field.casefold()
        if name in WORDS:
            return _word_test(WORDS[name], sign, _plain(value))
        if name in SEATS:
            return self._seat_test(SEATS[name], sign, value)
        number = self._number(name)
        if number is None:
            raise BadQuery(_column(field), f"there is nothing called {field}")
        return self._number_test(name, number, sign, value)

    def _number(self, name: str) -> NumberField | None:
        """Return a numeric field or statistic: ``units`` of the acting seat, or ``units.NAME``."""
        if name in NUMBERS:
            return NUMBERS[name]
        stem, _, seat = name.partition(".")
        statistic = self.statistics.get(stem)
        whose = seat_of(self.seats, seat) if seat else None
        if statistic is None or (seat and whose is None):
            return None
        return lambda scope: _counted(scope, statistic, whose)

    def _number_test(self, name: str, field: NumberField, sign: Token, value: Any) -> Test:
        if sign == "~":
            raise BadQuery(_column(sign), f"{name} is a number: use = != < <= > >=")
        other = self._other_number(name, value)
        compare = _COMPARE[sign]

        def test(scope: Scope) -> bool:
            left, right = field(scope), other(scope)
            return left is not None and right is not None and compare(left, right)

        return test

    def _other_number(self, name: str, value: Any) -> NumberField:
        token = value.children[0]
        if value.data == "word" and (found := self._number(token.casefold())) is not None:
            return found
        if value.data in {"word", "text"}:
            raise BadQuery(_column(token), f"{name} is compared with a number, not with {token}")
        number = _number_of(value)
        if name == "chance" and value.data == "number" and number > 1:
            number /= 100
        return lambda _: number

    def _seat_test(self, field: Callable[[Scope], int], sign: Token, value: Any) -> Test:
        wanted = _plain(value)
        if sign == "~":
            return _word_test(lambda scope: seat_name(self.seats, field(scope)), sign, wanted)
        if sign not in {"=", "!="}:
            raise BadQuery(_column(sign), "a seat is compared with = != or ~")
        seat, compare = seat_of(self.seats, wanted), _COMPARE[sign]
        if seat is None:
            known = ", ".join(self.seats)
            at = _column(value.children[0])
            raise BadQuery(at, f"there is no seat {value.children[0]}; there are {known}")
        return lambda scope: field(scope) != NOBODY and compare(field(scope), seat)


def _word_test(field: Callable[[Scope], str], sign: Token, wanted: str) -> Test:
    if sign == "~":
        return lambda scope: wanted in field(scope).casefold()
    if sign not in {"=", "!="}:
        raise BadQuery(_column(sign), "words are compared with = != or ~")
    compare = _COMPARE[sign]
    return lambda scope: compare(field(scope).casefold(), wanted)


def _counted(scope: Scope, name: str, whose: int | None) -> int | None:
    values = scope.numbers.get(name, ())
    seat = scope.moment.fact.seat if whose is None else whose
    return values[seat] if 0 <= seat < len(values) else None


def _number_of(value: Any) -> Fraction:
    first = Fraction(str(value.children[0]))
    if value.data == "percent":
        return first / 100
    if value.data == "ratio":
        below = value.children[1]
        if not Fraction(str(below)):
            raise BadQuery(_column(below), "nothing can be divided by 0")
        return first / Fraction(str(below))
    return first


def _plain(value: Any) -> str:
    """Return a value as a word, without quotes and in lower case."""
    text = "/".join(map(str, value.children)) + ("%" if value.data == "percent" else "")
    return text.strip("\"'").casefold() if value.data == "text" else text.casefold()


def _column(token: Token) -> int:
    return token.column or 1


# -- moments in words, and examples ----------------------------------------------------------------


EXAMPLES: Final = (
    "attack where chance > 80% and lost",
    "attack where damage >= 10 or luck < -5",
    "loss where seat = {seat}",
    "capture or end",
    "attack where chance < 1/4 and won",
    "loss where round >= 5 and round <= 8",
)
"""Example queries; ``{seat}`` is replaced by the name of a seat."""


def described(moment: Moment, seats: Sequence[str]) -> str:
    """Return a moment as a row of a list: round, place, kind, seat, piece, target, result."""
    fact = moment.fact
    parts = [f"{moment.round:>3}", f"#{moment.place:<7}", fact.kind.ljust(7)]
    parts += [seat_name(seats, fact.seat)] if fact.seat != NOBODY else []
    parts += [part for part in (fact.piece, fact.target and f"> {fact.target}") if part]
    if fact.won is not None:
        parts.append("won" if fact.won else "lost")
    if fact.chance is not None:
        parts.append(f"({per_cent(fact.chance)})")
    if fact.amount is not None:
        parts.append(str(fact.amount))
    return " ".join(parts)


def per_cent(chance: tuple[int, int]) -> str:
    """Return a chance in percent, never rounded to certainty."""
    share = Fraction(*chance)
    shown = round(share * 100)
    if share not in {0, 1} and shown in {0, 100}:
        return "<1%" if shown == 0 else ">99%"
    return f"{shown}%"


def seat_name(seats: Sequence[str], seat: int) -> str:
    """Return the name of a seat; empty for ``NOBODY``."""
    return seats[seat] if 0 <= seat < len(seats) else ""


def examples(seats: Sequence[str]) -> list[str]:
    """Return example queries that name a seat of this game."""
    return [example.format(seat=seats[0]) for example in EXAMPLES]
