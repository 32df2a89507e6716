"""Every view can be drawn at every zoom, and every cell answers questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from rich.cells import cell_len

from engine.core import notation
from engine.core.dice import Seeded
from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.record import Event
from engine.core.ruleset import AnyRuleset
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
    Choice,
    Intent,
)
from engine.tabletop.board import NOBODY, NOWHERE, Board, BoardMark, Line
from engine.tabletop.focus import DELTAS, NOTHING, Focus, Push
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import MarkSign
from tests.contract.walks import (
    RULE_ID,
    WALKS,
    begun,
    examples,
    long_walk,
    seats,
    some,
    viewers,
    walk,
)

pytestmark = pytest.mark.portable

MOST_PLACES = 40
"""Maximum cells of a view at which an intent is followed to its end."""


def assert_readable(lines: tuple[Line, ...]) -> None:
    """Check that lines of a panel or log are one line each, with a valid rule id or none."""
    for line in lines:
        assert line.text.strip()
        assert "\n" not in line.text
        assert re.fullmatch(RULE_ID, line.rule)


def assert_on(board: Board, x: int, y: int) -> None:
    """Check that (x, y) is a cell of the board."""
    assert 0 <= x < board.width
    assert 0 <= y < board.height


def assert_text_fits(board: Board, mark: BoardMark) -> None:
    """Check that a mark's text takes at most two columns, or on narrow boards ends on the board."""
    columns = cell_len(mark.text)
    if board.narrow and mark.sign is MarkSign.PATH:
        assert_on(board, mark.x + max(columns - 1, 0), mark.y)
    else:
        assert columns <= 2


def test_names_of_layers_fit_below_the_map_in_80_columns(rules: AnyRuleset) -> None:
    for layer in presenter_of(rules).layers:
        more = " Go to a piece that can move." if layer.of_piece else ""
        assert len(f"Map shows: {layer.label}.{more}") <= 78


def test_symbols_are_one_column_wide_in_every_set_of_glyphs(rules: AnyRuleset) -> None:
    symbols = presenter_of(rules).symbols
    assert len({symbol.name for symbol in symbols}) == len(symbols)
    for symbol in symbols:
        for glyph in (symbol.rich, symbol.box, symbol.ascii):
            assert len(glyph) == 1
            assert glyph.isprintable()
            assert cell_len(glyph) == 1
        assert symbol.ascii.isascii()
        assert not symbol.rich2 or (cell_len(symbol.rich2) == 2 and symbol.rich2.isprintable())


@examples(15)
@given(choices=WALKS)
def test_every_view_can_be_drawn_at_every_zoom(rules: AnyRuleset, choices: list[int]) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    for viewer in viewers(rules):
        boards = [presenter.board(game.view(viewer), zoom) for zoom in presenter.zooms]
        for board in boards:
            assert_sound(rules, board)
        height, width = boards[0].ground.cells.shape
        assert boards[0].scale == 1
        for board in boards:
            x, y = board.zoomed(width - 1, height - 1)
            assert (x < board.width, y < board.height) == (True, True)
            x, y = board.unzoomed(board.width - 1, board.height - 1)
            assert (x < width, y < height) == (True, True)
            assert board.zoomed(*board.unzoomed(0, 0)) == (0, 0)


def assert_sound(rules: AnyRuleset, board: Board) -> None:
    """Check that the planes of a board match each other, the symbols and the places."""
    planes = (board.ground, board.piece, board.owner, board.place)
    assert len({plane.cells.shape for plane in planes}) == 1
    assert board.width > 0
    assert board.height > 0
    known = len(presenter_of(rules).symbols)
    for plane in (board.ground, board.piece):
        assert plane.cells.min() >= 0
        assert plane.cells.max() < known
    owners = set(board.owner.cells.flat)
    assert owners <= {NOBODY, *seats(rules)}
    ids = {place.id for place in board.places}
    assert len(ids) == len(board.places)
    assert set(board.place.cells.flat) <= {NOWHERE, *ids}
    for place in board.places:
        assert_on(board, place.x, place.y)
        assert_on(board, place.x + place.width - 1, place.y + place.height - 1)


def foci(rules: AnyRuleset, view: Any) -> Iterator[Focus]:
    """Yield the start, every cell, and every cell with the piece that the button picks up there."""
    presenter = presenter_of(rules)
    board = presenter.board(view, presenter.zooms[0])
    yield presenter.start(view)
    held: set[int] = set()
    for y in range(board.height):
        for x in range(board.width):
            yield Focus(x, y)
            held.add(presenter.fire(view, Focus(x, y)).focus.held)
    for piece in sorted(held - {NOTHING})[:2]:
        for y in range(board.height):
            for x in range(board.width):
                yield Focus(x, y, piece)


@examples(4)
@given(choices=WALKS)
def test_stick_button_and_panels_answer_at_every_cell(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    for viewer in _two_viewers(rules, game.state):
        view = game.view(viewer)
        board = presenter.board(view, presenter.zooms[0])
        for lost in (Focus(-3, -3, 9999), Focus(9999, 9999, 9999)):
            settled = presenter.settle(view, lost)
            assert_on(board, settled.x, settled.y)
            assert settled.held == NOTHING
        for focus in foci(rules, view):
            assert_on(board, focus.x, focus.y)
            overlay = presenter.overlay(view, focus)
            assert_readable(overlay.panel)
            assert "\n" not in overlay.hint
            for mark in overlay.marks:
                assert_on(board, mark.x, mark.y)
                assert_text_fits(board, mark)
            assert_readable(presenter.look(view, focus.x, focus.y))
            for direction in DELTAS:
                _check_push(rules, view, board, presenter.step(view, focus, direction))
            _check_push(rules, view, board, presenter.fire(view, focus))
            settled = presenter.settle(view, focus)
            assert_on(board, settled.x, settled.y)
            assert presenter.settle(view, settled) == settled
            for kind in ("idle", "enemy", "site"):
                for x, y in presenter.jumps(view, focus, kind):
                    assert_on(board, x, y)


_OBSTACLES = {"no way leads there", "the treaty forbids it", "they cannot go on this turn"}
"""Hints that name no deed, but why there is none."""


def test_a_deed_that_the_hint_names_is_done_by_the_button(rules: AnyRuleset) -> None:
    choices = list(long_walk(60))
    game, presenter = begun(rules, choices), presenter_of(rules)
    seen: set[str] = set()
    for _ in walk(game, choices):
        for seat in sorted(rules.owes(game.state))[:1]:
            view = game.view(seat)
            phase = presenter.status(view).phase
            if phase not in seen:
                seen.add(phase)
                _check_hints(rules, game.state, seat, view)


def _check_hints(rules: AnyRuleset, state: Any, seat: Seat, view: Any) -> None:
    presenter = presenter_of(rules)
    for focus in some(list(foci(rules, view)), 10 * MOST_PLACES):
        hint = presenter.overlay(view, focus).hint
        if not hint or hint in _OBSTACLES:
            continue
        push = presenter.fire(view, focus)
        assert push.line or push.intent or push.focus != focus, hint
        if push.line:  # a refusal fails the test
            command = notation.read(push.line, rules.command_type)
            rules.decide(state, seat, command, Seeded(b"hint", 0, "decide"))


def _two_viewers(rules: AnyRuleset, state: Any) -> list[Viewer]:
    """Return a viewer that must act, and the public."""
    return [*sorted(rules.owes(state))[:1], PUBLIC]


def _check_push(rules: AnyRuleset, view: Any, board: Board, push: Push) -> None:
    for focus in (push.focus, push.refused or push.focus):
        assert_on(board, focus.x, focus.y)
    assert "\n" not in push.note
    if push.line:
        assert notation.write(notation.read(push.line, rules.command_type)) == push.line
    if push.intent:
        _check_opened(rules, view, push)


def _check_opened(rules: AnyRuleset, view: Any, push: Push) -> None:
    """Check that a press opens a dialogue which asks something and leads to the same line."""
    presenter = presenter_of(rules)
    offered = {intent.name: intent.reason for intent in presenter.intents(view, push.focus)}
    assert offered.get(push.intent) == ""
    asked = presenter.ask(view, push.focus, push.intent, [])
    assert not isinstance(asked, str)
    if push.line:
        assert isinstance(asked, AskConfirm)
        assert presenter.ask(view, push.focus, push.intent, ["yes"]) == push.line


@examples(6)
@given(choices=WALKS)
def test_every_dialogue_ends_in_a_command(rules: AnyRuleset, choices: list[int]) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    for viewer in _two_viewers(rules, game.state):
        view = game.view(viewer)
        offers: dict[str, list[tuple[Focus, Intent]]] = {}
        for focus in foci(rules, view):
            intents = presenter.intents(view, focus)
            assert len({intent.key for intent in intents}) == len(intents)
            for intent in intents:
                assert intent.label
                if not intent.reason:
                    offers.setdefault(intent.name, []).append((focus, intent))
        for places in offers.values():
            for focus, intent in some(places, MOST_PLACES):
                command = _follow(rules, view, focus, intent.name)
                assert (command in _ENDS_GAME) == (intent.ends == "game")
                assert (command in _ENDS_TURN) == (intent.ends == "turn")
    for seat in sorted(rules.owes(game.state)):
        for line in presenter.closing(game.view(seat)):  # none of them is refused
            game.submit(seat, notation.read(line, rules.command_type))


_LETTERS = frozenset("acdegmrst")
"""Letters that the keys of the map leave to rulesets."""

_ENDS_GAME = {"resign", "concede"}
_ENDS_TURN = {"end-turn", "end-phase", "seal"}


@examples(6)
@given(choices=WALKS)
def test_a_key_that_is_offered_somewhere_says_elsewhere_why_not(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    for viewer in _two_viewers(rules, game.state):
        view = game.view(viewer)
        keys = [{i.key for i in presenter.intents(view, focus)} for focus in foci(rules, view)]
        for focus, here in zip(foci(rules, view), keys, strict=True):
            for key in set().union(*keys).difference(here):
                said = presenter.why_not(view, focus, key)
                assert "\n" not in said
                assert said or not key.islower()
            assert presenter.why_not(view, focus, "?") == ""


def test_every_letter_that_ever_does_something_says_why_it_does_nothing(
    rules: AnyRuleset,
) -> None:
    game, presenter = begun(rules), presenter_of(rules)
    states = [game.state]
    states += [game.state for _ in walk(game, long_walk(60))]
    asked = [
        (view, focus, {intent.key for intent in presenter.intents(view, focus)})
        for state in states[::6]
        for viewer in _two_viewers(rules, state)
        for view in (rules.view(state, viewer),)
        for focus in foci(rules, view)
    ]
    ever = {key for _, _, keys in asked for key in keys if key in _LETTERS}
    assert ever
    for view, focus, keys in asked:
        for key in ever - keys:
            said = presenter.why_not(view, focus, key)
            assert said.endswith("."), (key, said)
            assert len(said) <= 60, said


@examples(4)
@given(choices=WALKS)
def test_cells_that_cannot_be_chosen_have_a_reason(rules: AnyRuleset, choices: list[int]) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    view = game.view(_two_viewers(rules, game.state)[0])
    board = presenter.board(view, presenter.zooms[0])
    asked = [
        (focus, intent.name, question)
        for focus in some(list(foci(rules, view)), MOST_PLACES)
        for intent in presenter.intents(view, focus)
        if not intent.reason
        for question in (presenter.ask(view, focus, intent.name, []),)
        if isinstance(question, AskPlace) and question.cells
    ]
    cells = [(x, y) for y in range(board.height) for x in range(board.width)]
    for focus, name, question in some(asked, MOST_PLACES):
        places = {int(board.place[y, x]) for x, y in question.cells} if board.places else set()
        for x, y in some([cell for cell in cells if cell not in question.cells], 10):
            if not board.places or int(board.place[y, x]) not in places:
                said = presenter.why_not_at(view, focus, name, [], (x, y))
                if question.beyond and not said:
                    assert presenter.ask(view, focus, name, [f"{x},{y}"]) != question
                    continue
                assert said.endswith("."), (name, x, y)
                assert len(said) <= 70, said


@examples(6)
@given(choices=WALKS)
def test_finds_are_unlike_each_other(rules: AnyRuleset, choices: list[int]) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    list(walk(game, choices))
    for viewer in viewers(rules):
        texts = [find.text.casefold() for find in presenter.finds(game.view(viewer))]
        assert len({*texts}) == len(texts)


def _follow(rules: AnyRuleset, view: Any, focus: Focus, intent: str) -> str:
    """Answer all questions of an intent; return the first word of the resulting command."""
    answers: list[str] = []
    for _ in range(8):
        question = presenter_of(rules).ask(view, focus, intent, answers)
        if isinstance(question, str):
            command = notation.read(question, rules.command_type)
            assert notation.write(command) == question
            return question.split()[0]
        assert question.title
        answers.append(answer(question))
    raise AssertionError(f"{intent} asks without end")


def answer(question: AnyAsk) -> str:
    """Return any valid answer to a question."""
    match question:
        case AskPlace():
            x, y = question.cells[-1]
            return f"{x},{y}"
        case AskPath():
            x, y = question.start
            return f"{x + 1},{y}"
        case AskOne():
            return _free(question.choices)[-1]
        case AskSome():
            assert 0 <= question.least <= question.most <= len(question.choices)
            return ">".join(_free(question.choices)[: question.most])
        case AskOrder():
            return ">".join(reversed(_free(question.choices)))
        case AskAmount():
            assert question.least <= question.preset <= question.most
            return str(question.most)
        case AskText():
            return "For light"[: question.longest]
        case AskConfirm():
            assert_readable(question.lines)
            return "yes"


def _free(choices: tuple[Choice, ...]) -> list[str]:
    free = [choice.value for choice in choices if not choice.reason]
    assert free
    return free


@examples(10)
@given(choices=WALKS)
def test_every_event_and_position_can_be_told(rules: AnyRuleset, choices: list[int]) -> None:
    game, presenter = begun(rules, choices), presenter_of(rules)
    for step in walk(game, choices):
        state = step.before
        for event in step.entry.events:
            after = rules.evolve(state, event)
            for viewer in viewers(rules):
                seen = rules.redact(event, state, after, viewer)
                if seen is not None:
                    assert_readable(presenter.tell(seen, rules.view(after, viewer)))
            state = after
    for viewer in viewers(rules):
        view = game.view(viewer)
        assert presenter.summary(view)
        assert_readable(presenter.summary(view))


def test_the_status_says_whose_turn_it_is_until_the_end(rules: AnyRuleset) -> None:
    game, presenter = begun(rules), presenter_of(rules)
    for _ in walk(game, long_walk(150)):
        for viewer in viewers(rules):
            status = presenter.status(game.view(viewer))
            assert status.text
            assert "\n" not in status.text
            assert 1 <= status.round <= status.rounds
            assert status.todo >= 0
            assert status.over == (rules.outcome(game.state) is not None)
            assert status.over == (status.seat == NOBODY)
            assert status.over or status.seat in rules.owes(game.state)


class Strange(Event, frozen=True, tag="strange"):
    """An event that only a later version knows."""


def test_an_event_that_is_not_known_is_told_as_that(rules: AnyRuleset) -> None:
    game, presenter = begun(rules, []), presenter_of(rules)
    for viewer in viewers(rules):
        view = game.view(viewer)
        (line,) = presenter.tell(Strange(), view)
        assert line.text == "Something happened that this version does not know."
        assert presenter.facts(Strange(), view, view) == ()
        assert presenter.losses(Strange(), view, view) == ()
