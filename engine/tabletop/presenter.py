"""Protocol of presenters: everything that a ruleset tells its clients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar, cast

from engine.core.ruleset import AnyRuleset
from engine.tabletop.ask import AnyAsk, Intent
from engine.tabletop.board import Board, BoardMark, Find, Layer, Line, Overlay, Status, Symbol
from engine.tabletop.fact import EventMoment, Fact, LossRow
from engine.tabletop.focus import Direction, Focus, Push
from engine.tabletop.lesson import Lesson
from engine.tabletop.listing import ListLine
from engine.tabletop.manual import Chapter, manual
from engine.tabletop.new_game import NewGameTexts, new_game_texts
from engine.tabletop.report import Report, SeatNumbers

V_contra = TypeVar("V_contra", contravariant=True)
E_contra = TypeVar("E_contra", contravariant=True)


class Presenter(Protocol[V_contra, E_contra]):
    """Converts views and events into plain data; never sees a state.

    Parts that a game may lack have a default here.
    """

    package: ClassVar[str] = ""
    """The package of the ruleset, with ``RULES.md`` in it."""
    round_word: ClassVar[str] = "round"
    """Word of the game for a round, in lower case."""
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

    def board(self, view: V_contra, zoom: str) -> Board:
        """Board of a view; clients keep it until the view changes."""
        ...

    def start(self, view: V_contra) -> Focus:
        """Focus when a client opens the game."""
        ...

    def status(self, view: V_contra) -> Status:
        """Status of the game."""
        ...

    def overlay(self, view: V_contra, focus: Focus) -> Overlay:
        """Marks and panel for a focus; cheap enough for every step of the cursor."""
        ...

    def forces(self, view: V_contra) -> tuple[Line, ...]:
        """Panel lines that compare the sides as far as the viewer knows them; may be empty.

        They do not depend on the focus: clients keep them until the view changes, and show them
        where there is room.
        """
        return ()

    def settle(self, view: V_contra, focus: Focus) -> Focus:
        """Focus after another change of the view, without a piece that can no longer be held."""
        ...

    def step(self, view: V_contra, focus: Focus, direction: Direction) -> Push:
        """Effect of the stick."""
        ...

    def stride(self, view: V_contra, focus: Focus, direction: Direction) -> Focus | None:
        """Focus of the fast cursor; None: as many cells away as the player has set."""
        return None

    def fire(self, view: V_contra, focus: Focus) -> Push:
        """Effect of the button."""
        ...

    def jumps(self, view: V_contra, focus: Focus, kind: str) -> tuple[tuple[int, int], ...]:
        """Cells to jump between: ``idle`` (own pieces that can still act), ``enemy``, ``site``."""
        ...

    def intents(self, view: V_contra, focus: Focus) -> tuple[Intent, ...]:
        """Intents at a focus, besides stick and button; the likeliest first."""
        ...

    def why_not(self, view: V_contra, focus: Focus, key: str) -> str:
        """Reason, in a sentence, why a key of an intent that is not offered here does nothing.

        Empty if no intent of the game has that key.
        """
        return ""

    def ask(
        self, view: V_contra, focus: Focus, intent: str, answers: Sequence[str]
    ) -> AnyAsk | str:
        """Next question of an intent, or the line of notation when no question is left."""
        ...

    def why_not_at(
        self,
        view: V_contra,
        focus: Focus,
        intent: str,
        answers: Sequence[str],
        at: tuple[int, int],
    ) -> str:
        """Reason, in a sentence, why a cell of the board cannot be chosen.

        ``answers`` are those before the question for a cell. Empty if the cell can be chosen, or if
        the question itself says what can.
        """
        return ""

    def look(self, view: V_contra, x: int, y: int) -> tuple[Line, ...]:
        """Content of a cell in sentences."""
        ...

    def tell(self, event: E_contra, after: V_contra) -> tuple[Line, ...]:
        """Sentences for an event; may be empty."""
        ...

    def facts(self, event: E_contra, before: V_contra, after: V_contra) -> tuple[Fact, ...]:
        """Facts of an event, for ledgers, charts, searches and animations.

        ``event`` is redacted, and both views are those of the viewer it is redacted for.
        """
        ...

    def moments(self, event: E_contra, before: V_contra) -> tuple[EventMoment, ...]:
        """Moments of an event in order, for a moving picture of more than its facts; may be empty.

        As for ``facts`` the event is redacted and the view is that of its viewer.
        """
        return ()

    def losses(self, event: E_contra, before: V_contra, after: V_contra) -> tuple[LossRow, ...]:
        """Losses of an event; empty if there are none, or if the game keeps no such table.

        As for ``facts`` the event is redacted and the views are those of its viewer.
        """
        return ()

    def summary(self, view: V_contra) -> tuple[Line, ...]:
        """Standing or result of the game in sentences."""
        ...

    def reports(self, view: V_contra) -> tuple[Report, ...]:
        """Tables of what the viewer owns and knows, each with a unique name; may be empty."""
        return ()

    def numbers(self, view: V_contra) -> SeatNumbers:
        """Statistics of the ruleset, as far as the viewer knows them now.

        The names are those of ``statistics``; None for a seat whose number the viewer cannot know.
        """
        ...

    def legend(self, view: V_contra) -> Mapping[str, str]:
        """Words for symbols by their names, with the numbers that matter in this game.

        A name may be the part of a symbol's name before a comma. Without words the name is told.
        """
        return {}

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Layers that can be laid over the whole board; one is named ``danger``."""
        return ()

    def layer(self, view: V_contra, focus: Focus, name: str) -> tuple[BoardMark, ...]:
        """Marks of a layer; may take some tenths of a second, so that clients keep them.

        The focus matters only to a layer that is ``of_piece``.
        """
        return ()

    def route(self, view: V_contra, focus: Focus, x: int, y: int) -> tuple[BoardMark, ...]:
        """Path to a cell of the piece that is held or stands at the focus, step by step.

        Each mark is a ``PATH``, in order, without the piece's own cell; its text is the cost so
        far, and ``turn`` the turn of arrival from now on (0: this one). Empty if there is no piece
        or no path.
        """
        return ()

    def finds(self, view: V_contra) -> tuple[Find, ...]:
        """Things on the board with a name to search for, as far as the viewer knows them."""
        return ()

    @property
    def listing(self) -> str:
        """Name of lists of orders as text; empty if the game has none."""
        return ""

    def listed(self, view: V_contra) -> str:
        """List of orders of the viewer, as text for ``unlisted``; empty if there are none."""
        return ""

    def unlisted(self, view: V_contra, text: str) -> tuple[ListLine, ...]:
        """Lines of such a text that are not blank or comments, to be submitted in turn."""
        return ()

    def closing(self, view: V_contra) -> tuple[str, ...]:
        """Lines of notation that end the viewer's turn with the orders given so far.

        Empty if there are none to end it with. A stand-in for a player whose time has run out
        submits them in place of a plan of its own.
        """
        return ()

    @property
    def manual(self) -> tuple[Chapter, ...]:
        """Chapters of the rule book, which has the rule ids of lines."""
        return manual(self.package)

    @property
    def new_game(self) -> NewGameTexts:
        """Texts for whoever begins a game: opponents, scenarios, labels of statistics."""
        return new_game_texts(self.package)

    @property
    def lead(self) -> str:
        """Name of the statistic that tells who leads; more is better."""
        ...

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Lessons, the first one to take first; may be empty."""
        return ()


AnyPresenter: TypeAlias = Presenter[Any, Any]


class Shown(Protocol):
    """Ruleset with a presenter. Separate from the core's protocol, which knows no pictures."""

    @property
    def presenter(self) -> AnyPresenter:
        """Presenter of this game."""
        ...


def presenter_of(rules: AnyRuleset) -> AnyPresenter:
    """Presenter of a ruleset."""
    return cast("Shown", rules).presenter
