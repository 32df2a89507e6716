"""Style: tables that a ruleset supplies for its picture, and the symbols built from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from engine.core.record import Command, replace
from engine.kit.grid import Place
from engine.strategic.events.battle import Duel, Fighter
from engine.strategic.pieces import STACK, Army, Item, Site, SiteKind, UnitType
from engine.strategic.world import statistics
from engine.tabletop.ask import Intent
from engine.tabletop.board import BoardMark, Layer, Line, Symbol
from engine.tabletop.dialogue import Dialogue
from engine.tabletop.fact import EventMoment
from engine.tabletop.focus import Focus
from engine.tabletop.report import Report
from engine.tabletop.roles import Role

# -- tables of a ruleset ---------------------------------------------------------------------------


Opening: TypeAlias = Callable[[Any, Focus], Dialogue[Command] | Command]
"""Function from the picture's context and a focus to a dialogue, or to a command without one."""


class ArmyWords(NamedTuple):
    """A ruleset's text about an army beside strength and points: in the panel, and at length."""

    short: str = ""
    full: tuple[str, ...] = ()


class OwnQuestion(NamedTuple):
    """Question that only this ruleset has: the intent that answers it, and its texts."""

    intent: str
    label: str
    prompt: str
    """Instruction while the question is open."""
    text: str
    """The question itself."""


class TerrainSign(NamedTuple):
    """Look and name of a terrain; sentences use the name."""

    key: str
    name: str
    role: Role
    rich: str
    box: str
    ascii: str
    tile: str = ""
    """Name of its picture in tile sets, if the role does not say enough."""


class BattleTale(NamedTuple):
    """A battle to describe: both sides with their lines, its duels, and the lasting wounds.

    It takes place at a tile; the attackers came from the tile ``start``. ``group`` is the
    ``Line.group`` of the lines that the battle's result replaces.
    """

    at: Place
    start: Place
    sides: tuple[int, int]
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    duels: tuple[Duel, ...]
    wounds: tuple[tuple[int, int], ...]
    group: str
    chance: tuple[int, int] | None = None
    """Chance of the attackers as (part, whole); None if unknown."""

    @property
    def fighters(self) -> dict[int, Fighter]:
        """Fighters of both sides by army id."""
        return {one.army: one for one in (*self.attackers, *self.defenders)}


@dataclass(frozen=True, eq=False)
class PictureStyle:
    """Tables of one ruleset. ``grounds`` are in the order of the terrain codes.

    ``bridge``, ``city`` and ``site`` are the terrain codes of bridges, cities and sites. ``water``
    has those of open water. ``letters`` are the symbols of unit types by type id.
    """

    grounds: tuple[TerrainSign, ...]
    bridge: int
    city: int
    site: int
    water: frozenset[int]
    types: tuple[UnitType, ...]
    letters: Mapping[int, str]
    package: str
    """Package with the rule book."""
    aim: str
    """Aim of the game, in a sentence."""
    blows: Callable[[Any, BattleTale], Iterator[Line]] | None = None
    """Function that describes a battle from the first blow to the survivors' wounds, in the
    picture's context. None: duel by duel."""
    moments: Callable[[Any, BattleTale], Iterator[EventMoment]] | None = None
    """Function that shows a battle as an animation, in the picture's context before it. None: duel
    by duel."""
    statistics: Callable[[Any], Mapping[str, tuple[int, ...]]] = statistics
    """Numbers of all sides by name."""
    open_numbers: frozenset[str] = frozenset()
    """Names of the numbers that every viewer knows of all sides."""
    battle_pace: str = ""
    """Course of a battle in a few words, shown before an attack."""
    treaties: tuple[str, ...] = ("at peace", "hostile", "at war")
    """Treaties between two sides, by number."""
    stances: tuple[str, ...] = ("peace", "hostility", "war")
    """Stances of a side, by number."""
    stance_label: str = "Stances …"
    """Label of the intent that negotiates with others."""
    upkeep: Callable[[UnitType], int] = lambda kind: kind.cost // 2
    """Function for the upkeep of a type, in gold per turn, as the rule book shows it."""
    abilities: Callable[[UnitType], list[str]] | None = None
    """Texts of a type's special abilities; None: derived from its record."""
    effects: Mapping[str, Callable[[Item], str]] = field(default_factory=dict)
    """Effects of items of the ruleset's own kinds, by kind."""
    army_words: Callable[[Any, Army], ArmyWords] | None = None
    """Function for more text about an army. It and the functions below get the picture's
    context."""
    experience: Callable[[Any, Army], int | str] = lambda _context, army: army.xp
    """Function for the experience of an army."""
    parked: Callable[[Any, Army], bool] = lambda _context, _army: False
    """True if an army that can still move is not offered as the next one."""
    wounded: Callable[[Sequence[Army]], int] | None = None
    """Wounds of a stack: 0 (unhurt) to ``WOUNDS``. None: the ruleset has no wounds."""
    life: Callable[[Sequence[Army]], int] | None = None
    """Percentage of a stack's hit points left, 0 if unknown. None: the ruleset has no wounds."""
    forecast: Callable[[Any, Any, Sequence[Army], Place], Iterator[Line]] | None = None
    """Lines of a forecast for a group that attacks a tile; None: the odds of duels."""
    site_lines: Callable[[Any, Site], Iterator[Line]] | None = None
    """Function that yields further lines about a site, for the panel."""
    summary: Callable[[Any], Iterator[Line]] | None = None
    """Further lines of the viewer's summary."""
    layers: tuple[Layer, ...] = ()
    layer_marks: Mapping[str, Callable[[Any], tuple[BoardMark, ...]]] = field(default_factory=dict)
    """Further layers of the map, and their marks; a layer of a known name replaces its label."""
    jumps: Mapping[str, Callable[[Any], Iterator[Place]]] = field(default_factory=dict)
    """Further kinds of places to jump between."""
    intents: Callable[[Any, Focus], Iterator[Intent]] | None = None
    """Further intents at a focus."""
    dialogues: Mapping[str, Opening] = field(default_factory=dict)
    """Dialogues of further intents, or replacements for shared ones."""
    why_not_at: Mapping[str, Callable[[Any, Focus, Sequence[str], Place], str]] = field(
        default_factory=dict
    )
    """Reasons why a tile cannot be chosen in those dialogues, by intent."""
    questions: Mapping[str, OwnQuestion] = field(default_factory=dict)
    """Questions of the ruleset's own, by kind."""
    reports: tuple[Callable[[Any], Iterator[Report]], ...] = ()
    """Further reports; one with the name of a shared report replaces it."""


# -- symbols ---------------------------------------------------------------------------------------

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""Bits of the sides on which a road continues."""

JOINS: Final = 16
_SIDES: Final = {NORTH: "north", EAST: "east", SOUTH: "south", WEST: "west"}
_ROADS: Final = "∙╵╶└╷│┌├╴┘─┴┐┤┬┼"
_ROADS_BOX: Final = "∙│─└││┌├─┘─┴┐┤┬┼"
_ROADS_PLAIN: Final = "+|-+||++-+-++++++"
_BRIDGES: Final = "━┃━┗┃┃┏┣━┛━┻┓┫┳╋"
"""Symbols by the sum of side bits, as for roads."""

_OUT_OF_SIGHT: Final = "not in sight"

SITES: Final[dict[SiteKind | str, tuple[str, str, str]]] = {
    "unknown": ("?", "?", "?"),
    "temple": ("†", "¥", "!"),
    "relic": ("♦", "♦", "<"),
    "sage": ("§", "§", "{"),
    "gold": ("$", "$", "$"),
    "allies": ("‼", "‼", "}"),
    "searched": ("◦", "º", "'"),
}
"""Symbols of sites by the knowledge about them: rich, box, ASCII."""

_MARKS: Final = (
    Symbol("rubble", Role.PLAIN, "░", "░", "_", tile="rubble"),
    Symbol("port", Role.WATER, "◊", "◘", ">", tile="port"),
    Symbol("signpost", Role.WRITING, "¶", "¶", ")", tile="signpost"),
    Symbol("item", Role.SITE, "*", "*", "*", tile="item"),
    Symbol("tower", Role.WALL, "Π", "Π", "T", tile="tower"),
)

_QUARTERS: Final = ("top left", "top right", "bottom left", "bottom right")


class _Building(NamedTuple):
    """Signs of the four tiles of a city: a solid block whose roof shows the defence."""

    rich: str
    wide: tuple[str, str, str, str]
    """Like ``rich``, for cells of two columns."""
    box: str
    ascii: str


_BUILDINGS: Final = (
    _Building("▗▖▐▌", ("▗▄", "▄▖", "▐█", "█▌"), "▄▄▀▀", "nn##"),
    _Building("▟▙▛▜", ("▟█", "█▙", "█▀", "▀█"), "▄▄██", "/\\##"),
    _Building("▙▟▛▜", ("▙▟", "▙▟", "█▀", "▀█"), "▐▌██", "[]##"),
)
"""Cities by defence: a village without walls, a town with a gate, a castle with battlements."""

_FROM_AFAR: Final = {
    "city": Symbol("city, from afar", Role.WALL, "█", "█", "#", tile="tower"),
    "capital": Symbol("a capital, from afar", Role.LEADER, "★", "☼", "*", "█★", tile="tower"),
    "army": Symbol("armies, from afar", Role.PIECE, "•", "•", "o"),
}
"""Symbols of overviews."""

WOUNDS: Final = 3
"""Number of wound levels that symbols of stacks show."""

_WOUNDED: Final = (
    ("lightly wounded", "▆", "="),
    ("wounded", "▄", "-"),
    ("badly wounded", "▂", "_"),
)
"""Names of wounded stacks by level, and the second column of their symbols: rich, then box and
ASCII."""

_SHIP: Final = Symbol("ship", Role.SHIP, "▽", "Y", "Y")
_STRANGER: Final = Symbol("army", Role.PIECE, "¿", "?", "?")
_HERO: Final = ("♔", "@", "@")


class SymbolTable:
    """Symbols of a style with their numbers.

    Ground that is known but out of sight has separate grey symbols.
    """

    def __init__(self, style: PictureStyle) -> None:
        self.listed: tuple[Symbol, ...] = ()
        self._wounds = style.wounded is not None
        self._listed: list[Symbol] = [Symbol("nothing", Role.BLANK, " ", " ", " ")]
        grounds = [
            Symbol(s.name, s.role, s.rich, s.box, s.ascii, tile=s.tile) for s in style.grounds
        ]
        rows = [[self._put(s) for s in grounds], [self._put(_grey(s)) for s in grounds]]
        self.ground = np.array(rows, dtype=np.int16)
        """Symbol numbers of the terrains: row 0 in sight, row 1 out of sight."""
        self.road = self._both(_road(sides) for sides in range(JOINS))
        self.bridge = self._both(_bridge(sides) for sides in range(JOINS))
        """First of 16 symbols by the sum of side bits, in sight and out of sight."""
        self.site = {kind: self._both([_site(kind)]) for kind in SITES}
        self.mark = {mark.name: self._both([mark]) for mark in _MARKS}
        self.city = tuple(
            self._first(_quarter(level, number) for number in range(4))
            for level in range(len(_BUILDINGS))
        )
        """First of four symbols, by the defence of the city."""
        self.flag = self._put(Symbol("rally flag", Role.GOAL, "⚑", "F", "F"))
        self.overview = {name: self._put(symbol) for name, symbol in _FROM_AFAR.items()}
        self._of_type = {kind.id: self._stacks(_unit(kind, style)) for kind in style.types}
        self._ship = self._stacks(_SHIP)
        self._stranger = self._stacks(_STRANGER)
        self.listed = tuple(self._listed)

    def stack(self, best: Army, size: int, wounded: int = 0) -> int:
        """Return the symbol number of a stack of ``size`` armies represented by ``best``.

        ``wounded`` is its wound level; if not 0, it is shown in place of the size.
        """
        first = self._ship if best.aboard else self._of_type.get(best.type, self._stranger)
        return first + (STACK + wounded if wounded else min(size, STACK)) - 1

    def _put(self, symbol: Symbol) -> int:
        self._listed.append(symbol)
        return len(self._listed) - 1

    def _first(self, symbols: Iterator[Symbol]) -> int:
        first = len(self._listed)
        self._listed += symbols
        return first

    def _both(self, symbols: Iterator[Symbol] | list[Symbol]) -> tuple[int, int]:
        """Add symbols and their grey versions; return the first number of each."""
        listed = list(symbols)
        return self._first(iter(listed)), self._first(map(_grey, listed))

    def _stacks(self, symbol: Symbol) -> int:
        """Add the symbols of each stack size for cells of two columns, then those by wounds."""
        first = self._first(
            replace(
                symbol,
                name=f"{symbol.name}, {size}" if size > 1 else f"{symbol.name}, alone",
                rich2=f"{symbol.rich}{size if size > 1 else ' '}",
            )
            for size in range(1, STACK + 1)
        )
        self._listed += (
            replace(
                symbol,
                name=f"{symbol.name}, {name}",
                rich2=f"{symbol.rich}{bar}",
                plain2=f"{symbol.ascii}{line}",
                struck=True,
            )
            for name, bar, line in (_WOUNDED if self._wounds else ())
        )
        return first


def _grey(symbol: Symbol) -> Symbol:
    """Return the symbol out of sight: grey, with the same picture."""
    role = Role.BLANK if symbol.role is Role.BLANK else Role.UNKNOWN
    name, tile = f"{symbol.name}, {_OUT_OF_SIGHT}", symbol.tile or symbol.role.name
    return replace(symbol, name=name, role=role, tile=tile)


def _joined(sides: int) -> str:
    words = [word for side, word in _SIDES.items() if sides & side]
    return " and ".join(words) or "alone"


def _road(sides: int) -> Symbol:
    """Return the symbol of a road that continues to the given sides."""
    name, line = f"road, {_joined(sides)}", _ROADS[sides]
    gap = "─" if sides & EAST else " "
    return Symbol(
        name, Role.ROAD, line, _ROADS_BOX[sides], _ROADS_PLAIN[sides], line + gap, tile="road"
    )


def _bridge(sides: int) -> Symbol:
    name, line = f"bridge, {_joined(sides)}", _BRIDGES[sides]
    gap = "━" if sides & EAST or not sides & (NORTH | SOUTH) else " "
    return Symbol(name, Role.ROAD, line, "≡", "=", line + gap, tile="bridge")


def _site(kind: str) -> Symbol:
    rich, box, plain = SITES[kind]
    name = {"unknown": "unsearched site", "searched": "searched site"}.get(kind, f"site, {kind}")
    return Symbol(name, Role.SITE, rich, box, plain, tile="temple" if kind == "temple" else "ruin")


def _quarter(level: int, number: int) -> Symbol:
    signs = _BUILDINGS[level]
    name = f"city, defence {level}, {_QUARTERS[number]}"
    tile = f"city-{_QUARTERS[number].replace(' ', '-')}"
    rich, box, plain = signs.rich[number], signs.box[number], signs.ascii[number]
    return Symbol(name, Role.WALL, rich, box, plain, signs.wide[number], tile=tile)


def _unit(kind: UnitType, style: PictureStyle) -> Symbol:
    letter = style.letters.get(kind.id, "?")
    name = kind.name.lower()
    if "hero" in kind.traits:
        return Symbol(name, Role.LEADER, *_HERO)
    role = Role.PIECE
    for trait, other in (("fly", Role.FLYER), ("boat", Role.SHIP), ("siege", Role.SIEGE)):
        if trait in kind.traits:
            role = other
    return Symbol(name, role, letter, letter, letter)
