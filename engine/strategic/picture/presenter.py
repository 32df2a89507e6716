"""Presenter of every ruleset on the strategic layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from engine.kit.memo import recent_each
from engine.strategic.picture import (
    board,
    intents,
    overlay,
    report_realm,
    selection,
    status,
    tile_text,
    turns,
)
from engine.strategic.picture.context import PictureContext, context_cache
from engine.strategic.picture.style import PictureStyle, SymbolTable
from engine.strategic.picture.words import FACTS, LOSSES, TELLERS, many, traits
from engine.strategic.pieces import UnitType
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Board, Find, Layer, Line, Mark, Overlay, Status, Symbol
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.listing import ListLine
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.report import Numbers, Report
from engine.tabletop.toll import Toll
from engine.tabletop.unknown import UNKNOWN_EVENT


class StrategicPicture:
    """What clients are told about a world of cities, stacks and heroes.

    A ruleset lends its tables, says how a view becomes a context, and which event sets up a game.
    """

    zooms: tuple[str, ...] = ("map", *board.OVERVIEW_ROWS)
    layers: tuple[Layer, ...] = overlay.LAYERS
    lead: str = "cities"
    listing: str = ""

    def __init__(
        self,
        style: PictureStyle,
        make: Callable[[Any, PictureStyle, SymbolTable], PictureContext],
        first: type[Any],
        lessons: Callable[[], tuple[Lesson, ...]] = tuple,
    ) -> None:
        self._style = style
        self._first = first
        self._lessons = lessons
        self._symbols = SymbolTable(style)
        self._context_of = context_cache(lambda view: make(view, style, self._symbols))

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Terrains, roads, sites, cities, stacks of every type and size."""
        return self._symbols.listed

    def context(self, view: Any) -> PictureContext:
        """A view with what is needed to show it."""
        return self._context_of(view)

    def board(self, view: Any, zoom: str) -> Board:
        """The map, or what it looks like from afar."""
        if zoom not in self.zooms:
            raise ValueError(f"there is no zoom {zoom!r}")
        return _board(self.context(view), zoom)

    def start(self, view: Any) -> Focus:
        """The viewer's capital."""
        return status.first_focus(self.context(view))

    def status(self, view: Any) -> Status:
        """Round, side, and what is left to do."""
        return status.status(self.context(view))

    def overlay(self, view: Any, focus: Focus) -> Overlay:
        """What can move, where what is held can go, and the panel."""
        return overlay.overlay(self.context(view), focus)

    def settle(self, view: Any, focus: Focus) -> Focus:
        """Keep to the map, and to what can still move."""
        return selection.settle_focus(self.context(view), focus)

    def step(self, view: Any, focus: Focus, direction: Direction) -> Push:
        """The cursor a tile further."""
        return Push(selection.move_cursor(self.context(view), focus, direction))

    def stride(self, _view: Any, _focus: Focus, _direction: Direction) -> Focus | None:
        """As many cells as usual."""
        return None

    def fire(self, view: Any, focus: Focus) -> Push:
        """Take up a stack, send it, put it down."""
        return selection.press_button(self.context(view), focus)

    def jumps(self, view: Any, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Stacks that wait, enemies, sites."""
        return status.jumps(self.context(view), focus, kind)

    def why_not(self, view: Any, _focus: Focus, key: str) -> str:
        """Why a key that has a meaning elsewhere has none here."""
        return intents.why_not(self.context(view), key)

    def intents(self, view: Any, focus: Focus) -> tuple[Intent, ...]:
        """What the viewer may want here."""
        return intents.intents(self.context(view), focus)

    def ask(self, view: Any, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """The next question, or the line of notation."""
        return intents.ask(self.context(view), focus, intent, answers)

    def look(self, view: Any, x: int, y: int) -> tuple[Line, ...]:
        """A tile in sentences."""
        return tile_text.look_lines(self.context(view), (x, y))

    def tell(self, event: Any, after: Any) -> tuple[Line, ...]:
        """An event in sentences; of the one that sets up a game, how it stands."""
        context, teller = self.context(after), TELLERS.get(event)
        if teller is not None:
            return tuple(teller(event, context))
        return status.opening(context) if type(event) is self._first else UNKNOWN_EVENT

    def facts(self, event: Any, before: Any, after: Any) -> tuple[Fact, ...]:
        """Facts of an event; kinds without any, and unknown ones, have none."""
        found = FACTS.get(event)
        if found is not None:
            return tuple(found(event, self.context(before), self.context(after)))
        return turns.opening_facts(self.context(after)) if type(event) is self._first else ()

    def tolls(self, event: Any, before: Any, after: Any) -> tuple[Toll, ...]:
        """Losses of sides by an event."""
        found = LOSSES.get(event)
        rows = found(event, self.context(before), self.context(after)) if found is not None else ()
        return tuple(row for row in rows if row.seat != NO_SEAT)

    def summary(self, view: Any) -> tuple[Line, ...]:
        """How the game stands or ended, with the viewer's reports."""
        return status.summary(self.context(view))

    def reports(self, view: Any) -> tuple[Report, ...]:
        """Cities, armies, gold, heroes, quests, sites, sides."""
        return report_realm.reports(self.context(view))

    def numbers(self, view: Any) -> Numbers:
        """Cities, armies, heroes as far as they are seen; the purses of others never."""
        return report_realm.numbers(self.context(view))

    def layer(self, view: Any, focus: Focus, name: str) -> tuple[Mark, ...]:
        """The marks of a layer."""
        return overlay.layer_marks(self.context(view), focus, name)

    def route(self, view: Any, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
        """The way of the group that is held, or stands under the cursor."""
        context = self.context(view)
        group = overlay.group_meant(context, focus)
        if not group or not context.world.terrain.has(x, y):
            return ()
        return overlay.way_marks(context, group, (x, y))

    def finds(self, view: Any) -> tuple[Find, ...]:
        """Everything with a name."""
        return status.finds(self.context(view))

    def listed(self, _view: Any) -> str:
        """Nothing: orders are carried out at once."""
        return ""

    def unlisted(self, _view: Any, _text: str) -> tuple[ListLine, ...]:
        """Nothing."""
        return ()

    @cached_property
    def manual(self) -> tuple[Chapter, ...]:
        """The rule book, and the types of unit."""
        return (*manual(self._style.package), _units_chapter(self._style))

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Those that come with the ruleset."""
        return self._lessons()


@recent_each
def _board(context: PictureContext, zoom: str) -> Board:
    return board.full_board(context) if zoom == "map" else board.far_board(context, zoom)


# -- pages of the rule book ------------------------------------------------------------------------


def _units_chapter(style: PictureStyle) -> Chapter:
    """Every type with its numbers and its sign, by strength and price. Rules: W2-7."""
    listed = sorted(style.types, key=lambda kind: (kind.strength, abs(kind.price), kind.id))
    words = tuple(_unit(kind, style.letters.get(kind.id, "?")) for kind in listed)
    return Chapter("Types of unit", words)


def _unit(kind: UnitType, letter: str) -> str:
    text = f"{letter}  {kind.name}: strength {kind.strength}, moves {kind.move}"
    if "hero" in kind.traits:
        return f"{text}."
    price = f"{kind.price} gold" if kind.price >= 0 else "not for sale"
    parts = [text, many(kind.turns, "turn"), f"upkeep {kind.cost // 2}", price]
    return f"{', '.join([*parts, *traits(kind)])}."
