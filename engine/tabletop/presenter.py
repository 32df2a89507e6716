"""What a ruleset must be able to tell any client."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, cast

from engine.core.ruleset import AnyRuleset
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import Board, Find, Layer, Line, Mark, Overlay, Status, Symbol
from engine.tabletop.fact import Fact
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.listing import ListLine
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.report import Numbers, Report
from engine.tabletop.toll import Toll

V_contra = TypeVar("V_contra", contravariant=True)
E_contra = TypeVar("E_contra", contravariant=True)


class Presenter(Protocol[V_contra, E_contra]):
    """Turns views and events into plain data; never sees a state."""

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Everything that can stand in a cell; number 0 is an empty cell."""
        ...

    @property
    def zooms(self) -> tuple[str, ...]:
        """Names of the ways the board can be drawn; the first is the usual one.

        Focus, marks and jumps are given in the cells of the usual one. Another may be drawn
        smaller, with the ``scale`` of its board.
        """
        ...

    def board(self, view: V_contra, zoom: str) -> Board:
        """The canvas; clients keep it until the view changes."""
        ...

    def start(self, view: V_contra) -> Focus:
        """Where the cursor is when a client opens the game."""
        ...

    def status(self, view: V_contra) -> Status:
        """Where the game stands."""
        ...

    def overlay(self, view: V_contra, focus: Focus) -> Overlay:
        """Marks and panel for a focus; cheap enough for every step of the cursor."""
        ...

    def settle(self, view: V_contra, focus: Focus) -> Focus:
        """The focus after the view changed otherwise: lets go of what it can hold no more."""
        ...

    def step(self, view: V_contra, focus: Focus, direction: Direction) -> Push:
        """What the stick does."""
        ...

    def stride(self, view: V_contra, focus: Focus, direction: Direction) -> Focus | None:
        """Where the fast cursor goes; None: as many cells as the player has set."""
        ...

    def fire(self, view: V_contra, focus: Focus) -> Push:
        """What the button does."""
        ...

    def jumps(self, view: V_contra, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Cells to jump between: ``idle`` (own pieces that can still act), ``enemy``, ``site``."""
        ...

    def intents(self, view: V_contra, focus: Focus) -> tuple[Intent, ...]:
        """Intents of a player here, besides stick and button; the likeliest first."""
        ...

    def why_not(self, view: V_contra, focus: Focus, key: str) -> str:
        """Why a key of an intent that is not offered here does nothing, in a sentence.

        Empty if no intent of the game has that key.
        """
        ...

    def ask(
        self, view: V_contra, focus: Focus, intent: str, answers: Sequence[str]
    ) -> AnyAsk | str:
        """The next question for an intent, or the line of notation when there is none left."""
        ...

    def look(self, view: V_contra, x: int, y: int) -> tuple[Line, ...]:
        """A cell in sentences."""
        ...

    def tell(self, event: E_contra, after: V_contra) -> tuple[Line, ...]:
        """An event in sentences; empty if there is nothing to say."""
        ...

    def facts(self, event: E_contra, before: V_contra, after: V_contra) -> tuple[Fact, ...]:
        """What an event means, for ledgers, charts, searches and moving pictures.

        ``event`` is redacted, and both views are those of the viewer it is made for.
        """
        ...

    def tolls(self, event: E_contra, before: V_contra, after: V_contra) -> tuple[Toll, ...]:
        """What an event cost whom, and why; empty if nothing, or if the game keeps no such table.

        As for ``facts`` the event is redacted and the views are those of its viewer.
        """
        ...

    def summary(self, view: V_contra) -> tuple[Line, ...]:
        """How the game stands or ended, in sentences."""
        ...

    def reports(self, view: V_contra) -> tuple[Report, ...]:
        """Tables of what the viewer owns and knows, each under a name of its own; may be empty."""
        ...

    def numbers(self, view: V_contra) -> Numbers:
        """The ruleset's statistics, as far as the viewer knows them just now.

        The same names as those; None for a seat whose number the viewer cannot know.
        """
        ...

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What can be laid over the whole board on demand; one is named ``danger``."""
        ...

    def layer(self, view: V_contra, focus: Focus, name: str) -> tuple[Mark, ...]:
        """The marks of a layer; may take some tenths of a second, so clients keep them.

        The focus matters only to a layer that is ``of_piece``.
        """
        ...

    def route(self, view: V_contra, focus: Focus, x: int, y: int) -> tuple[Mark, ...]:
        """The way of the piece that is held, or stands at the focus, to a cell, step by step.

        Each mark is a ``PATH``, in order, without the piece's own cell; its text is what the way
        costs so far, and ``turn`` in which turn from now on it comes there (0: this one). Empty if
        there is no piece or no way.
        """
        ...

    def finds(self, view: V_contra) -> tuple[Find, ...]:
        """Everything on the board with a name to search for, as far as the viewer knows it."""
        ...

    @property
    def listing(self) -> str:
        """What lists of orders as text are called; empty where a game knows none."""
        ...

    def listed(self, view: V_contra) -> str:
        """The list that the viewer writes, as text that ``unlisted`` reads; empty if it is."""
        ...

    def unlisted(self, view: V_contra, text: str) -> tuple[ListLine, ...]:
        """The lines of a text that say something, to be submitted one after the other."""
        ...

    @property
    def manual(self) -> tuple[Chapter, ...]:
        """The rule book; rule ids in lines are found there."""
        ...

    @property
    def lead(self) -> str:
        """Which of the ruleset's statistics says who leads: more is better."""
        ...

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """What can be learnt by playing; the first is where to begin. May be empty."""
        ...


AnyPresenter: TypeAlias = Presenter[Any, Any]


class BasePresenter(Generic[V_contra, E_contra]):
    """The parts of ``Presenter`` that a game may lack. A subclass adds those that it has."""

    package: ClassVar[str]
    """The package of the ruleset, with ``RULES.md`` in it."""

    zooms: tuple[str, ...] = ("map",)
    layers: tuple[Layer, ...] = ()
    listing: str = ""

    def stride(self, _view: V_contra, _focus: Focus, _direction: Direction) -> Focus | None:
        """Target of the fast cursor: as many cells as the player has set."""
        return None

    def why_not(self, _view: V_contra, _focus: Focus, _key: str) -> str:
        """Reason why a key does nothing here: none is known."""
        return ""

    def tolls(self, _event: E_contra, _before: V_contra, _after: V_contra) -> tuple[Toll, ...]:
        """Losses of an event: the game keeps no such table."""
        return ()

    def reports(self, _view: V_contra) -> tuple[Report, ...]:
        """Tables of what the viewer owns and knows: none."""
        return ()

    def layer(self, _view: V_contra, _focus: Focus, _name: str) -> tuple[Mark, ...]:
        """Marks of a layer: none."""
        return ()

    def route(self, _view: V_contra, _focus: Focus, _x: int, _y: int) -> tuple[Mark, ...]:
        """Way of a piece to a cell: none."""
        return ()

    def finds(self, _view: V_contra) -> tuple[Find, ...]:
        """Things on the board with a name: none."""
        return ()

    def listed(self, _view: V_contra) -> str:
        """List of orders as text: orders are carried out at once."""
        return ""

    def unlisted(self, _view: V_contra, _text: str) -> tuple[ListLine, ...]:
        """Lines of a list of orders: there are no lists."""
        return ()

    @property
    def manual(self) -> tuple[Chapter, ...]:
        """The rule book of the package."""
        return manual(self.package)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Lessons: none."""
        return ()


class Shown(Protocol):
    """A ruleset that can be shown. Kept apart from the core's protocol, which knows no pictures."""

    @property
    def presenter(self) -> AnyPresenter:
        """What tells clients about this game."""
        ...


def presenter_of(rules: AnyRuleset) -> AnyPresenter:
    """The presenter of a ruleset."""
    return cast("Shown", rules).presenter
