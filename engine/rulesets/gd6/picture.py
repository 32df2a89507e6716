# ruff: noqa: ARG002 - the protocol has arguments that a plain picture does not need
"""A plain presenter: territories in rows, each a number with its armies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.core import notation
from engine.core.containers import Plane
from engine.core.record import tag
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import SealList
from engine.rulesets.gd6.drafting import project
from engine.rulesets.gd6.final import playing
from engine.rulesets.gd6.lands import letter, name, owned, strength
from engine.rulesets.gd6.lists import may_write
from engine.rulesets.gd6.state import NOBODY as FREE
from engine.rulesets.gd6.state import Territory, View
from engine.rulesets.gd6.turns import owing
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import (
    NOBODY,
    Board,
    Find,
    Layer,
    Line,
    Mark,
    Overlay,
    Place,
    Status,
    Symbol,
)
from engine.tabletop.fact import Fact
from engine.tabletop.focus import DELTAS, NOTHING, Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Role, Sign

_WIDE: Final = 7
_ROW: Final = 8
_DIGITS: Final = 3
_HQ: Final = _DIGITS + 10


class Picture:
    """What clients are told about this game."""

    symbols: tuple[Symbol, ...] = (
        Symbol("sea", Role.BLANK, " ", " ", " "),
        Symbol("land", Role.PLAIN, "·", ".", "."),
        Symbol("wasteland", Role.SWAMP, "≈", "~", "~"),
        *(Symbol(f"{n} units", Role.PIECE, str(n), str(n), str(n)) for n in range(10)),
        Symbol("headquarters", Role.LEADER, "★", "*", "*"),
    )
    zooms: tuple[str, ...] = ("map",)
    layers: tuple[Layer, ...] = (Layer("danger", "Land of others next to yours"),)
    lead: str = "territories"
    lessons: tuple[Lesson, ...] = ()

    def board(self, view: View, zoom: str) -> Board:
        """The canvas."""
        rows = -(-len(view.world.lands) // _ROW)
        ground, piece = np.zeros((2, rows, _WIDE * _ROW), dtype=np.uint8)
        owner = np.full(ground.shape, NOBODY, dtype=np.int8)
        place = np.full(ground.shape, -1, dtype=np.int16)
        places = []
        for here in view.territories.values():
            x, y = cell_of(here.id)
            ground[y, x : x + _WIDE - 1] = 2 if here.wasteland else 1
            place[y, x : x + _WIDE - 1] = here.id
            places.append(Place(here.id, x, y, _WIDE - 1, 1, name(view, here.id)))
            if here.owner != FREE:
                piece[y, x] = _DIGITS + min(9, strength(here))
                owner[y, x] = here.owner
            if here.hq != FREE:
                piece[y, x + 1] = _HQ
        return Board(Plane(ground), Plane(piece), Plane(owner), Plane(place), tuple(places))

    def start(self, view: View) -> Focus:
        """The viewer's first territory."""
        own = owned(view, view.viewer)
        return Focus(*cell_of(own[0].id if own else 1))

    def status(self, view: View) -> Status:
        """Where the game stands."""
        waiting = sorted(owing(view))
        seat = view.viewer if view.viewer in waiting else min(waiting, default=NOBODY)
        last = max(view.options.turn_limit, view.turn)
        text = f"Turn {view.turn} of {last}"
        return Status(view.turn, last, "Orders", seat, text, over=not waiting)

    def overlay(self, view: View, focus: Focus) -> Overlay:
        """What is under the cursor."""
        return Overlay((), self.look(view, focus.x, focus.y))

    def settle(self, view: View, focus: Focus) -> Focus:
        """Keep to the board."""
        rows = -(-len(view.world.lands) // _ROW)
        x = min(max(focus.x, 0), _WIDE * _ROW - 1)
        return Focus(x, min(max(focus.y, 0), rows - 1))

    def step(self, view: View, focus: Focus, direction: Direction) -> Push:
        """One cell on."""
        dx, dy = DELTAS[direction]
        return Push(self.settle(view, Focus(focus.x + dx, focus.y + dy)))

    def stride(self, view: View, focus: Focus, direction: Direction) -> Focus | None:
        """As many cells as the player has set."""
        return None

    def fire(self, view: View, focus: Focus) -> Push:
        """Nothing is taken up here."""
        return Push(Focus(focus.x, focus.y, NOTHING))

    def jumps(self, view: View, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Own land, others' land, headquarters."""
        found: dict[str, list[Territory]] = {
            "idle": owned(view, view.viewer),
            "enemy": [h for h in view.territories.values() if h.owner not in (FREE, view.viewer)],
            "site": [here for here in view.territories.values() if here.hq != FREE],
        }
        return tuple(cell_of(here.id) for here in found.get(kind, ()))

    def intents(self, view: View, focus: Focus) -> tuple[Intent, ...]:
        """To seal."""
        if view.viewer not in view.players or not may_write(view, view.viewer):
            return ()
        reason = "A line is refused" if project(view).refused else ""
        return (Intent("seal", "Seal the list", "s", reason),)

    def ask(self, view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        """The line of notation."""
        return notation.write(SealList())

    def look(self, view: View, x: int, y: int) -> tuple[Line, ...]:
        """A cell in sentences."""
        at = y * _ROW + x // _WIDE + 1
        if not 1 <= at <= len(view.world.lands) or x % _WIDE == _WIDE - 1:
            return ()
        here = view.territories[at]
        whose = "nobody" if here.owner == FREE else f"seat {letter(here.owner)}"
        return (
            Line(f"{name(view, at)} belongs to {whose}", rule="GD-LAND-1"),
            Line(f"{strength(here)} units", rule="GD-UNIT-1"),
        )

    def tell(self, event: ev.AnyEvent, after: View) -> tuple[Line, ...]:
        """An event in a word."""
        return (Line(tag(event)),)

    def facts(self, event: ev.AnyEvent, before: View, after: View) -> tuple[Fact, ...]:
        """What an event means."""
        match event:
            case ev.LiftedOff():
                return tuple(
                    Fact(
                        "move",
                        hop.seat,
                        at=cell_of(hop.target),
                        source=cell_of(hop.source),
                        piece=hop.unit,
                    )
                    for hop in event.hops
                )
            case ev.PhaseBegan():
                return (Fact("phase", target=event.phase),)
            case ev.TurnOpened():
                return (Fact("round", target=f"turn {event.turn}", amount=event.turn),)
            case ev.GameOver():
                return tuple(Fact("end", seat, target=event.reason) for seat in event.winners)
            case _:
                return ()

    def summary(self, view: View) -> tuple[Line, ...]:
        """Who owns how much."""
        return (
            Line(f"Turn {view.turn}"),
            *(
                Line(f"{letter(s)}: {len(owned(view, s))} territories", seat=s)
                for s in playing(view)
            ),
        )

    def layer(self, view: View, focus: Focus, name: str) -> tuple[Mark, ...]:
        """Others' land."""
        cells = self.jumps(view, focus, "enemy")
        return tuple(Mark(x, y, Sign.DANGER) for x, y in cells)

    def route(self, view: View, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
        """Nothing is held, so there is no way."""
        return ()

    def finds(self, view: View) -> tuple[Find, ...]:
        """Every territory."""
        return tuple(
            Find(name(view, at), "territory", cell_of(at), view.territories[at].owner)
            for at in view.territories
        )

    @property
    def manual(self) -> tuple[Chapter, ...]:
        """The rule book."""
        return manual("engine.rulesets.gd6")


def _move(hop: ev.Hop) -> Fact:
    here, there = cell_of(hop.source), cell_of(hop.target)
    return Fact("move", hop.seat, at=there, source=here, piece=hop.unit)


def cell_of(at: int) -> tuple[int, int]:
    """The left cell of a territory."""
    row, column = divmod(at - 1, _ROW)
    return _WIDE * column, row


PRESENTER: AnyPresenter = Picture()
