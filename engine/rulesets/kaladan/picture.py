"""The presenter, and its marks on tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.rulesets.kaladan import (
    boxes,
    canvas,
    cards,
    cursor,
    dialogues,
    narration,
    narration_battles,
    panels,
    summaries,
)
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import controller, neighbours, standing, way
from engine.rulesets.kaladan.boxes import ZOOMS, inside, spot
from engine.rulesets.kaladan.canvas import SYMBOLS
from engine.rulesets.kaladan.dice_columns import MOMENTS
from engine.rulesets.kaladan.narration import NARRATION
from engine.rulesets.kaladan.odds import battle_odds
from engine.rulesets.kaladan.state import NOBODY, View, War
from engine.rulesets.kaladan.tables import unit_rows
from engine.rulesets.kaladan.turns import statistics
from engine.rulesets.kaladan.words import kind_name
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import BoardMark, Layer, Line, Overlay, Symbol
from engine.tabletop.fact import EventMoment, Fact, LossRow
from engine.tabletop.focus import NOTHING, Direction, Focus, Push
from engine.tabletop.lesson import Lesson, shipped
from engine.tabletop.presenter import AnyPresenter, Presenter
from engine.tabletop.roles import MarkSign

_CHAPTERS: Final = (narration, narration_battles)
"""Modules that register handlers of events."""

LAYERS: Final = (
    Layer("danger", "best chance of an enemy to clear each tile of yours, in percent"),
    Layer("chances", "your best chance to clear each tile beside yours, in percent"),
)


class KaladanPicture(Presenter[View, ev.AnyEvent]):
    """Presenter of this game; ``Presenter`` describes each method."""

    package = "engine.rulesets.kaladan"
    symbols: tuple[Symbol, ...] = SYMBOLS
    zooms: tuple[str, ...] = ZOOMS
    layers: tuple[Layer, ...] = LAYERS
    lead: str = "tiles"
    place_fields = frozenset({"tile", "tiles", "source", "target", "attackers", "defenders"})

    board = staticmethod(canvas.board)
    forces = staticmethod(cards.forces)
    numbers = staticmethod(statistics)
    start = staticmethod(cursor.start)
    settle = staticmethod(cursor.kept)
    stride = staticmethod(cursor.stepped)
    fire = staticmethod(cursor.fired)
    status = staticmethod(summaries.status)
    summary = staticmethod(summaries.summary)
    reports = staticmethod(summaries.reports)
    finds = staticmethod(summaries.finds)
    tell = staticmethod(NARRATION.tell)

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """Return marks and panel for the tile under the cursor and the held stack."""
        return Overlay(
            tuple(marks(view, focus)), panels.panel(view, focus), cursor.hint(view, focus)
        )

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """Return the focus on the next tile, as the effect of the stick."""
        return Push(cursor.stepped(view, focus, direction))

    def legend(self, _view: View) -> dict[str, str]:
        """Return the type and dice of each letter for units, by symbol. See: KA-2.1."""
        words = {}
        for kind, letter in canvas.LETTERS.items():
            dice = f": {panels.kind_text(kind)}" if kind in unit_rows() else ""
            for sign in (letter, letter.lower()):
                words[f"unit {sign}"] = f"{kind_name(kind)}{dice}"
        return words

    def site_words(self) -> str:
        """Return what ``jumps`` of the kind ``site`` finds."""
        return "Castle"

    def jumps(self, view: View, _focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Return the cells of tiles to jump between, as ``cursor.jumps`` lists them."""
        return cursor.jumps(view, kind)

    def intents(self, view: View, focus: Focus) -> tuple[Intent, ...]:
        """Return the intents at the focus."""
        return dialogues.intents(view, focus)

    def why_not(self, view: View, _focus: Focus, key: str) -> str:
        """Return why the key of an intent does nothing now."""
        return dialogues.why_not(view, key)

    def ask(self, view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """Return the next question of an intent, or its command in notation."""
        return dialogues.ask(view, focus, intent, answers)

    def why_not_at(
        self,
        view: View,
        focus: Focus,
        intent: str,
        answers: Sequence[str],  # noqa: ARG002 - of the protocol
        at: tuple[int, int],
    ) -> str:
        """Return the reason why a tile cannot be chosen; empty if it can."""
        return dialogues.why_not_at(view, focus, intent, boxes.tile_at(view.layout, *at))

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """Describe the tile of a cell."""
        return panels.look(view, boxes.tile_at(view.layout, x, y))

    def facts(self, event: ev.AnyEvent, before: View, _after: View) -> tuple[Fact, ...]:
        """Return the facts of an event, with the odds of its dice. See: KA-18.1."""
        return NARRATION.facts_of(event, before)

    def losses(self, event: ev.AnyEvent, before: View, _after: View) -> tuple[LossRow, ...]:
        """Return the losses of an event as rows of a table."""
        return NARRATION.losses_of(event, before)

    def moments(self, event: ev.AnyEvent, before: View) -> tuple[EventMoment, ...]:
        """Return the moments in which dice are thrown, sorted and compared. See: KA-7.6."""
        return MOMENTS.results(event, before)

    def layer(self, view: View, _focus: Focus, name: str) -> tuple[BoardMark, ...]:
        """Return the marks of a layer.

        Raises:
            ValueError: there is no such layer.
        """
        if name not in [layer.name for layer in LAYERS]:
            raise ValueError(f"there is no layer {name!r}")
        sign = MarkSign.DANGER if name == "danger" else MarkSign.TARGET
        return tuple(
            mark
            for tile, percent in _chances(view, own=name == "danger")
            for mark in (*_filled(view, tile, sign), *_written(view, tile, f"{percent}%"))
        )

    def threats(self, view: View, x: int, y: int) -> tuple[str, ...]:
        """Name the stacks of others beside a tile that can attack it, with their chances."""
        return cards.threats(view, boxes.tile_at(view.layout, x, y))

    def route(self, view: View, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
        """Return the path of a stack; each step takes one turn. See: KA-6.4."""
        start = focus.held if focus.held != NOTHING else cursor.here(view, focus)
        goal = boxes.tile_at(view.layout, x, y)
        if not start or not goal or start == goal or not standing(view, start):
            return ()
        return tuple(
            BoardMark(*spot(view.layout, tile), MarkSign.PATH, str(step), step - 1)
            for step, tile in enumerate(way(view, start, goal), 1)
        )

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Lessons of this game."""
        return shipped("engine.rulesets.kaladan", War)


PRESENTER: AnyPresenter = KaladanPicture()


# -- marks -----------------------------------------------------------------------------------------


def marks(view: View, focus: Focus) -> Iterator[BoardMark]:
    """Yield marks for the tile under the cursor, the held stack, its moves and its targets."""
    tile = cursor.here(view, focus)
    if view.battle is not None:
        source, target = (side.tile for side in view.battle.sides)
        yield from _filled(view, target, MarkSign.TARGET)
        yield from _filled(view, source, MarkSign.HELD)
        return
    if focus.held != NOTHING:
        for there in cursor.ways(view, focus.held):
            yield from _filled(view, there, MarkSign.REACH)
            yield from _written(view, there, "go")
        for there in cursor.attacks(view, focus.held):
            yield from _filled(view, there, MarkSign.TARGET)
            yield from _written(view, there, panels.chance_text(view, focus.held, there))
        yield from _filled(view, focus.held, MarkSign.HELD)
    elif not cursor.asked_intent(view):
        yield from _choices(view)
    if tile and tile != focus.held:
        for x, y in boxes.border(view.layout, tile):
            yield BoardMark(x, y, MarkSign.HELD)


def _choices(view: View) -> Iterator[BoardMark]:
    """Yield marks of the tiles where the viewer can act: on units, or on free ground."""
    for tile in cursor.idle(view):
        sign = MarkSign.IDLE if standing(view, tile) else MarkSign.REACH
        yield from _filled(view, tile, sign)


def _filled(view: View, tile: int, sign: MarkSign) -> Iterator[BoardMark]:
    """Yield marks on a tile below its head, which still shows the terrain."""
    cells = inside(view.layout, tile)
    for x, y in cells:
        if y > cells[0][1]:
            yield BoardMark(x, y, sign)


def _written(view: View, tile: int, text: str) -> Iterator[BoardMark]:
    """Yield a short text on the lower border of a tile."""
    x, y = spot(view.layout, tile)
    yield BoardMark(x + 1 - len(text) // 2, y + 2, MarkSign.PATH, text)


def _chances(view: View, *, own: bool) -> Iterator[tuple[int, int]]:
    """Yield the viewer's or enemy tiles with a neighbour's best chance to clear them (percent)."""
    for tile in view.tiles:
        holder = controller(view, tile)
        if holder == NOBODY or (holder == view.viewer) != own:
            continue
        sources = [
            other
            for other in neighbours(view.layout, tile)
            if controller(view, other) not in (NOBODY, holder)
            and (own or controller(view, other) == view.viewer)
        ]
        if sources:
            best = max(battle_odds(view, other, tile).roll.clears for other in sources)
            yield tile, min(99, int(100 * best))
