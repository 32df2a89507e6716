"""The base of a ruleset: its parts by module name, loaded on demand, and defaults.

A ruleset names its package and the modules of the parts that are not needed to decide. So importing
a ruleset loads no presenter, computer player or reader of foreign files.
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
    """A ``Tool`` built from its texts and a function."""

    name: str
    text: str
    arguments: tuple[Argument, ...]
    answer: Callable[[Any, Mapping[str, str]], ToolReport]

    def run(self, state: Any, arguments: Mapping[str, str]) -> ToolReport:
        """Return the answer for a position.

        Raises:
            ValueError: an argument is missing or invalid.
        """
        for argument in self.arguments:
            if argument.required and argument.name not in arguments:
                raise ValueError(f"{self.name} needs {argument.name}: {argument.text}")
        return self.answer(state, arguments)


class BaseRuleset(Ruleset[S, C, E, V]):
    """The part of ``Ruleset`` that most games share. A subclass adds records and rules.

    Each ``…_module`` names a module of the package that holds one part; empty if the game has none.
    """

    package: ClassVar[str]
    """The package of the ruleset, with ``scenarios/`` in it."""

    presenter_module: ClassVar[str] = "picture"
    """Module with ``PRESENTER``."""
    bots_module: ClassVar[str] = "bot"
    """Module with ``LEVELS``: computer players by level, weakest first."""
    importers_module: ClassVar[str] = ""
    """Module with ``IMPORTERS``."""
    exporters_module: ClassVar[str] = ""
    """Module with ``EXPORTERS``."""
    tools_modules: ClassVar[tuple[str, ...]] = ()
    """Modules with ``TOOLS``."""

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
        """Return the scenarios in ``scenarios/`` by name, in the order of their files."""
        return self._shipped

    @cached_property
    def _shipped(self) -> Mapping[str, Scenario]:
        rules = cast("AnyRuleset", self)
        folder = files(self.package).joinpath("scenarios")
        listed = sorted(folder.iterdir(), key=lambda file: file.name)
        found = [parse(rules, file.read_bytes()) for file in listed if file.name.endswith(".toml")]
        return {scenario.name: scenario for scenario in found}

    def options_of(self, scenario: Scenario) -> tuple[Option, ...]:
        """Return the settings available for a scenario; by default all of ``options``."""
        return self.options

    def seat_range(self, scenario: Scenario) -> tuple[int, int]:
        """Return the minimum and maximum number of players; by default those of ``traits``."""
        return self.traits.seats

    def seat_names(self, scenario: Scenario) -> tuple[str, ...]:
        """Return the names of the seats; by default those of ``traits``."""
        return self.traits.seat_names

    def default_seats(self, scenario: Scenario) -> int:
        """Return the default number of players of a scenario; here the minimum."""
        return self.seat_range(scenario)[0]

    def with_seats(self, scenario: Scenario, seats: int, computers: frozenset[Seat]) -> Scenario:
        """Return the scenario for ``seats`` players; here unchanged."""
        return scenario

    # -- play ------------------------------------------------------------------------------------

    def may(self, state: S, seat: Seat) -> bool:
        """Return whether the seat can give commands now; by default, whether it must act."""
        return seat in self.owes(state)
