"""Games that together use every value of every option, in as few games as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any, Final, NamedTuple

from engine.core.codec import decoder, encode
from engine.core.dice import Scripted, Seeded, unpack
from engine.core.game import Bug, Game
from engine.core.ids import PUBLIC, REFEREE
from engine.core.options import OptionFault, Value
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.replay import apply, verify
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault, entry_type
from engine.tabletop.presenter import presenter_of
from tests.contract.aids import aids_of
from tests.contract.plans import carry_out, plan
from tests.contract.test_pictures import assert_readable
from tests.contract.test_whole_games import assert_again
from tests.contract.walks import SEED, AnyGame, Step, grounds, nudged, numbers, offered, some, walk
from tests.coverings import covering, values_of

_TRIED: Final = 6
"""Number of a seat's offers to try in a position, each with two slightly wrong variants."""


class OptionGame(NamedTuple):
    """Index of a scenario in ``option_grounds``, and options with which it can be played."""

    ground: int
    options: Mapping[str, Value]


def option_grounds(rules: AnyRuleset) -> tuple[Scenario, ...]:
    """Return the small scenarios of a ruleset, and those that its aids add for options."""
    return (*grounds(rules), *aids_of(rules).option_scenarios)


@cache
def option_games(name: str) -> tuple[OptionGame, ...]:
    """Return games in which any two values of two options meet, if a scenario takes both.

    A scenario's game omits values that the scenario refuses. A value that is omitted in this way
    but is possible with another scenario gets a game of its own.
    """
    rules = find(name)
    taken = [_taken(rules, ground) for ground in option_grounds(rules)]
    some = set[tuple[str, Value]]().union(*taken)
    values = {
        option.name: possible
        for option in rules.options
        if (possible := [value for value in values_of(option) if (option.name, value) in some])
    }
    games = []
    for number, row in enumerate((*covering(values), *aids_of(rules).option_rows)):
        ground = number % len(taken)
        fitting = {name: value for name, value in row.items() if (name, value) in taken[ground]}
        games.append(OptionGame(ground, fitting))
    played = {pair for game in games for pair in game.options.items()}
    for ground, pairs in enumerate(taken):
        for pair in sorted(pairs - played, key=str):
            games.append(OptionGame(ground, dict([pair])))
            played.add(pair)
    return tuple(games)


def left_out(name: str) -> set[str]:
    """Return the options that have a value in no game."""
    played = {pair for game in option_games(name) for pair in game.options.items()}
    return {
        option.name
        for option in find(name).options
        if not {(option.name, value) for value in values_of(option)} <= played
    }


def _taken(rules: AnyRuleset, scenario: Scenario) -> set[tuple[str, Value]]:
    """Return the (option, value) pairs with which a scenario can begin, each tried alone."""
    found = set()
    for option in rules.options:
        for value in values_of(option):
            with suppress(OptionFault, ScenarioFault):
                rules.begin(scenario, {option.name: value}, Seeded(SEED, 0, "decide"))
                found.add((option.name, value))
    return found


def play(name: str, number: int, length: int, levels: Iterable[str], purpose: str = "") -> AnyGame:
    """Walk through a game with checks after each order, then let computer players continue.

    Args:
        name: name of the ruleset.
        number: index of the game in ``option_games``.
        length: maximum number of orders.
        levels: levels of computer players; each takes a turn for every seat that must act.
        purpose: seed of the walk; another text gives another walk.

    Raises:
        AssertionError: a promise is not kept.
    """
    rules = find(name)
    drawn = option_games(name)[number]
    bugs: list[Bug] = []
    scenario = option_grounds(rules)[drawn.ground]
    game: AnyGame = Game.begin(rules, scenario, drawn.options, SEED, on_bug=bugs.append)
    choices = numbers(f"options {name} {number} {purpose}", length)
    for step in walk(game, choices):
        _look(step)
        assert not bugs, bugs
    for level in levels:
        _computer_turn(game, level)
    assert not bugs, bugs
    assert_again(rules, game.state)
    assert verify(rules, game.log).divergence is None
    return game


def _look(step: Step) -> None:
    """Check one order: decide is pure, every viewer can be informed, encoding loses nothing."""
    game, entry = step.game, step.entry
    rules = game.rules
    again = rules.decide(step.before, step.seat, step.command, Scripted(unpack(entry.throws)))
    assert again == entry.events
    read = decoder(entry_type(rules)).decode(encode(entry))
    assert encode(apply(rules, step.before, read)) == encode(game.state)
    for viewer in (step.seat, PUBLIC, REFEREE):
        seen = game.view(viewer)
        imagined = rules.imagine(seen, Seeded(SEED, entry.seq, "imagine"))
        assert rules.view(imagined, viewer) == seen
        _tell(rules, step, viewer)
    _try_offers(game)


def _tell(rules: AnyRuleset, step: Step, viewer: int) -> None:
    presenter, state = presenter_of(rules), step.before
    for event in step.entry.events:
        after = rules.evolve(state, event)
        told = rules.redact(event, state, after, viewer)
        if told is not None:
            views = rules.view(state, viewer), rules.view(after, viewer)
            assert_readable(presenter.tell(told, views[1]))
            presenter.facts(told, *views)
            presenter.losses(told, *views)
        state = after


def _try_offers(game: AnyGame) -> None:
    """Check that offers are accepted, and that a refused variant of one changes nothing."""
    rules, state = game.rules, game.state
    for seat in rules.owes(state):
        for command in some(offered(game, seat), _TRIED):
            dice = Seeded(b"any", len(game.log), "decide")
            assert rules.decide(state, seat, command, dice)
            for near in islice(nudged(rules, command), 2):
                with suppress(Refused):
                    rules.decide(state, seat, near, Seeded(b"any", len(game.log), "decide"))


def _computer_turn(game: AnyGame, level: str) -> None:
    """Let a level act for each seat that must act; the first order of its plan must be accepted."""
    for seat in _owing(game):
        commands = plan(game.rules, level, game.view(seat), seat, len(game.log))
        assert commands
        carry_out(game, seat, commands)


def _owing(game: AnyGame) -> Iterator[int]:
    """Yield the seats that must act, one after another, each at most once."""
    done: set[Any] = set()
    while left := sorted(game.rules.owes(game.state) - done):
        done.add(left[0])
        yield left[0]
