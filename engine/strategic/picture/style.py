"""Style: tables that a ruleset supplies for its picture, and the list of symbols made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.events.battle import Duel, Fighter
from engine.strategic.pieces import STACK, Army, Item, Site, SiteKind, UnitType
from engine.strategic.world import statistics
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import BoardMark, Layer, Line, Symbol
from engine.tabletop.fact import EventMoment
from engine.tabletop.focus import Focus
from engine.tabletop.report import Report
from engine.tabletop.roles import Role

# -- tables of a ruleset ---------------------------------------------------------------------------


class ArmyWords(NamedTuple):
    """Words of a ruleset about an army beside strength and points: in the panel, and at length."""

    short: str = ""
    full: tuple[str, ...] = ()


class OwnQuestion(NamedTuple):
    """Question of a ruleset's own: the intent that answers it, and words for it."""

    intent: str
    label: str
    prompt: str
    """Instruction while it is open."""
    text: str
    """The question itself."""


class TerrainSign(NamedTuple):
    """Look and name of a terrain; the name is used in sentences."""

    key: str
    name: str
    role: Role
    rich: str
    box: str
    ascii: str
    tile: str = ""
    """Name of its picture in tile sets, where the role does not say enough."""


class BattleTale(NamedTuple):
    """A battle to be told: both sides with their lines, its duels, and the wounds that last.

    It is fought at a tile, by attackers who came from the tile ``start``.

    ``group`` is that of the lines that a result replaces.
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
    """Chance of the attackers as (part, whole); None: it was sure, or is not told."""

    @property
    def fighters(self) -> dict[int, Fighter]:
        """Those of both sides by army."""
        return {one.army: one for one in (*self.attackers, *self.defenders)}


@dataclass(frozen=True, eq=False)
class PictureStyle:
    """Tables of one ruleset. ``grounds`` are in the order of the terrain codes.

    ``bridge``, ``city`` and ``site`` are the terrain codes of bridges, cities and sites, ``water``
    those of open water; ``letters`` are the symbols of unit types by type id.
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
    """A battle from its first blow to what is left of the survivors, told in a context of a
    picture; None: duel by duel."""
    moments: Callable[[Any, BattleTale], Iterator[EventMoment]] | None = None
    """A battle as a moving picture, in a context of a picture before it; None: duel by duel."""
    statistics: Callable[[Any], Mapping[str, tuple[int, ...]]] = statistics
    """Numbers of all sides by name."""
    open_numbers: frozenset[str] = frozenset()
    """Names of those that everybody knows of all sides."""
    battle_pace: str = ""
    """Course of a battle in a few words, to be told before an attack."""
    treaties: tuple[str, ...] = ("at peace", "hostile", "at war")
    """Treaties between two sides, by number."""
    stances: tuple[str, ...] = ("peace", "hostility", "war")
    """Stances of a side, by number."""
    stance_label: str = "Stances …"
    """Intent that treats with the others."""
    upkeep: Callable[[UnitType], int] = lambda kind: kind.cost // 2
    """Upkeep of a type, for the rule book."""
    abilities: Callable[[UnitType], list[str]] | None = None
    """Special abilities of a type in words; None: those that its record tells."""
    effects: Mapping[str, Callable[[Item], str]] = field(default_factory=dict)
    """Effects of items of a ruleset's own kinds, by kind."""
    army_words: Callable[[Any, Army], ArmyWords] | None = None
    """More about an army; this and what follows gets the context of the picture."""
    experience: Callable[[Any, Army], int | str] = lambda _context, army: army.xp
    """Experience of an army."""
    parked: Callable[[Any, Army], bool] = lambda _context, _army: False
    """True if an army that can still move is not to be offered as the next one."""
    wounded: Callable[[Sequence[Army]], int] | None = None
    """Wounds of a stack: 0 (nothing lost) to ``WOUNDS``; None: no wounds ever."""
    life: Callable[[Sequence[Army]], int] | None = None
    """Percent of its hit points that a stack has left; 0 if unknown. None: no wounds ever."""
    forecast: Callable[[Any, Any, Sequence[Army], Place], Iterator[Line]] | None = None
    """Lines of a battle forecast for a group that attacks a tile; None: as odds."""
    site_lines: Callable[[Any, Site], Iterator[Line]] | None = None
    """More about a site, for the panel."""
    summary: Callable[[Any], Iterator[Line]] | None = None
    """Further lines of the viewer's summary."""
    layers: tuple[Layer, ...] = ()
    layer_marks: Mapping[str, Callable[[Any], tuple[BoardMark, ...]]] = field(default_factory=dict)
    """Further layers of the map, and their marks."""
    jumps: Mapping[str, Callable[[Any], Iterator[Place]]] = field(default_factory=dict)
    """Further kinds of places to jump between."""
    intents: Callable[[Any, Focus], Iterator[Intent]] | None = None
    """Further intents at a focus."""
    dialogues: Mapping[str, Callable[[Any, Focus, Sequence[str]], AnyAsk | str]] = field(
        default_factory=dict
    )
    """Their dialogues, and others in place of those there are."""
    why_not_at: Mapping[str, Callable[[Any, Focus, Sequence[str], Place], str]] = field(
        default_factory=dict
    )
    """Reasons why a tile cannot be chosen in those dialogues, by intent."""
    questions: Mapping[str, OwnQuestion] = field(default_factory=dict)
    """Questions of the ruleset's own, by kind."""
    reports: tuple[Callable[[Any], Iterator[Report]], ...] = ()
    """Further reports; one with the name of another takes its place."""


# -- symbols ---------------------------------------------------------------------------------------

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
"""Bits of the sides on which a road goes on."""

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
    """Signs of the four tiles of a city: solid, with a roof that tells its defence."""

    rich: str
    wide: tuple[str, str, str, str]
    """Of ``rich``, where a cell has two columns."""
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
"""Steps of wounds that symbols of stacks show."""

_WOUNDED: Final = (
    ("lightly wounded", "▆", "="),
    ("wounded", "▄", "-"),
    ("badly wounded", "▂", "_"),
)
"""Names of wounded stacks by step, and the second column of their symbols: rich, box and ASCII."""

_SHIP: Final = Symbol("ship", Role.SHIP, "▽", "Y", "Y")
_STRANGER: Final = Symbol("army", Role.PIECE, "¿", "?", "?")
_HERO: Final = ("♔", "@", "@")


class SymbolTable:
    """Symbols of a style with their numbers.

    Land that is known but out of sight has grey symbols of its own.
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
        """Numbers of the terrains: row 0 in sight, row 1 out of sight."""
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
        """Number of the symbol for a stack of ``size`` armies with a given representative.

        ``wounded`` is the step of its wounds, which is shown in place of the size.
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
        """Number of the first of some symbols in sight, and of the first out of sight."""
        listed = list(symbols)
        return self._first(iter(listed)), self._first(map(_grey, listed))

    def _stacks(self, symbol: Symbol) -> int:
        """Symbols for each stack size, shown where a cell has two columns, then by wounds."""
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
    """The symbol out of sight: grey, with the picture of what it is."""
    role = Role.BLANK if symbol.role is Role.BLANK else Role.UNKNOWN
    name, tile = f"{symbol.name}, {_OUT_OF_SIGHT}", symbol.tile or symbol.role.name
    return replace(symbol, name=name, role=role, tile=tile)


def _joined(sides: int) -> str:
    words = [word for side, word in _SIDES.items() if sides & side]
    return " and ".join(words) or "alone"


def _road(sides: int) -> Symbol:
    """Symbol of a road that goes on to some sides."""
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
