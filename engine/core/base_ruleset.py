"""The base of a ruleset: its parts by module name, loaded when they are asked for, and defaults.

A ruleset names its package and the modules of the parts that are not needed to decide. Importing
a ruleset therefore loads no presenter, no computer player and no reader of foreign files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from typing import Any, ClassVar, TypeVar, cast

from engine.core.ids import Seat
from engine.core.options import Option
from engine.core.record import Command, Event
from engine.core.ruleset import (
    AnyRuleset,
    Argument,
    Bot,
    Exporter,
    FieldMeaning,
    Importer,
    Ruleset,
    Scenario,
    Tool,
    ToolReport,
    Traits,
    Upcast,
)
from engine.core.scenarios import parse

S = TypeVar("S")
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)
V = TypeVar("V")


@dataclass(frozen=True)
class FunctionTool:
    """A ``Tool`` made of its texts and a function."""

    name: str
    text: str
    arguments: tuple[Argument, ...]
    answer: Callable[[Any, Mapping[str, str]], ToolReport]

    def run(self, state: Any, arguments: Mapping[str, str]) -> ToolReport:
        """The answer for a position.

        Raises:
            ValueError: an argument is missing or does not fit.
        """
        for argument in self.arguments:
            if argument.required and argument.name not in arguments:
                raise ValueError(f"{self.name} needs {argument.name}: {argument.text}")
        return self.answer(state, arguments)


class BaseRuleset(Ruleset[S, C, E, V]):
    """The part of ``Ruleset`` that most games share. A subclass adds records and rules.

    Each ``…_module`` names a module of the package that holds one part; empty: the game has none.
    """

    package: ClassVar[str]
    """The package of the ruleset, with ``scenarios/`` in it."""

    presenter_module: ClassVar[str] = "picture"
    """Has ``PRESENTER``."""
    bots_module: ClassVar[str] = "bot"
    """Has ``LEVELS``: computer players by level, weakest first."""
    importers_module: ClassVar[str] = ""
    """Has ``IMPORTERS``."""
    exporters_module: ClassVar[str] = ""
    """Has ``EXPORTERS``."""
    tools_modules: ClassVar[tuple[str, ...]] = ()
    """Each has ``TOOLS``."""

    traits: Traits
    schema: int = 1
    upcasts: Mapping[int, Upcast] = {}
    options: tuple[Option, ...] = ()
    field_meanings: Mapping[str, FieldMeaning] = {}

    # -- parts -----------------------------------------------------------------------------------

    @cached_property
    def presenter(self) -> Any:
        """The presenter of the game, an ``engine.tabletop.presenter.Presenter``."""
        return self._part(self.presenter_module, "PRESENTER")

    @cached_property
    def bots(self) -> Mapping[str, Bot[V, C]]:
        """Computer players by level, weakest first."""
        return cast("Mapping[str, Bot[V, C]]", self._part(self.bots_module, "LEVELS") or {})

    @cached_property
    def importers(self) -> tuple[Importer, ...]:
        """Readers of foreign files."""
        return tuple(self._part(self.importers_module, "IMPORTERS"))

    @cached_property
    def exporters(self) -> tuple[Exporter, ...]:
        """Writers of foreign files."""
        return tuple(self._part(self.exporters_module, "EXPORTERS"))

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """Questions about a position that ``calc`` offers."""
        return tuple(tool for module in self.tools_modules for tool in self._part(module, "TOOLS"))

    def _part(self, module: str, name: str) -> Any:
        return getattr(import_module(f"{self.package}.{module}"), name) if module else ()

    # -- scenarios -------------------------------------------------------------------------------

    def scenarios(self) -> Mapping[str, Scenario]:
        """The scenarios in ``scenarios/`` by name, in the order of their files."""
        return self._shipped

    @cached_property
    def _shipped(self) -> Mapping[str, Scenario]:
        rules = cast("AnyRuleset", self)
        folder = files(self.package).joinpath("scenarios")
        listed = sorted(folder.iterdir(), key=lambda file: file.name)
        found = [parse(rules, file.read_bytes()) for file in listed if file.name.endswith(".toml")]
        return {scenario.name: scenario for scenario in found}

    def options_of(self, scenario: Scenario) -> tuple[Option, ...]:
        """Settings that can be chosen for a scenario: all."""
        return self.options

    def seat_range(self, scenario: Scenario) -> tuple[int, int]:
        """Fewest and most players of a scenario: those of the traits."""
        return self.traits.seats

    def seat_names(self, scenario: Scenario) -> tuple[str, ...]:
        """Names of the seats: those of the traits."""
        return self.traits.seat_names

    def default_seats(self, scenario: Scenario) -> int:
        """Number of players that a scenario is meant for: the fewest."""
        return self.seat_range(scenario)[0]

    def with_seats(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> Scenario:
        """The scenario for a number of players: unchanged."""
        return scenario

    # -- play ------------------------------------------------------------------------------------

    def may(self, state: S, seat: Seat) -> bool:
        """True if the seat is listened to now: those that owe an answer are."""
        return seat in self.owes(state)
