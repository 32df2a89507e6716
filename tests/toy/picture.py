"""The presenter: turns views into plain data for clients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core import notation
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import Board, BoardMark, Find, Layer, Line, Overlay, Status, Symbol
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.focus import NOTHING, Direction, Focus, Push
from engine.tabletop.listing import ListLine
from engine.tabletop.presenter import Presenter
from engine.tabletop.registration import UNKNOWN_EVENT, is_known
from engine.tabletop.report import UNKNOWN, Report, ReportRow, SeatNumbers, columns
from engine.tabletop.roles import MarkSign
from tests.toy import commands as do
from tests.toy import dialogues, facts, listing, losses, plans, sentences
from tests.toy import events as ev
from tests.toy.canvas import SYMBOLS, canvas, cell_of, hex_at
from tests.toy.fights import refuges
from tests.toy.hexes import Hex, paths, standing, step
from tests.toy.numbers import numbers
from tests.toy.orders import is_open, living
from tests.toy.state import CLANS, HIDDEN, Band, Terrain, View


class Picture(Presenter[View, ev.AnyEvent]):
    """Presenter of this game."""

    symbols: tuple[Symbol, ...] = SYMBOLS
    package = "tests.toy"
    zooms: tuple[str, ...] = ("map", "strength")
    layers: tuple[Layer, ...] = plans.LAYERS
    lead: str = "lanterns"
    listing: str = "marching orders"

    def board(self, view: View, zoom: str) -> Board:
        """Return the board of a view."""
        return canvas(view, zoom)

    def start(self, view: View) -> Focus:
        """Return the cursor on the viewer's first band, or on the first band of all."""
        own = living(view, view.viewer) or [band.id for band in view.bands.values() if band.alive]
        first = view.bands[own[0]]
        return Focus(*cell_of((first.x, first.y)))

    def status(self, view: View) -> Status:
        """Return the status line."""
        return sentences.status(view)

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """Return the marks for the focus, the panel about its cell, and the hint of the button.

        Marks are the targets of the held band, and the orders of the other bands.
        """
        at = hex_at(view, focus.x, focus.y)
        panel = sentences.look(view, at) if at is not None else ()
        return Overlay(tuple(_marks(view, focus)), panel, _hint(view, focus, at))

    def settle(self, view: View, focus: Focus) -> Focus:
        """Move the cursor onto the board; drop a band that can no longer be ordered."""
        board = view.terrain
        x = min(max(focus.x, 0), 2 * board.width)
        y = min(max(focus.y, 0), board.height - 1)
        return Focus(x, y, focus.held if _can_hold(view, focus.held) else NOTHING)

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """Move the cursor by one hex."""
        at = hex_at(view, focus.x, focus.y)
        if at is None:
            at = min(focus.x // 2, view.terrain.width - 1), focus.y
        other = step(at, direction)
        if not view.terrain.has(*other):
            return Push(Focus(*cell_of(at), focus.held))
        return Push(Focus(*cell_of(other), focus.held))

    def fire(self, view: View, focus: Focus) -> Push:
        """Pick up a band, send the held one, or retreat."""
        at = hex_at(view, focus.x, focus.y)
        if at is None:
            return Push(focus, note="There is nothing here.")
        free = Focus(focus.x, focus.y)
        if _must_retreat(view):
            return Push(free, notation.write(do.Retreat(at)))
        if focus.held == NOTHING:
            band = _next_band(view, at)
            if band is None:
                return Push(focus, note="No band of yours waits here for an order.")
            return Push(Focus(focus.x, focus.y, band.id))
        ways = {path[-1]: path for path in _ways(view, focus.held)}
        if at not in ways:
            return Push(free, note="The band stays.")
        return Push(free, notation.write(do.GiveOrder(focus.held, ways[at])), refused=focus)

    def jumps(self, view: View, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Return cells of ``idle`` (own bands without orders), ``enemy`` (other bands) or ``site``.

        Sites are shrines.
        """
        own = view.viewer
        living = [band for band in view.bands.values() if band.alive]
        found: dict[str, list[Hex]] = {
            "idle": [(b.x, b.y) for b in living if b.clan == own and b.id not in view.orders],
            "enemy": [(b.x, b.y) for b in living if b.clan != own],
            "site": [
                (x, y)
                for y in range(view.terrain.height)
                for x in range(view.terrain.width)
                if view.terrain[y, x] == Terrain.SHRINE
            ],
        }
        return tuple(cell_of(at) for at in dict.fromkeys(found.get(kind, ())))

    def intents(self, view: View, focus: Focus) -> tuple[Intent, ...]:
        """Return what the viewer can do at the cursor."""
        return dialogues.intents(view, hex_at(view, focus.x, focus.y))

    def why_not(self, view: View, _focus: Focus, key: str) -> str:
        """Return why a key has no intent: only spectators have none."""
        return "You only watch." if key in "mdrcst" else ""

    def why_not_at(
        self,
        view: View,
        focus: Focus,
        intent: str,
        answers: Sequence[str],
        at: tuple[int, int],
    ) -> str:
        """Return why a cell cannot be chosen; the only question about cells is a retreat."""
        return "No refuge is there."

    def ask(self, view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """Return the next question of an intent, or its line of notation."""
        return dialogues.ask(view, hex_at(view, focus.x, focus.y), intent, answers)

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """Describe a cell in sentences."""
        at = hex_at(view, x, y)
        return () if at is None else sentences.look(view, at)

    def tell(self, event: ev.AnyEvent, after: View) -> tuple[Line, ...]:
        """Describe an event in sentences."""
        return sentences.tell(event, after) if is_known(event, ev.AnyEvent) else UNKNOWN_EVENT

    def facts(self, event: ev.AnyEvent, before: View, after: View) -> tuple[Fact, ...]:
        """Return what an event means, as facts."""
        return facts.facts(event, before, after) if is_known(event, ev.AnyEvent) else ()

    def losses(self, event: ev.AnyEvent, before: View, after: View) -> tuple[LossRow, ...]:
        """Return the losses in an event."""
        return losses.losses(event, before) if is_known(event, ev.AnyEvent) else ()

    def summary(self, view: View) -> tuple[Line, ...]:
        """Return who leads, or the outcome of the game."""
        return sentences.summary(view)

    def reports(self, view: View) -> tuple[Report, ...]:
        """Return a table of the living bands with their strengths, as far as known."""
        rows = tuple(
            ReportRow(
                (band.id, CLANS[band.clan], UNKNOWN if band.strength == HIDDEN else band.strength),
                at=cell_of((band.x, band.y)),
                seat=band.clan,
            )
            for band in view.bands.values()
            if band.alive
        )
        return (Report("bands", "Bands", columns(">Band", "Clan", ">Strength"), rows),)

    def numbers(self, view: View) -> SeatNumbers:
        """Return lanterns and living bands of each clan, which all players know."""
        return {
            "lanterns": tuple(clan.lanterns for clan in view.clans.values()),
            "bands": tuple(len(living(view, clan)) for clan in view.clans),
        }

    def layer(self, view: View, focus: Focus, name: str) -> tuple[BoardMark, ...]:
        """Return the marks of a layer: hexes that bands can march to."""
        return plans.layer(view, name)

    def route(self, view: View, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
        """Return marks for the route of a band over several rounds."""
        return plans.route(view, focus, x, y)

    def finds(self, view: View) -> tuple[Find, ...]:
        """Return bands and shrines, by name."""
        return plans.finds(view)

    def listed(self, view: View) -> str:
        """Return the viewer's orders, one per line."""
        return listing.listed(view)

    def unlisted(self, view: View, text: str) -> tuple[ListLine, ...]:
        """Parse a text of orders."""
        return listing.unlisted(text)

    def closing(self, view: View) -> tuple[str, ...]:
        """Return the line that seals the viewer's orders."""
        return listing.closing(view)


PRESENTER: Final = Picture()
"""The presenter of this ruleset."""

_ORDERED: Final = "Order the band to march here"


def _can_hold(view: View, band: int) -> bool:
    return (
        band in view.bands
        and view.bands[band].clan == view.viewer
        and view.bands[band].alive
        and is_open(view, view.viewer)
    )


def _next_band(view: View, at: Hex) -> Band | None:
    """Return the band that the button picks up, or None; one without an order comes first."""
    here = [band for band in standing(view, at) if _can_hold(view, band.id)]
    return min(here, key=lambda band: (band.id in view.orders, band.id), default=None)


def _ways(view: View, held: int) -> list[tuple[Hex, ...]]:
    if not _can_hold(view, held):
        return []
    band = view.bands[held]
    return paths(view, (band.x, band.y), numbers().march.value)


def _must_retreat(view: View) -> bool:
    return bool(view.lost) and view.lost[0].clan == view.viewer and not view.reason


def _marks(view: View, focus: Focus) -> Iterator[BoardMark]:
    for path in _ways(view, focus.held):
        yield BoardMark(*cell_of(path[-1]), MarkSign.REACH)
    for order in view.orders.values():
        yield BoardMark(*cell_of(order.path[-1]), MarkSign.PATH, str(order.id)[-2:])
    if _can_hold(view, focus.held):
        band = view.bands[focus.held]
        yield BoardMark(*cell_of((band.x, band.y)), MarkSign.HELD)
    if _must_retreat(view):
        for at in refuges(view, view.lost[0]):
            yield BoardMark(*cell_of(at), MarkSign.TARGET)


def _hint(view: View, focus: Focus, at: Hex | None) -> str:
    if at is None:
        return ""
    if _must_retreat(view):
        return "Retreat here" if at in refuges(view, view.lost[0]) else ""
    if focus.held == NOTHING:
        return "Take up the band" if _next_band(view, at) is not None else ""
    return _ORDERED if any(path[-1] == at for path in _ways(view, focus.held)) else "Let it stay"
