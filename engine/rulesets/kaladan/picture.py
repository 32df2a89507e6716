"""The presenter, and its marks on tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.core.ids import Seat
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
from engine.rulesets.kaladan.board import controller, standing, way
from engine.rulesets.kaladan.boxes import ZOOMS, inside, spot
from engine.rulesets.kaladan.canvas import SYMBOLS
from engine.rulesets.kaladan.dice_columns import MOMENTS
from engine.rulesets.kaladan.narration import NARRATION
from engine.rulesets.kaladan.state import NOBODY, View, War
from engine.rulesets.kaladan.tables import unit_rows
from engine.rulesets.kaladan.turns import statistics
from engine.rulesets.kaladan.words import called, kind_name
from engine.tabletop.board import BoardMark, Layer, Line, Overlay, Symbol
from engine.tabletop.fact import EventMoment, Fact, LossRow
from engine.tabletop.focus import NOTHING, Direction, Focus, Push
from engine.tabletop.presenter import AnyPresenter, Presenter
from engine.tabletop.roles import MarkSign

_CHAPTERS: Final = (narration, narration_battles)
"""Modules that register handlers of events."""

LAYERS: Final = (
    Layer("danger", "best chance of an enemy beside your tile to clear it, in percent"),
    Layer("chances", "your best chance to clear each tile beside yours, in percent"),
)


class KaladanPicture(Presenter[View, ev.AnyEvent]):
    """Presenter of this game; ``Presenter`` describes each method."""

    package = "engine.rulesets.kaladan"
    lesson_scenario = War
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
    intents = staticmethod(dialogues.intents)
    ask = staticmethod(dialogues.ask)
    why_not_at = staticmethod(dialogues.why_not_at)
    tell = staticmethod(NARRATION.tell)

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """Return marks and panel for the tile under the cursor and the held stack."""
        lines = tuple(panels.panel(view, focus))
        return Overlay(tuple(marks(view, focus)), lines, cursor.hint(view, focus))

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

    def side(self, view: View, seat: Seat) -> str:
        """Return the name of the realm that a seat has chosen; empty before that."""
        return called(view, seat) if view.players[seat].realm else ""

    def out(self, view: View) -> str:
        """Return that the viewer's seat is out of the war; empty if it is not."""
        own = view.players.get(view.viewer)
        is_out = own is not None and not own.alive and not view.reason
        return "You are out of the war: your Crown is gone." if is_out else ""

    def why_not(self, view: View, _focus: Focus, key: str) -> str:
        """Return why the key of an intent does nothing now."""
        return dialogues.why_not(view, key)

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """Describe the tile of a cell."""
        return tuple(panels.look(view, boxes.tile_at(view.layout, x, y)))

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
        signs = {"danger": MarkSign.DANGER, "chances": MarkSign.TARGET}
        if name not in signs:
            raise ValueError(f"there is no layer {name!r}")
        return tuple(
            mark
            for tile, percent in _chances(view, own=name == "danger")
            for mark in (*_filled(view, tile, signs[name]), *_written(view, tile, f"{percent}%"))
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
        if found := cards.attacks_on(view, tile, None if own else view.viewer):
            _, best = found[0]
            yield tile, min(99, int(100 * best))
