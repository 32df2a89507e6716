"""Small positions in a viewer's view, and the output of the presenter for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core import notation
from engine.core.ids import REFEREE, Viewer
from engine.core.record import Command
from engine.rulesets.warlords2.events import AnyEvent, GameSet
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.picture import STYLE
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State, View
from engine.rulesets.warlords2.view import redact, view
from engine.strategic.commands import AnyCommand
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.presenter import StrategicPicture
from engine.tabletop.ask import (
    AnyAsk,
    AskAmount,
    AskConfirm,
    AskOne,
    AskOrder,
    AskPath,
    AskPlace,
    AskSome,
    AskText,
)
from engine.tabletop.board import Board, Line
from engine.tabletop.focus import Focus
from tests.strategic import ground

PICTURE = StrategicPicture(STYLE, lambda view: settings_of(view.options), GameSet)
"""A separate presenter, so that its caches are not shared with other tests."""


def context(state: State, viewer: Viewer = 0) -> PictureContext:
    """Return the picture context of a viewer's view."""
    return PICTURE.context(view(state, viewer))


def shown(state: State, viewer: Viewer = 0) -> View:
    """Return the viewer's view."""
    return view(state, viewer)


def drawn(board: Board, glyphs: str = "rich") -> list[str]:
    """Return the rows of a board as signs."""
    symbols = PICTURE.symbols
    return [
        "".join(
            getattr(symbols[int(board.piece[y, x]) or int(board.ground[y, x])], glyphs)
            for x in range(board.width)
        )
        for y in range(board.height)
    ]


def texts(lines: Iterable[Line]) -> list[str]:
    """Return the texts of lines."""
    return [line.text for line in lines]


def told(state: State, event: AnyEvent, viewer: Viewer = REFEREE) -> list[str]:
    """Return the sentences that a viewer reads about an event."""
    after = evolve(state, event)
    seen = redact(event, state, after, viewer)
    return texts(PICTURE.tell(seen, view(after, viewer))) if seen is not None else []


def answered(state: State, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """Return the question after some answers, or the finished line."""
    return PICTURE.ask(shown(state), focus, intent, list(answers))


def line_of(question: AnyAsk | str) -> Command:
    """Return the command of a finished dialogue."""
    assert isinstance(question, str)
    return notation.read(question, AnyCommand)


def some_answer(question: AnyAsk) -> str:
    """Return an answer that a question allows."""
    match question:
        case AskPlace():
            x, y = question.cells[0]
            return f"{x},{y}"
        case AskPath():
            x, y = question.start
            return f"{x + 1},{y}"
        case AskOne():
            return next(choice.value for choice in question.choices if not choice.reason)
        case AskSome() | AskOrder():
            return ">".join(choice.value for choice in question.choices)
        case AskAmount():
            return str(question.most)
        case AskText():
            return "Somewhere"
        case AskConfirm():
            return "yes"


FREE = Focus(0, 0)


def field(**more: object) -> State:
    """Return a row of plains with two stacks of side 0 and one of side 1."""
    armies = [
        ground.army(3, 1, 0, ground.SCOUTS),
        ground.army(5, 1, 0, ground.ARCHERS),
        ground.army(6, 4, 0, ground.LIGHT, points=0),
        ground.army(9, 6, 0, ground.LIGHT, owner=1),
    ]
    return ground.world(["........."], armies=armies, **more)  # type: ignore[arg-type]
