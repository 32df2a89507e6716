"""What the tests of one ruleset know of it, so that the contract suite names no game.

The suite runs on every ruleset without this. A ruleset with secrets, rare commands or long games
helps it by a module ``for_contract.py`` in its tests, with a constant ``AIDS``. The tests of a
ruleset are in ``tests/rulesets/NAME`` of this checkout; those of a package of its own are in the
folder ``tests`` inside its package or beside it.
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
"""More entries than a game has."""

LARGE: Final = 15
"""Kinds of commands and events from which a game counts as large."""

Chance: TypeAlias = random.Random
PositionChange: TypeAlias = Callable[[Any, Seat, Chance], Any]
"""A random change of a position in the eyes of a seat; the same position if none is possible."""


class Ending(NamedTuple):
    """Beginning of a game, and the entries from which on sides give up, or all stop."""

    ground: int
    seed: int = 1
    limited: bool = False
    """True if it is played with the options ``limits``."""
    resigns: int = NEVER
    stops: int = NEVER


class StoppedGame(NamedTuple):
    """A game of computer players that once did not come to its end."""

    scenario: str
    options: Mapping[str, Value]
    levels: tuple[str, ...]
    seed: int


class Aids(NamedTuple):
    """Aids for one ruleset; every part may be left out."""

    changes: tuple[PositionChange, ...] = ()
    """Changes of what is hidden. Kept are those that leave the view of a seat as it is."""
    secret_games: Callable[[Chance], tuple[Scenario, dict[str, Value]]] | None = None
    """Draws a scenario and options for the search for secrets; None draws any small one."""
    secret_orders: Callable[[Any, Seat, Chance], list[Command]] | None = None
    """Orders that are tried there; None tries the offers."""
    secret_tries: int = 600
    """Orders that are tried there."""

    late: tuple[Callable[[], Scenario], ...] = ()
    """Positions in which commands are offered that short walks do not come to."""
    rare_walks: tuple[int, ...] = ()
    """Numbers of walks in which rare commands are offered; they are tried first."""

    option_scenarios: tuple[Scenario, ...] = ()
    """More scenarios for values of options that no shipped one can be played with."""
    option_rows: tuple[Mapping[str, Value], ...] = ()
    """More settings to be played."""
    options_of_makers: frozenset[str] = frozenset()
    """Options for making maps, which no small scenario has."""

    seeds: Mapping[str, int] = {}
    """Seed of a short game of each level of computer players; 1 if it is not listed."""
    once_stopped: tuple[StoppedGame, ...] = ()
    share: int = 1
    """Share in games that are drawn at random among all rulesets."""
    weights: Mapping[str, int] = {}
    """Weights of scenarios in such games; those that are not listed have 40."""

    endings: tuple[Ending, ...] = (Ending(0),)
    """Games whose results are put into words."""
    limits: Mapping[str, Value] = {}
    """Options that end a game early."""
    rounds: tuple[tuple[str, Mapping[str, Value], str], ...] = ()
    """A scenario, or "" for the first one, options, and the words for the first round."""


def is_large(rules: AnyRuleset) -> bool:
    """Return whether a game has many orders and many things that can happen."""
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
    """Return the aids for a ruleset."""
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
