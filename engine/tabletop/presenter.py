"""Protocol of presenters: everything that a ruleset shows its clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar, cast

from engine.core.ids import Seat
from engine.core.ruleset import AnyRuleset, Scenario
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import Board, BoardMark, Find, Layer, Line, Overlay, Status, Symbol
from engine.tabletop.fact import EventMoment, Fact, LossRow
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson, shipped
from engine.tabletop.listing import ListLine
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.new_game import NewGameTexts, new_game_texts
from engine.tabletop.report import Report, SeatNumbers

V_contra = TypeVar("V_contra", contravariant=True)
E_contra = TypeVar("E_contra", contravariant=True)


class Presenter(Protocol[V_contra, E_contra]):
    """Converter of views and events into plain data; it never sees a state.

    Parts that a game may lack have a default here.
    """

    package: ClassVar[str] = ""
    """The package of the ruleset, with ``RULES.md`` in it."""
    lesson_scenario: ClassVar[type[Scenario] | None] = None
    """Type of the scenarios of shipped lessons; None without lessons."""
    round_word: ClassVar[str] = "round"
    """The game's word for a round, in lower case."""
    player_rows: ClassVar[str] = ""
    """Field of scenarios whose rows have the names of the players; empty if they have none."""
    place_fields: ClassVar[frozenset[str]] = frozenset()
    """Fields of commands and arguments of tools that hold a place by its number or label on the
    board, not as ``x,y``."""

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Symbols of the board; number 0 is an empty cell."""
        ...

    @property
    def zooms(self) -> tuple[str, ...]:
        """Names of the zooms of the board; the first is the default.

        Focus, marks and jumps are in cells of the default zoom. Another zoom may be smaller, by the
        ``scale`` of its board.
        """
        return ("map",)

    def board(self, view: V_contra, zoom: str, /) -> Board:
        """Return the board of a view; clients keep it until the view changes."""
        ...

    def start(self, view: V_contra, /) -> Focus:
        """Return the focus when a client opens the game."""
        ...

    def status(self, view: V_contra) -> Status:
        """Return the status of the game."""
        ...

    def overlay(self, view: V_contra, focus: Focus) -> Overlay:
        """Return marks and panel for a focus; cheap enough for every step of the cursor."""
        ...

    def forces(self, view: V_contra, /) -> tuple[Line, ...]:
        """Return panel lines that compare the sides as far as the viewer knows them; may be empty.

        They do not depend on the focus: clients keep them until the view changes, and show them if
        they have room.
        """
        return ()

    def settle(self, view: V_contra, focus: Focus, /) -> Focus:
        """Return the focus after another change of the view, without a piece that it lost."""
        ...

    def step(self, view: V_contra, focus: Focus, direction: Direction) -> Push:
        """Return the effect of the stick."""
        ...

    def stride(self, view: V_contra, focus: Focus, direction: Direction) -> Focus | None:
        """Return the focus of the fast cursor; None: move by the player's own number of cells."""
        return None

    def fire(self, view: V_contra, focus: Focus, /) -> Push:
        """Return the effect of the button."""
        ...

    def jumps(self, view: V_contra, focus: Focus, kind: str, /) -> tuple[tuple[int, int], ...]:
        """Return cells to jump between: ``idle`` (own pieces that can act), ``enemy``, ``site``."""
        ...

    def site_words(self) -> str:
        """Return in a few words what ``jumps`` of the kind ``site`` finds, each in the singular."""
        return "site"

    def marches(self, view: V_contra) -> tuple[Line, ...]:
        """Return lines about the viewer's pieces that can march on to their goals; may be empty."""
        return ()

    def intents(self, view: V_contra, focus: Focus) -> tuple[Intent, ...]:
        """Return the intents at a focus, besides stick and button; the likeliest first."""
        ...

    def why_not(self, view: V_contra, focus: Focus, key: str) -> str:
        """Explain in a sentence why the key of an intent that is not offered here does nothing.

        Empty if no intent of the game has that key.
        """
        return ""

    def ask(
        self, view: V_contra, focus: Focus, intent: str, answers: Sequence[str], /
    ) -> AnyAsk | str:
        """Return the next question of an intent, or the line of notation once all is answered."""
        ...

    def why_not_at(
        self,
        view: V_contra,
        focus: Focus,
        intent: str,
        answers: Sequence[str],
        at: tuple[int, int],
        /,
    ) -> str:
        """Return the reason, in a sentence, why a cell of the board cannot be chosen.

        ``answers`` are those before the question for a cell. Empty if the cell can be chosen, or if
        the question itself says what can.
        """
        return ""

    def look(self, view: V_contra, x: int, y: int) -> tuple[Line, ...]:
        """Describe the content of a cell in sentences."""
        ...

    def tell(self, event: E_contra, after: V_contra) -> tuple[Line, ...]:
        """Describe an event in sentences; may be empty."""
        ...

    def facts(self, event: E_contra, before: V_contra, after: V_contra, /) -> tuple[Fact, ...]:
        """Return the facts of an event, for ledgers, charts, searches and animations.

        ``event`` is redacted, and both views are those of the viewer it is redacted for.
        """
        ...

    def moments(self, event: E_contra, before: V_contra) -> tuple[EventMoment, ...]:
        """Return the moments of an event in order, for an animation beyond its facts; may be empty.

        As for ``facts``, the event is redacted and the view is that of its viewer.
        """
        return ()

    def losses(self, event: E_contra, before: V_contra, after: V_contra, /) -> tuple[LossRow, ...]:
        """Return the losses of an event; empty without any, or if the game keeps no such table.

        As for ``facts``, the event is redacted and the views are those of its viewer.
        """
        return ()

    def summary(self, view: V_contra, /) -> tuple[Line, ...]:
        """Describe the standing or result of the game in sentences."""
        ...

    def reports(self, view: V_contra, /) -> tuple[Report, ...]:
        """Return tables of the viewer's assets and knowledge, with unique names; may be empty."""
        return ()

    def numbers(self, view: V_contra, /) -> SeatNumbers:
        """Return the ruleset's statistics, as far as the viewer knows them now.

        The names are those of ``statistics``; None for a seat whose number the viewer cannot know.
        """
        ...

    def legend(self, view: V_contra) -> Mapping[str, str]:
        """Describe symbols by their names, with the numbers that matter in this game.

        A name may be the part of a symbol's name before a comma. Without an entry the name is
        shown.
        """
        return {}

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Layers that can be drawn over the whole board; one is named ``danger``."""
        return ()

    def layer(self, view: V_contra, focus: Focus, name: str, /) -> tuple[BoardMark, ...]:
        """Return the marks of a layer. It may take some tenths of a second, so clients cache them.

        The focus matters only to a layer that is ``of_piece``.
        """
        return ()

    def threats(self, view: V_contra, x: int, y: int) -> tuple[str, ...]:
        """Name what can strike a cell next, the worst first, without what the viewer cannot know.

        Each is a phrase such as ``Archers of Easthold at 5,3``. Unknown pieces are counted in
        phrases of their own.
        """
        return ()

    def route(self, view: V_contra, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
        """Return the path to a cell of the piece that is held or at the focus, step by step.

        Each mark is a ``PATH``, in order, without the piece's own cell. Its text is the cost so
        far, and ``turn`` the turn of arrival counted from now (0: this one). Empty without a piece
        or a path.
        """
        return ()

    def finds(self, view: V_contra, /) -> tuple[Find, ...]:
        """Return searchable things on the board by name, as far as the viewer knows them."""
        return ()

    @property
    def listing(self) -> str:
        """Name of lists of orders as text; empty if the game has none."""
        return ""

    def listed(self, view: V_contra) -> str:
        """Return the viewer's list of orders, as text for ``unlisted``; empty without orders."""
        return ""

    def unlisted(self, view: V_contra, text: str) -> tuple[ListLine, ...]:
        """Return the lines of such a text except blanks and comments, to be submitted in turn."""
        return ()

    def side(self, view: V_contra, seat: Seat) -> str:
        """Return the name that a seat has taken in the game; empty if it is its usual name."""
        return ""

    def out(self, view: V_contra) -> str:
        """Return the sentences that the viewer's seat is out of a game that goes on, and why.

        Empty for a seat in play and for spectators.
        """
        return ""

    def closing(self, view: V_contra) -> tuple[str, ...]:
        """Return the lines of notation that end the viewer's turn with the orders given so far.

        Empty if no line can end it. A stand-in for a player whose time has run out submits them in
        place of a plan of its own.
        """
        return ()

    @property
    def manual(self) -> tuple[Chapter, ...]:
        """Chapters of the rule book, which has the rule ids of lines."""
        return manual(self.package)

    @property
    def new_game(self) -> NewGameTexts:
        """Texts for the player who begins a game: opponents, scenarios, labels of statistics."""
        return new_game_texts(self.package)

    @property
    def lead(self) -> str:
        """Name of the statistic that shows the leader; more is better."""
        ...

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Lessons in the order in which to take them; may be empty."""
        return shipped(self.package, self.lesson_scenario) if self.lesson_scenario else ()


AnyPresenter: TypeAlias = Presenter[Any, Any]


class Shown(Protocol):
    """Ruleset with a presenter. Separate from the core's protocol, which knows no pictures."""

    @property
    def presenter(self) -> AnyPresenter:
        """Presenter of this game."""
        ...


def presenter_of(rules: AnyRuleset) -> AnyPresenter:
    """Return the presenter of a ruleset."""
    return cast("Shown", rules).presenter
