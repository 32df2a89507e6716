"""The presenter, and the marks that it draws over the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.kit.places import paths_from
from engine.rulesets.gd6 import (
    canvas,
    cards,
    cursor,
    descriptions,
    dialogues,
    list_dialogues,
    narration,
    narration_fights,
    narration_phases,
    summaries,
)
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.canvas import SYMBOLS, ZOOMS, outline, spot, territory_at
from engine.rulesets.gd6.construction import spawn_places
from engine.rulesets.gd6.forces import price, threat
from engine.rulesets.gd6.narration import NARRATION
from engine.rulesets.gd6.numbers import unit_rows
from engine.rulesets.gd6.raster import line
from engine.rulesets.gd6.state import NOBODY, Setting, View
from engine.rulesets.gd6.territories import (
    free_sites,
    headquarters,
    letter,
    owned,
    statistics,
)
from engine.rulesets.gd6.words import called
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import BoardMark, Layer, Line, Overlay, Symbol
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.focus import NOTHING, Direction, Focus, Push
from engine.tabletop.presenter import AnyPresenter, Presenter
from engine.tabletop.roles import MarkSign

_CHAPTERS: Final = (narration, narration_phases, narration_fights)
"""Modules that register handlers of events."""

LAYERS: Final = (
    Layer("danger", "the most that one other can send here this turn, in armies"),
    Layer("price", "armies needed to take what lies beside yours"),
    Layer("spawn", "where you can spawn"),
)


class DominationPicture(Presenter[View, ev.AnyEvent]):
    """The presenter of this game. ``Presenter`` describes each method."""

    package = "engine.rulesets.gd6"
    lesson_scenario = Setting
    round_word = summaries.ROUND_WORD
    symbols: tuple[Symbol, ...] = SYMBOLS
    zooms: tuple[str, ...] = ZOOMS
    layers: tuple[Layer, ...] = LAYERS
    lead: str = "territories"
    player_rows = "players"
    place_fields = frozenset({"at", "source", "target", "lots"})
    listing: str = "a list of orders (GDL)"

    board = staticmethod(canvas.board)
    forces = staticmethod(cards.forces)
    numbers = staticmethod(statistics)
    status = staticmethod(summaries.status)
    settle = staticmethod(cursor.kept)
    stride = staticmethod(cursor.strode)
    fire = staticmethod(cursor.fired)
    summary = staticmethod(summaries.summary)
    finds = staticmethod(summaries.finds)
    reports = staticmethod(summaries.reports)
    listed = staticmethod(list_dialogues.listed)
    unlisted = staticmethod(list_dialogues.unlisted)
    closing = staticmethod(list_dialogues.closing)
    tell = staticmethod(NARRATION.tell)

    def start(self, view: View) -> Focus:
        """Return the focus on the viewer's headquarters, its first land, or a good free site.

        If there is none of these, it is on territory 1.
        """
        seat = view.viewer
        own = [*headquarters(view, seat), *(here.id for here in owned(view, seat))]
        free = [at for at in view.world.sites if view.territories[at].owner < 0]
        return Focus(*spot(view.world, (own or free or [1])[0]))

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """Return marks and panel: orders, units picked up with their reach, land at the cursor."""
        at = territory_at(view.world, focus.x, focus.y)
        lines = descriptions.panel(view, at, max(focus.held, 0))
        return Overlay(marks(view, focus), lines, cursor.hint(view, focus))

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """Return the focus moved by one cell, as the effect of the stick."""
        return Push(cursor.stepped(view, focus, direction))

    def site_words(self) -> str:
        """Return what ``jumps`` of the kind ``site`` finds."""
        return "headquarters"

    def jumps(self, view: View, _focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Return label cells of ``idle`` land, ``enemy`` land or ``site`` headquarters.

        Idle is own land with units to send, and land where the viewer should raise armies; before
        that, free sites for its headquarters. Other kinds have no cells.
        """
        match kind:
            case "idle":
                found = sorted({*cursor.idle(view), *cursor.to_raise_at(view)})
                if summaries.is_homeless(view):
                    found = free_sites(view)
            case "enemy":
                found = [
                    h.id for h in view.territories.values() if h.owner not in (NOBODY, view.viewer)
                ]
            case "site":
                found = [at for seat in view.players for at in headquarters(view, seat)]
            case _:
                found = []
        return tuple(spot(view.world, at) for at in found)

    def intents(self, view: View, focus: Focus) -> tuple[Intent, ...]:
        """Return the intents at the focus."""
        return dialogues.intents(view, territory_at(view.world, focus.x, focus.y))

    def legend(self, view: View) -> dict[str, str]:
        """Return the name of each seat, by the symbol of its letter."""
        return {
            f"land of seat {letter(seat)}": f"land of {called(view, seat)}" for seat in view.players
        }

    def out(self, view: View) -> str:
        """Return that the viewer's seat is out of the game; empty if it is not."""
        own = view.players.get(view.viewer)
        if own is None or view.reason or own.status != "eliminated":
            return ""
        return "You are out of the game: you have no land left."

    def why_not(self, view: View, _focus: Focus, key: str) -> str:
        """Return the reason why the key of an intent does nothing now."""
        return dialogues.why_not(view, key)

    def ask(self, view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """Return the next question of an intent, or the finished line of notation."""
        return dialogues.ask(view, territory_at(view.world, focus.x, focus.y), intent, answers)

    def why_not_at(
        self,
        view: View,
        focus: Focus,
        intent: str,
        answers: Sequence[str],
        at: tuple[int, int],
    ) -> str:
        """Return the reason why a territory cannot be chosen; empty if it can."""
        here, there = (territory_at(view.world, *cell) for cell in ((focus.x, focus.y), at))
        return dialogues.why_not_at(view, here, intent, answers, there)

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """Describe a cell."""
        return descriptions.look(view, territory_at(view.world, x, y))

    def facts(self, event: ev.AnyEvent, before: View, _after: View) -> tuple[Fact, ...]:
        """Return the facts of an event; none has odds, since the game has no dice."""
        return NARRATION.facts_of(event, before)

    def losses(self, event: ev.AnyEvent, before: View, _after: View) -> tuple[LossRow, ...]:
        """Return the losses that an event caused, as rows of a table."""
        return NARRATION.losses_of(event, before)

    def layer(self, view: View, _focus: Focus, name: str) -> tuple[BoardMark, ...]:
        """Return the marks of a layer.

        Raises:
            ValueError: the layer does not exist.
        """
        match name:
            case "danger":
                counted, sign = {at: threat(view, at) for at in view.territories}, MarkSign.DANGER
            case "price":
                counted, sign = _prices(view), MarkSign.TARGET
            case "spawn":
                seen, seat = cursor.when_raising(view), view.viewer
                places = spawn_places(seen, seat) if seat in view.players else ()
                counted, sign = dict.fromkeys(places, 0), MarkSign.REACH
            case _:
                raise ValueError(f"there is no layer {name!r}")
        return tuple(
            BoardMark(x, y, sign, str(min(count, 99)) if count else "")
            for at, count in counted.items()
            if count or name == "spawn"
            for x, y in outline(view.world, at)
        )

    def route(self, view: View, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
        """Return the path of armies over several turns, marked on labels. See: GD-MOVE-2.

        Of the shortest paths it is that with the lowest numbers, seen from the goal.
        """
        start = focus.held if focus.held != NOTHING else territory_at(view.world, focus.x, focus.y)
        goal = territory_at(view.world, x, y)
        if not start or not goal or start == goal or view.territories[start].owner == NOBODY:
            return ()
        speed = unit_rows()["army"].speed
        way = paths_from(view.world, start, cost=lambda way: way[::-1]).get(goal, ())
        return tuple(
            BoardMark(*spot(view.world, at), MarkSign.PATH, str(hop), (hop - 1) // speed)
            for hop, at in enumerate(way[1:], 1)
        )


PRESENTER: AnyPresenter = DominationPicture()


# -- marks -----------------------------------------------------------------------------------------

_SLOPE: Final = 2


def marks(view: View, focus: Focus) -> tuple[BoardMark, ...]:
    """Return marks for the viewer's orders, units picked up, and land under the cursor."""
    at = territory_at(view.world, focus.x, focus.y)
    marks = list(_order_marks(view))
    if focus.held != NOTHING:
        marks += _held_marks(view, focus.held)
    if at and at != focus.held:
        marks += [BoardMark(x, y, MarkSign.HELD) for x, y in outline(view.world, at)]
    return tuple(marks)


def _held_marks(view: View, held: int) -> Iterator[BoardMark]:
    for there in cursor.ways(view, held, cursor.best_unit(view, held)):
        owner = view.territories[there].owner
        sign = MarkSign.TARGET if owner not in (NOBODY, view.viewer) else MarkSign.REACH
        for x, y in outline(view.world, there):
            yield BoardMark(x, y, sign)
    for x, y in outline(view.world, held):
        yield BoardMark(x, y, MarkSign.HELD)


def _order_marks(view: View) -> Iterator[BoardMark]:
    """Yield marks for the viewer's list; other lists are hidden."""
    for order in cursor.sent(view):
        match order:
            case do.Move():
                yield from _arrow(view, order)
            case do.Spawn():
                yield from _text_marks(view, order.at, f"+{order.count}")
            case do.Promote():
                yield from _text_marks(view, order.at, f">{order.unit[0]}")
            case do.Build():
                yield from _text_marks(view, order.at, f"+{order.construct[0].upper()}")
            case do.LayMines():
                yield from _text_marks(view, order.at, "+m")
            case do.PlaceHq():
                yield from _text_marks(view, order.at, "+*")
            case _:
                pass


def _text_marks(view: View, at: int, text: str) -> Iterator[BoardMark]:
    """Yield a short text above the label of a territory, two rows up if it fits.

    At zooms where a row represents several, the next row would hit the label.
    """
    x, y = spot(view.world, at)
    above = 2 if territory_at(view.world, x, y - 2) == at else 1
    yield BoardMark(x, y - above, MarkSign.PATH, text[:4])


def _arrow(view: View, order: do.Move) -> Iterator[BoardMark]:
    """Yield an arrow from label to label: dashed after the first hop, which has the count."""
    for hop, (here, there) in enumerate(zip(order.path, order.path[1:], strict=False)):
        (x1, y1), (x2, y2) = spot(view.world, here), spot(view.world, there)
        sign = _sign(x2 - x1, y2 - y1)
        cells = [(x, y + 1) for x, y in line((x1, y1), (x2, y2))]
        for number, (x, y) in enumerate(cells):
            if number == len(cells) - 1:
                yield BoardMark(x, y, MarkSign.PATH, _head(cells))
            elif not hop or number % 2:
                yield BoardMark(x, y, MarkSign.PATH, sign)
        if cells and not hop:
            x, y = cells[len(cells) // 2]
            yield BoardMark(x, y, MarkSign.PATH, str(order.count))


def _sign(across: int, down: int) -> str:
    if abs(across) > 2 * _SLOPE * abs(down):
        return "-"
    if abs(down) > 2 * abs(across):
        return "|"
    return "\\" if (across > 0) == (down > 0) else "/"


def _head(cells: list[tuple[int, int]]) -> str:
    """Return the character at the head of an arrow."""
    (x1, y1), (x2, y2) = cells[0], cells[-1]
    if abs(x2 - x1) >= abs(y2 - y1) * _SLOPE:
        return ">" if x2 >= x1 else "<"
    return "v" if y2 > y1 else "^"


# -- layers ----------------------------------------------------------------------------------------


def _prices(view: View) -> dict[int, int]:
    """Return the armies needed for each neighbouring land, except neutral land without mines."""
    beside = {at for here in owned(view, view.viewer) for at in view.world.beside(here.id)}
    found = {}
    for at in sorted(beside):
        owner, aims = view.territories[at].owner, price(view, at)
        if aims is not None and owner != view.viewer and (aims.take > 1 or owner != NOBODY):
            found[at] = aims.take
    return found
