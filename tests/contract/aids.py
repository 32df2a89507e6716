"""Ruleset-specific aids for the contract suite, which itself names no game.

The suite runs on every ruleset without aids. A ruleset with secrets, rare commands or long games
can add a module ``for_contract.py`` with a constant ``AIDS`` to its tests. The tests of a ruleset
of this checkout are in ``tests/rulesets/NAME``; those of a separate package are in a folder
``tests`` inside the package or beside it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

from engine.core.ids import Seat
from engine.core.notation import command_classes
from engine.core.options import Value
from engine.core.record import Command
from engine.core.ruleset import AnyRuleset, Scenario

TESTS: Final = Path(__file__).parents[1]
MODULE: Final = "for_contract"

NEVER: Final = 10**6
"""Number of entries that no game reaches."""

LARGE: Final = 15
"""Minimum number of kinds of commands and events together of a large ruleset."""

Chance: TypeAlias = random.Random
PositionChange: TypeAlias = Callable[[Any, Seat, Chance], Any]
"""Changes something hidden at random: (state, seat that must not notice, random generator).

It returns the changed state, or the same state if no change is possible.
"""


class Ending(NamedTuple):
    """A game that ends: its scenario, and the entries from which sides resign or play stops."""

    ground: int
    seed: int = 1
    limited: bool = False
    """True if the game is played with the options in ``Aids.limits``."""
    resigns: int = NEVER
    stops: int = NEVER


class StoppedGame(NamedTuple):
    """A game of computer players that once got stuck before its end."""

    scenario: str
    options: Mapping[str, Value]
    levels: tuple[str, ...]
    seed: int


class Aids(NamedTuple):
    """Aids for one ruleset; every field has a default."""

    changes: tuple[PositionChange, ...] = ()
    """Changes of hidden things; the suite drops a change that alters the view of the seat."""
    secret_games: Callable[[Chance], tuple[Scenario, dict[str, Value]]] | None = None
    """Draws a scenario and options for the search for leaks; None draws any small scenario."""
    secret_orders: Callable[[Any, Seat, Chance], list[Command]] | None = None
    """Returns orders to try in the search for leaks; None tries the offers."""
    secret_tries: int = 600
    """Number of orders that the search for leaks tries."""

    late: tuple[Callable[[], Scenario], ...] = ()
    """Scenarios with positions whose commands short walks do not reach."""
    rare_walks: tuple[int, ...] = ()
    """Numbers of walks in which rare commands are offered; they are tried first."""

    option_scenarios: tuple[Scenario, ...] = ()
    """Further scenarios, for option values with which no shipped scenario can be played."""
    option_rows: tuple[Mapping[str, Value], ...] = ()
    """Further combinations of options to play."""
    options_of_makers: frozenset[str] = frozenset()
    """Names of options for generating maps, which no small scenario has."""

    seeds: Mapping[str, int] = {}
    """Seed of a short game for each level of computer players; 1 if a level is missing."""
    once_stopped: tuple[StoppedGame, ...] = ()
    share: int = 1
    """Weight of this ruleset when games are drawn among all rulesets."""
    weights: Mapping[str, int] = {}
    """Weights of scenarios when a game is drawn; 40 if a scenario is missing."""

    endings: tuple[Ending, ...] = (Ending(0),)
    """Games whose results are described in words."""
    battles: Callable[[Any], int] | None = None
    """Returns the number of attacks in an event of the log, for the result's count of them."""
    limits: Mapping[str, Value] = {}
    """Options with which a game ends early."""
    rounds: tuple[tuple[str, Mapping[str, Value], str], ...] = ()
    """(Scenario, options, text of the first round); "" is the first scenario."""


def is_large(rules: AnyRuleset) -> bool:
    """Return whether a ruleset has at least ``LARGE`` kinds of commands and events."""
    kinds = command_classes(rules.command_type), command_classes(rules.event_type)
    return sum(map(len, kinds)) >= LARGE


def code_of(rules: AnyRuleset) -> Path:
    """Return the folder of a ruleset's code and its RULES.md."""
    module = import_module(type(rules).__module__)
    assert module.__file__ is not None
    return Path(module.__file__).parent


def folder_of_tests(rules: AnyRuleset) -> Path:
    """Return the folder of a ruleset's own tests, which may be missing."""
    here, code = TESTS / "rulesets" / rules.name, code_of(rules)
    inside, beside = code / "tests", code.parent / "tests"
    return next((path for path in (here, inside, beside) if path.is_dir()), beside)


def aids_of(rules: AnyRuleset) -> Aids:
    """Return the aids for a ruleset; the defaults if it has none."""
    return _aids_in(folder_of_tests(rules))


@cache
def _aids_in(folder: Path) -> Aids:
    file = folder / f"{MODULE}.py"
    if not file.is_file():
        return Aids()
    found = _module(file).AIDS
    assert isinstance(found, Aids)
    return found


def _module(file: Path) -> ModuleType:
    if file.is_relative_to(TESTS):
        inside = file.relative_to(TESTS.parent).with_suffix("")
        return import_module(".".join(inside.parts))
    spec = spec_from_file_location(MODULE, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
