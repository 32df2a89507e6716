"""Short games from lists of numbers: each number selects a seat and one of its offers.

In the default profile tests use about two dozen fixed walks, or a part of one long walk. Steps are
cached with their decision and states, so that a walk is computed only once; offers are cached by
position. In the profile ``explore`` Hypothesis makes any lists, and shrinks the lists and with them
the games.
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
"""Maximum cells of a board for walks."""

_CHOICES: Final = st.integers(0, 999_999)
_IS_USUAL: Final = settings().max_examples < 100
_LONG: Final = (15, 30) if _IS_USUAL else (25, 50)
"""Minimum and maximum length of long walks, in the default profile and in larger ones."""

_ANY_WALKS: Final = st.lists(_CHOICES, max_size=10) | st.lists(
    _CHOICES, min_size=_LONG[0], max_size=_LONG[1]
)


def numbers(purpose: str, count: int) -> Iterator[int]:
    """Return ``count`` pseudo-random numbers from 0 to 999999, the same for each ``purpose``."""
    dice = Seeded(SEED, 0, purpose)
    return (dice.roll(1_000_000) - 1 for _ in range(count))


_LENGTHS: Final = (*range(11), *range(_LONG[0], _LONG[1] + 1, 2), *range(_LONG[0] + 1, _LONG[1], 3))

WALKS: Final = (
    st.sampled_from([[*numbers(f"walk {place}", size)] for place, size in enumerate(_LENGTHS)])
    if _IS_USUAL
    else _ANY_WALKS
)
"""Lists of numbers, each number for one command; failing walks shrink to short ones."""

_MOST_KEPT: Final = 10_000
"""Maximum number of cached offers, and of cached steps."""


def long_walk(count: int) -> Iterator[int]:
    """Return the first ``count`` numbers of the long walk that all tests share."""
    return numbers("usual", count)


def examples(count: int) -> settings:
    """Return Hypothesis settings: two fifths of ``count`` examples, or more in ``explore``."""
    return settings(max_examples=max(1, count * settings().max_examples // 50))


class Step(NamedTuple):
    """An accepted command, the state before it, and the kinds of commands offered then."""

    game: AnyGame
    before: Any
    seat: Seat
    command: Command
    kinds: frozenset[str]
    entry: AnyEntry


class _Taken(NamedTuple):
    """A cached step: the seat and command, the offered kinds, and the resulting change."""

    seat: Seat
    command: Command
    kinds: frozenset[str]
    change: AnyChange


_grounds: dict[str, tuple[Scenario, ...]] = {}
_offers: dict[tuple[int, Seat, bytes], tuple[AnyRuleset, list[Command]]] = {}
_beginnings: dict[tuple[int, int], AnyChange] = {}
_taken: dict[tuple[int, int, bytes, int, int, int], _Taken] = {}
"""Cached steps by ruleset, state, seed, length of the log, head, and number.

Rulesets and states are keyed by ``id``; the changes keep them alive, so no id is reused.
"""


def grounds(rules: AnyRuleset) -> tuple[Scenario, ...]:
    """Return the small scenarios of a ruleset; every ruleset must have one."""
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
    """Return a new game; the first number selects the scenario."""
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
    """Draw some of the options that have a list of choices."""
    words = [option for option in rules.options if option.choices and chance.random() < 0.7]
    return {option.name: chance.choice(option.choices) for option in words}


def seats(rules: AnyRuleset) -> range:
    """Return all possible seats of a ruleset."""
    return range(rules.traits.seats[1])


def viewers(rules: AnyRuleset) -> tuple[Viewer, ...]:
    """Return all possible viewers of a ruleset."""
    return (*seats(rules), PUBLIC, REFEREE)


def offered(game: AnyGame, seat: Seat) -> list[Command]:
    """Return the offers to a seat, cached by position."""
    key = id(game.rules), seat, encode(game.state)
    if key not in _offers:
        if len(_offers) >= _MOST_KEPT:
            _offers.clear()
        _offers[key] = game.rules, list(game.rules.offers(game.view(seat)))
    return [*_offers[key][1]]


def choose(game: AnyGame, choice: int) -> tuple[Seat, Command] | None:
    """Return the seat and command that a number selects; None if no seat must act."""
    chosen = _choose(game, choice)
    return chosen and chosen[:2]


def _choose(game: AnyGame, choice: int) -> tuple[Seat, Command, frozenset[str]] | None:
    """Return the seat and command that a number selects, with the kinds offered; or None."""
    owing = sorted(game.rules.owes(game.state))
    if not owing:
        return None
    rest, which = divmod(choice, len(owing))
    kinds = _offered_kinds(game, owing[which])
    rest, which_kind = divmod(rest, len(kinds))
    listed = list(kinds.values())[which_kind]
    return owing[which], listed[rest % len(listed)], frozenset(kinds)


def _offered_kinds(game: AnyGame, seat: Seat) -> dict[str, list[Command]]:
    """Return the offers to a seat by kind of command."""
    kinds: dict[str, list[Command]] = {}
    for command in offered(game, seat):
        kinds.setdefault(tag(command), []).append(command)
    assert kinds, f"seat {seat} owes, but is offered nothing"
    return kinds


def some(listed: Sequence[T], most: int) -> Sequence[T]:
    """Return at most ``most`` items of a list, evenly spread, including the first."""
    return listed[:: max(1, -(-len(listed) // most))]


def walk(game: AnyGame, choices: Iterable[int]) -> Iterator[Step]:
    """Play one command for each number, until the numbers or the game end; yield the steps."""
    for choice in choices:
        before = game.state
        taken = _take(game, choice)
        if taken is None:
            return
        entry: Any = taken.change.entry
        yield Step(game, before, taken.seat, taken.command, taken.kinds, entry)


def _take(game: AnyGame, choice: int) -> _Taken | None:
    """Play the command that a number selects; return None if the game is over."""
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
    """Apply a change again, to a game in the state in which it was made."""
    game._commit(Change(change.rules, change.entry, change.states))


def wander(game: AnyGame, choices: Iterable[int]) -> None:
    """Play a command for each number, but undo or branch for about a third of them."""
    for choice in choices:
        rest, kind = divmod(choice, 6)
        if kind == 0 and game.can_undo(game.log[game.head].seat):
            game.undo(game.log[game.head].seat)
        elif kind == 1:
            game.go(rest % len(game.log))
        elif (chosen := choose(game, rest)) is not None:
            game.submit(*chosen)


def nudged(rules: AnyRuleset, command: Command) -> Iterator[Command]:
    """Yield variants of a command with one number changed by one; many of them are refused."""
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
    """Return a copy with the number at index ``place`` changed by ``change``.

    Also return the index counted from the end of ``raw``; it is negative once the number was found.
    """
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
