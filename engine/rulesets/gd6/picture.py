"""The presenter: from a view to plain data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from engine.rulesets.gd6 import (
    canvas,
    dialogues,
    facts,
    looking,
    order_text,
    plans,
    reports,
    sentences,
    summaries,
    tolls,
    walking,
)
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.canvas import ZOOMS, spot, territory_at
from engine.rulesets.gd6.lands import headquarters, owned
from engine.rulesets.gd6.state import Setting, View
from engine.rulesets.gd6.statistics import statistics
from engine.rulesets.gd6.symbols import SYMBOLS
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import Board, Find, Layer, Line, Mark, Overlay, Status, Symbol
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.lesson_files import shipped
from engine.tabletop.listing import ListLine
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.report import Numbers, Report
from engine.tabletop.toll import Toll
from engine.tabletop.unknown import UNKNOWN_EVENT, is_known


class Picture:
    """What clients are told about this game."""

    symbols: tuple[Symbol, ...] = SYMBOLS
    zooms: tuple[str, ...] = ZOOMS
    layers: tuple[Layer, ...] = plans.LAYERS
    lead: str = "territories"
    listing: str = "a list of orders (GDL)"

    def board(self, view: View, zoom: str) -> Board:
        """The canvas."""
        return canvas.board(view, zoom)

    def start(self, view: View) -> Focus:
        """The viewer's headquarters, its first land, or a good site."""
        seat = view.viewer
        own = [*headquarters(view, seat), *(here.id for here in owned(view, seat))]
        free = [at for at in view.world.sites if view.territories[at].owner < 0]
        return Focus(*spot(view.world, (own or free or [1])[0]))

    def status(self, view: View) -> Status:
        """Where the game stands."""
        return summaries.status(view)

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """Own orders, what is held and where it can go, and the territory under the cursor."""
        at = territory_at(view.world, focus.x, focus.y)
        lines = looking.panel(view, at, max(focus.held, 0))
        return Overlay(plans.overlay(view, focus), lines, walking.hint(view, focus))

    def settle(self, view: View, focus: Focus) -> Focus:
        """Keep to the map, and to what can still be sent."""
        return walking.kept(view, focus)

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """One cell on."""
        return Push(walking.stepped(view, focus, direction))

    def stride(self, view: View, focus: Focus, direction: Direction) -> Focus | None:
        """To the neighbour in that direction."""
        return walking.strode(view, focus, direction)

    def fire(self, view: View, focus: Focus) -> Push:
        """Settle, take units up, or send them."""
        return walking.fired(view, focus)

    def jumps(self, view: View, _focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Land with units to send, land of others, headquarters."""
        return plans.jumps(view, kind)

    def intents(self, view: View, focus: Focus) -> tuple[Intent, ...]:
        """What the viewer may want here."""
        return dialogues.intents(view, territory_at(view.world, focus.x, focus.y))

    def why_not(self, view: View, _focus: Focus, key: str) -> str:
        """Why a key that has a meaning at other times has none now."""
        return dialogues.why_not(view, key)

    def ask(self, view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """The next question, or the line of notation."""
        return dialogues.ask(view, territory_at(view.world, focus.x, focus.y), intent, answers)

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """A cell in sentences."""
        return looking.look(view, territory_at(view.world, x, y))

    def tell(self, event: ev.AnyEvent, after: View) -> tuple[Line, ...]:
        """An event in sentences."""
        return sentences.tell(event, after) if is_known(event, ev.AnyEvent) else UNKNOWN_EVENT

    def facts(self, event: ev.AnyEvent, before: View, after: View) -> tuple[Fact, ...]:
        """What an event means."""
        return facts.facts(event, before, after) if is_known(event, ev.AnyEvent) else ()

    def tolls(self, event: ev.AnyEvent, before: View, after: View) -> tuple[Toll, ...]:
        """What an event cost."""
        return tolls.tolls(event, before, after) if is_known(event, ev.AnyEvent) else ()

    def summary(self, view: View) -> tuple[Line, ...]:
        """How the game stands or ended."""
        return summaries.summary(view)

    def reports(self, view: View) -> tuple[Report, ...]:
        """Seats, land, the purse, orders."""
        return reports.reports(view)

    def numbers(self, view: View) -> Numbers:
        """What everybody may count."""
        return statistics(view)

    def layer(self, view: View, _focus: Focus, name: str) -> tuple[Mark, ...]:
        """What may come, what land costs, where armies can be raised."""
        return plans.layer(view, name)

    def route(self, view: View, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
        """The way of armies over several turns."""
        return plans.route(view, focus, x, y)

    def finds(self, view: View) -> tuple[Find, ...]:
        """Every territory."""
        return summaries.finds(view)

    def listed(self, view: View) -> str:
        """The viewer's list in the order language."""
        return order_text.listed(view)

    def unlisted(self, view: View, text: str) -> tuple[ListLine, ...]:
        """The lines of a list in the order language, or in notation."""
        return order_text.unlisted(view, text)

    @cached_property
    def manual(self) -> tuple[Chapter, ...]:
        """The rule book."""
        return manual("engine.rulesets.gd6")

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Those that come with the game."""
        return shipped("engine.rulesets.gd6", Setting)


PRESENTER: AnyPresenter = Picture()
