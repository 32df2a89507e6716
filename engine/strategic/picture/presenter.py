"""Presenter of every ruleset on the strategic layer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, TypeVar, TypeVarTuple

from engine.strategic.picture import (
    board,
    cities,
    fighting,
    heroes,
    intents,
    moving,
    overlay,
    report_realm,
    selection,
    status,
    stopping,
    tile_text,
    turns,
)
from engine.strategic.picture.context import NARRATION, PictureContext, context_cache
from engine.strategic.picture.style import PictureStyle, SymbolTable
from engine.strategic.picture.words import abilities
from engine.strategic.pieces import UnitType
from engine.strategic.settings import RuleSettings
from engine.tabletop.ask import Intent
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Board, BoardMark, Layer, Line, Overlay, Status, Symbol
from engine.tabletop.english import many
from engine.tabletop.fact import EventMoment, Fact, LossRow
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.new_game import NewGameTexts, new_game_texts
from engine.tabletop.presenter import Presenter

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CHAPTERS: Final = (moving, fighting, cities, heroes, turns)
"""Modules about events. Importing them registers their functions."""


def _of_context(show: Callable[[PictureContext, *Ts], T]) -> Callable[[Any, Any, *Ts], T]:
    """Return a method of the presenter that shows the context of a view."""

    def method(self: StrategicPicture, view: Any, *others: *Ts) -> T:
        return show(self.context(view), *others)

    return method


class StrategicPicture(Presenter[Any, Any]):
    """Presenter of a ruleset on the strategic layer.

    The ruleset supplies its style, a function that returns the rule settings of a view, and the
    type of the event that sets up a game. It registers its own events with ``words.TELLERS``,
    ``FACTS`` and ``LOSSES``.
    """

    zooms: tuple[str, ...] = ("map", *board.OVERVIEW_ROWS)
    layers: tuple[Layer, ...] = overlay.LAYERS
    lead: str = "cities"
    player_rows = "sides"
    place_fields = frozenset({"city", "to"})

    start = _of_context(status.first_focus)
    settle = _of_context(selection.settle_focus)
    fire = _of_context(selection.press_button)
    jumps = _of_context(status.jumps)
    ask = _of_context(intents.ask)
    why_not_at = _of_context(intents.why_not_at)
    layer = _of_context(overlay.layer_marks)
    forces = _of_context(stopping.forces)
    finds = _of_context(status.finds)
    summary = _of_context(status.summary)
    reports = _of_context(report_realm.reports)
    numbers = _of_context(report_realm.numbers)

    def __init__(
        self,
        style: PictureStyle,
        settings_of: Callable[[Any], RuleSettings],
        first: type[Any],
        lessons: Callable[[], tuple[Lesson, ...]] = tuple,
    ) -> None:
        self._style = style
        self._first = first
        self._lessons = lessons
        self._symbols = SymbolTable(style)
        self.layers = tuple({one.name: one for one in (*overlay.LAYERS, *style.layers)}.values())
        self._context_of = context_cache(
            lambda view: PictureContext(
                view, view.viewer, view.visible, settings_of(view), style, self._symbols
            )
        )

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Terrains, roads, sites, cities, and stacks of every type and size."""
        return self._symbols.listed

    def context(self, view: Any) -> PictureContext:
        """Return the context of a view; the same object for the same view."""
        return self._context_of(view)

    def board(self, view: Any, zoom: str) -> Board:
        """Return the map, or an overview of it.

        Raises:
            ValueError: there is no such zoom.
        """
        if zoom not in self.zooms:
            raise ValueError(f"there is no zoom {zoom!r}")
        return board.board(self.context(view), zoom)

    def status(self, view: Any) -> Status:
        """Return the round, the side to act and the number of idle stacks."""
        return status.status(self.context(view))

    def overlay(self, view: Any, focus: Focus) -> Overlay:
        """Return the marks and the panel for a focus."""
        return overlay.overlay(self.context(view), focus)

    def step(self, view: Any, focus: Focus, direction: Direction) -> Push:
        """Return the focus with its cursor moved by a tile."""
        return Push(selection.move_cursor(self.context(view), focus, direction))

    def site_words(self) -> str:
        """Return what ``jumps`` of the kind ``site`` finds."""
        return "unsearched ruin, temple or item on the ground"

    def marches(self, view: Any) -> tuple[Line, ...]:
        """Return lines that count own armies with a goal that can go on, or have no route."""
        context = self.context(view)
        return tuple(status.marches(context)) if context.may_order else ()

    def legend(self, view: Any) -> dict[str, str]:
        """Return the values of each army type and the defence of each city, by symbol."""
        context = self.context(view)
        style, listed = context.style, context.symbols.listed
        cities = {
            symbol.name: f"City of defence {level}"
            for level, first in enumerate(context.symbols.city)
            for symbol in listed[first : first + 4]
        }
        return cities | {
            kind.name: ", ".join(
                [
                    f"{kind.name}: strength {kind.strength}",
                    f"moves {kind.move}",
                    many(kind.turns, "turn") + " to make",
                    *abilities(style, kind),
                ]
            )
            for kind in style.types
        }

    def out(self, view: Any) -> str:
        """Return that the viewer's side is out of the game; empty if it is not."""
        own = view.sides.get(view.viewer)
        if own is None or own.alive or self.status(view).over:
            return ""
        why = "" if self.context(view).own_cities else ": you have no city left"
        return f"You are out of the game{why}."

    def why_not(self, view: Any, _focus: Focus, key: str) -> str:
        """Return the reason why a key does nothing here, if it has a meaning elsewhere."""
        return intents.why_not(self.context(view), key)

    def intents(self, view: Any, focus: Focus) -> tuple[Intent, ...]:
        """Return the viewer's intents at a focus."""
        return intents.intents(self.context(view), focus)

    def look(self, view: Any, x: int, y: int) -> tuple[Line, ...]:
        """Describe a tile in sentences."""
        return tile_text.look_lines(self.context(view), (x, y))

    def tell(self, event: Any, after: Any) -> tuple[Line, ...]:
        """Describe an event in sentences; the event that sets up a game gets the opening lines."""
        if type(event) is self._first:
            return status.opening(self.context(after))
        return NARRATION.tell(event, self.context(after))

    def facts(self, event: Any, before: Any, after: Any) -> tuple[Fact, ...]:
        """Return the facts of an event; empty for unknown events and for those without facts."""
        if type(event) is self._first:
            return turns.opening_facts(self.context(after))
        return NARRATION.facts_of(event, self.context(before), self.context(after))

    def moments(self, event: Any, before: Any) -> tuple[EventMoment, ...]:
        """Return the moments of a battle; empty for other events."""
        return tuple(fighting.moments(event, self.context(before)))

    def losses(self, event: Any, before: Any, after: Any) -> tuple[LossRow, ...]:
        """Return the losses of sides in an event."""
        rows = NARRATION.losses_of(event, self.context(before), self.context(after))
        return tuple(row for row in rows if row.seat != NO_SEAT)

    def threats(self, view: Any, x: int, y: int) -> tuple[str, ...]:
        """Name the enemy stacks that can reach a tile in their next turn, the strongest first."""
        return stopping.threats(self.context(view), (x, y))

    def route(self, view: Any, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
        """Return marks on the route to a tile of the selected group or the stack under the cursor.

        Stacks whose moves are hidden from the viewer get none.
        """
        context = self.context(view)
        group = overlay.group_meant(context, focus)
        is_known = bool(group) and context.is_open(group[0].owner)
        if not is_known or not context.world.terrain.has(x, y):
            return ()
        return overlay.way_marks(context, group, (x, y))

    @property
    def new_game(self) -> NewGameTexts:
        """Texts for the player who begins a game."""
        return new_game_texts(self._style.package)

    @cached_property
    def manual(self) -> tuple[Chapter, ...]:
        """Chapters of the rule book, and the unit types."""
        return (*manual(self._style.package), _units_chapter(self._style))

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Lessons of the ruleset."""
        return self._lessons()


def _units_chapter(style: PictureStyle) -> Chapter:
    """Build the chapter of unit types with their numbers and letters, by strength and price."""
    listed = sorted(style.types, key=lambda kind: (kind.strength, abs(kind.price), kind.id))
    return Chapter("Types of unit", tuple(_unit(style, kind) for kind in listed))


def _unit(style: PictureStyle, kind: UnitType) -> str:
    letter = style.letters.get(kind.id, "?")
    text = f"{letter}  {kind.name}: strength {kind.strength}, moves {kind.move}"
    if "hero" in kind.traits:
        return f"{text}."
    price = f"{kind.price} gold" if kind.price >= 0 else "not for sale"
    parts = [text, many(kind.turns, "turn"), f"upkeep {style.upkeep(kind)}", price]
    return f"{', '.join([*parts, *abilities(style, kind)])}."
