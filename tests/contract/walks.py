"""Short games out of lists of numbers: each number picks a seat and one of its offers.

In the usual profile tests take their walks out of the same two dozens, or walk some way of the same
long one. A step that another test took in the very same place is remembered, with what was decided
and the states that came of it, so that a walk costs something once only. Remembered is as well what
is offered in a position, however it was come to. In ``explore`` Hypothesis makes up any lists, and
shrinks them, and with them the games.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from msgspec import ValidationError

from engine.core.codec import convert, encode, plain
from engine.core.decision import states_around
from engine.core.dice import Seeded
from engine.core.feed import AnyChange, Change
from engine.core.game import Game, Journal
from engine.core.ids import PUBLIC, REFEREE, Seat, Viewer
from engine.core.log import AnyEntry
from engine.core.options import Value
from engine.core.record import Command, tag
from engine.core.ruleset import AnyRuleset, Scenario
from engine.tabletop.presenter import presenter_of

T = TypeVar("T")

AnyGame: TypeAlias = Game[Any, Any, Any, Any]

SEED: Final = b"contract"
RULE_ID: Final = r"([A-Z][A-Z0-9]*-([A-Z]+-\d+|\d+(\.\d+[a-z]?)?))?"
"""A rule id, such as ``GD-OPT-1`` or ``W2-8.4``, or none."""

LARGEST: Final = 500
"""Most cells of a board that walks are made on."""

_CHOICES: Final = st.integers(0, 999_999)
_IS_USUAL: Final = settings().max_examples < 100
_LONG: Final = (15, 30) if _IS_USUAL else (25, 50)
"""Least and greatest length of long walks, in the usual profile and in one that tries more."""

_ANY_WALKS: Final = st.lists(_CHOICES, max_size=10) | st.lists(
    _CHOICES, min_size=_LONG[0], max_size=_LONG[1]
)


def numbers(purpose: str, count: int) -> Iterator[int]:
    """Numbers for a long walk, always the same."""
    dice = Seeded(SEED, 0, purpose)
    return (dice.roll(1_000_000) - 1 for _ in range(count))


_LENGTHS: Final = (*range(11), *range(_LONG[0], _LONG[1] + 1, 2), *range(_LONG[0] + 1, _LONG[1], 3))

WALKS: Final = (
    st.sampled_from([[*numbers(f"walk {place}", size)] for place, size in enumerate(_LENGTHS)])
    if _IS_USUAL
    else _ANY_WALKS
)
"""Each number stands for one command. Failing walks shrink towards the short ones."""

_MOST_KEPT: Final = 10_000
"""Positions whose offers are remembered, and steps that are."""


def long_walk(count: int) -> Iterator[int]:
    """Numbers for the long walk that all tests share, as far as each of them needs it."""
    return numbers("usual", count)


def examples(count: int) -> settings:
    """Number of examples: two fifths of ``count`` usually, ten times it in ``explore``."""
    return settings(max_examples=max(1, count * settings().max_examples // 50))


class Step(NamedTuple):
    """One accepted command, the state before it, and the kinds of command offered there."""

    game: AnyGame
    before: Any
    seat: Seat
    command: Command
    kinds: frozenset[str]
    entry: AnyEntry


class _Taken(NamedTuple):
    """A step as it is taken again: the change that it made, and what led to that."""

    seat: Seat
    command: Command
    kinds: frozenset[str]
    change: AnyChange


_grounds: dict[str, tuple[Scenario, ...]] = {}
_offers: dict[tuple[int, Seat, bytes], tuple[AnyRuleset, list[Command]]] = {}
_beginnings: dict[tuple[int, int], AnyChange] = {}
_taken: dict[tuple[int, int, bytes, int, int, int], _Taken] = {}
"""Steps by all that decides what they are: rules, position, seed, numbers of the entry, choice.

Rules and positions are known by their identity; the changes keep them, so that no others get it.
"""


def grounds(rules: AnyRuleset) -> tuple[Scenario, ...]:
    """The small scenarios of a ruleset; every ruleset has one."""
    if rules.name not in _grounds:
        every = rules.scenarios().values()
        _grounds[rules.name] = tuple(one for one in every if _cells(rules, one) <= LARGEST)
    assert _grounds[rules.name], f"{rules.name} ships no small scenario"
    return _grounds[rules.name]


def _cells(rules: AnyRuleset, scenario: Scenario) -> int:
    view = Game.begin(rules, scenario, {}, SEED).view(PUBLIC)
    board = presenter_of(rules).board(view, presenter_of(rules).zooms[0])
    return board.width * board.height


def begun(
    rules: AnyRuleset, choices: Sequence[int] = (), *, journal: Journal | None = None
) -> AnyGame:
    """A new game; the first number picks the scenario."""
    listed = grounds(rules)
    ground = choices[0] % len(listed) if choices else 0
    if (id(rules), ground) not in _beginnings:
        entry = Game.begin(rules, listed[ground], {}, SEED).log[0]
        states = states_around(rules, rules.empty(), entry.events)
        _beginnings[id(rules), ground] = Change(rules, entry, states)
    game: AnyGame = Game(rules, SEED, journal=journal)
    _again(game, _beginnings[id(rules), ground])
    return game


def drawn_options(rules: AnyRuleset, chance: random.Random) -> dict[str, Value]:
    """Draw some of the options that are words."""
    words = [option for option in rules.options if option.choices and chance.random() < 0.7]
    return {option.name: chance.choice(option.choices) for option in words}


def seats(rules: AnyRuleset) -> range:
    """All seats there can be."""
    return range(rules.traits.seats[1])


def viewers(rules: AnyRuleset) -> tuple[Viewer, ...]:
    """All who can look on."""
    return (*seats(rules), PUBLIC, REFEREE)


def offered(game: AnyGame, seat: Seat) -> list[Command]:
    """Offers to a seat."""
    key = id(game.rules), seat, encode(game.state)
    if key not in _offers:
        if len(_offers) >= _MOST_KEPT:
            _offers.clear()
        _offers[key] = game.rules, list(game.rules.offers(game.view(seat)))
    return [*_offers[key][1]]


def choose(game: AnyGame, choice: int) -> tuple[Seat, Command] | None:
    """A seat that owes, a kind of command, a command: all out of one number."""
    chosen = _choose(game, choice)
    return chosen and chosen[:2]


def _choose(game: AnyGame, choice: int) -> tuple[Seat, Command, frozenset[str]] | None:
    """The same with the kinds that the seat is offered."""
    owing = sorted(game.rules.owes(game.state))
    if not owing:
        return None
    rest, which = divmod(choice, len(owing))
    kinds = _offered_kinds(game, owing[which])
    rest, which_kind = divmod(rest, len(kinds))
    listed = list(kinds.values())[which_kind]
    return owing[which], listed[rest % len(listed)], frozenset(kinds)


def _offered_kinds(game: AnyGame, seat: Seat) -> dict[str, list[Command]]:
    """Offers to a seat by kind."""
    kinds: dict[str, list[Command]] = {}
    for command in offered(game, seat):
        kinds.setdefault(tag(command), []).append(command)
    assert kinds, f"seat {seat} owes, but is offered nothing"
    return kinds


def some(listed: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of a list, evenly spread over it, the first among them."""
    return listed[:: max(1, -(-len(listed) // most))]


def walk(game: AnyGame, choices: Iterable[int]) -> Iterator[Step]:
    """Play one command for each number, as long as the game goes on."""
    for choice in choices:
        before = game.state
        taken = _take(game, choice)
        if taken is None:
            return
        entry: Any = taken.change.entry
        yield Step(game, before, taken.seat, taken.command, taken.kinds, entry)


def _take(game: AnyGame, choice: int) -> _Taken | None:
    """Play the command that a number stands for, if the game goes on."""
    key = id(game.rules), id(game.state), game._seed, len(game.log), game.head, choice
    taken = _taken.get(key)
    if taken is not None:
        _again(game, taken.change)
    elif (chosen := _choose(game, choice)) is not None:
        if len(_taken) >= _MOST_KEPT:
            _taken.clear()
        taken = _taken[key] = _Taken(*chosen, _submitted(game, *chosen[:2]))
    return taken


def _submitted(game: AnyGame, seat: Seat, command: Command) -> AnyChange:
    changes: list[AnyChange] = []
    stop = game.listen(changes.append)
    try:
        game.submit(seat, command)
    finally:
        stop()
    return changes[0]


def _again(game: AnyGame, change: AnyChange) -> None:
    """Let a change take effect in a game that is where it was made."""
    game._commit(Change(change.rules, change.entry, change.states))


def wander(game: AnyGame, choices: Iterable[int]) -> None:
    """As ``walk``, but every few numbers take something back or branch off."""
    for choice in choices:
        rest, kind = divmod(choice, 6)
        if kind == 0 and game.can_undo(game.log[game.head].seat):
            game.undo(game.log[game.head].seat)
        elif kind == 1:
            game.go(rest % len(game.log))
        elif (chosen := choose(game, rest)) is not None:
            game.submit(*chosen)


def nudged(rules: AnyRuleset, command: Command) -> Iterator[Command]:
    """The command with one of its numbers changed by one: often something that is refused."""
    raw = plain(command)
    for change in (-1, 1):
        for place in range(_numbers_in(raw)):
            other, _ = _changed(raw, place, change)
            with suppress(ValidationError):
                yield convert(other, rules.command_type)


def _numbers_in(raw: Any) -> int:
    if isinstance(raw, dict | list | tuple):
        parts = raw.values() if isinstance(raw, dict) else raw
        return sum(_numbers_in(part) for part in parts)
    return int(isinstance(raw, int) and not isinstance(raw, bool))


def _changed(raw: Any, place: int, change: int) -> tuple[Any, int]:
    """A copy in which the number at ``place`` is changed, and the place counted on from there."""
    if isinstance(raw, dict):
        values, place = _changed(list(raw.values()), place, change)
        return dict(zip(raw, values, strict=True)), place
    if isinstance(raw, list | tuple):
        parts = []
        for part in raw:
            other, place = _changed(part, place, change)
            parts.append(other)
        return parts, place
    if not _numbers_in(raw):
        return raw, place
    return (raw + change if place == 0 else raw), place - 1
