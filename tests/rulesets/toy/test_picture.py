"""The toy on the screen: cells of hexes, the button, dialogues."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.record import replace
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
from engine.tabletop.board import Board
from engine.tabletop.focus import NOTHING, Focus
from tests.rulesets.toy.places import begun, march, now, placed, play
from tests.toy import RULES
from tests.toy.picture import Picture
from tests.toy.state import Clan, Lost, View

FIELD = placed((0, 0, 0, 2), (0, 0, 0, 3), (1, 3, 0, 2), (1, 3, 2, 3))
RICH = replace(FIELD, now=replace(now(2), clans=(Clan(0, lanterns=2), Clan(1))))
SHOW: Picture = RULES.presenter
HOME = Focus(0, 0)


def seen(field: object = FIELD, *orders: int) -> View:
    """View of seat 0."""
    state = begun(FIELD if field is FIELD else RICH)
    state, _ = play(state, *((0, march(band, (1, 0))) for band in orders))
    return RULES.view(state, 0)


def drawn(board: Board) -> list[str]:
    """The canvas in ASCII."""
    glyphs = [symbol.ascii for symbol in SHOW.symbols]
    rows = zip(board.piece.cells.tolist(), board.ground.cells.tolist(), strict=True)
    return [
        "".join(glyphs[piece or ground] for piece, ground in zip(*row, strict=True)) for row in rows
    ]


def test_odd_rows_are_shifted_by_a_cell() -> None:
    assert drawn(SHOW.board(seen(), "map")) == ["B2....b. ", " ..**~~..", "......b. "]


def test_the_other_zoom_shows_strengths_as_far_as_they_are_known() -> None:
    assert drawn(SHOW.board(seen(), "strength"))[0] == "B5....b? "


def test_the_stick_goes_from_hex_to_hex() -> None:
    view = seen()
    assert SHOW.step(view, HOME, "right").focus == Focus(2, 0)
    assert SHOW.step(view, HOME, "down-right").focus == Focus(1, 1)
    assert SHOW.step(view, Focus(1, 1), "down-right").focus == Focus(2, 2)
    assert SHOW.step(view, HOME, "left").focus == HOME
    assert SHOW.step(view, Focus(8, 0), "left").focus == Focus(4, 0)


def test_the_button_takes_a_band_up_and_sends_it() -> None:
    view = seen()
    held = SHOW.fire(view, HOME).focus
    assert held == Focus(0, 0, 1)
    push = SHOW.fire(view, Focus(4, 0, 1))
    assert push.line == "order band=1 path=1,0>2,0"
    assert push.focus.held == NOTHING
    assert SHOW.fire(view, Focus(0, 0, 1)).note == "The band stays."
    assert SHOW.fire(view, Focus(2, 0)).note


def test_the_button_prefers_a_band_without_an_order() -> None:
    assert SHOW.fire(seen(FIELD, 1), HOME).focus.held == 2


def ask(view: View, focus: Focus, intent: str, *answers: str) -> AnyAsk | str:
    """The next question."""
    return SHOW.ask(view, focus, intent, answers)


def test_every_kind_of_question_is_asked() -> None:
    view = seen(RICH, 1)
    asked: Sequence[AnyAsk | str] = [
        ask(view, HOME, "march"),
        ask(view, HOME, "march", "2"),
        ask(view, HOME, "drop"),
        ask(view, HOME, "rank"),
        ask(view, HOME, "cry"),
        ask(view, HOME, "seal"),
        ask(view, HOME, "seal", "1"),
    ]
    kinds = [AskOne, AskPath, AskSome, AskOrder, AskText, AskAmount, AskConfirm]
    assert [type(question) for question in asked] == kinds


@pytest.mark.parametrize(
    ("intent", "answers", "line"),
    [
        ("march", ["2", "2,0>3,1"], "order band=2 path=1,0>1,1"),
        ("march", ["2", "0,0>1,0>2,0"], "order band=2 path=1,0"),
        ("drop", ["1"], "drop bands=1"),
        ("rank", ["2>1"], "rank bands=2>1"),
        ("cry", ["For light"], 'cry text="For light"'),
        ("seal", ["0", "yes"], "seal"),
        ("seal", ["2", "yes"], "seal stake=2"),
        ("resign", ["yes"], "resign"),
    ],
)
def test_answers_become_a_line(intent: str, answers: list[str], line: str) -> None:
    assert ask(seen(RICH, 1), HOME, intent, *answers) == line


def test_a_retreat_is_asked_for_as_a_place() -> None:
    field = placed((0, 1, 1, 2), (1, 1, 1, 2), now=now(2, marched=True, lost=(Lost(0, 1, 1),)))
    view = RULES.view(begun(field), 0)
    question = ask(view, HOME, "retreat")
    assert isinstance(question, AskPlace)
    assert (2, 0) in question.cells
    assert ask(view, HOME, "retreat", "3,0") == "retreat at=1,0"
    assert SHOW.fire(view, Focus(2, 0)).line == "retreat at=1,0"
    assert SHOW.overlay(view, Focus(2, 0)).hint == "Retreat here"


def test_what_cannot_be_wanted_here_says_why() -> None:
    reasons = {intent.name: intent.reason for intent in SHOW.intents(seen(), Focus(4, 0))}
    assert reasons["march"] == "No band of yours is here."
    assert reasons["drop"] == "No band has an order."
    assert reasons["seal"] == ""
    with pytest.raises(ValueError, match="No band of yours"):
        ask(seen(), Focus(4, 0), "march")
    with pytest.raises(ValueError, match="nobody can dance here"):
        ask(seen(), HOME, "dance")


def test_who_only_watches_wants_nothing() -> None:
    view = RULES.view(begun(FIELD), -2)
    assert SHOW.intents(view, HOME) == ()
    assert SHOW.fire(view, HOME).line == ""
