"""Aids for planning and finding: layers, routes, names, the rule book."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from rich.cells import cell_len

from engine.core.ids import PUBLIC, Viewer
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import Line
from engine.tabletop.focus import NOTHING, Focus
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import MarkSign
from tests.contract.aids import is_large
from tests.contract.test_pictures import assert_on, assert_text_fits
from tests.contract.walks import (
    WALKS,
    AnyGame,
    begun,
    examples,
    long_walk,
    seats,
    some,
    viewers,
    walk,
)


def walked(rules: AnyRuleset, choices: list[int]) -> AnyGame:
    """Return the game after a walk."""
    game = begun(rules, choices)
    list(walk(game, choices))
    return game


def two_viewers(game: AnyGame) -> list[Viewer]:
    """Return a viewer that must act, and the public."""
    return [*sorted(game.rules.owes(game.state))[:1], PUBLIC]


def foci(rules: AnyRuleset, view: Any) -> list[Focus]:
    """Return the start, and each cell with a named thing, with the piece picked up there."""
    presenter = presenter_of(rules)
    free = [Focus(*find.at) for find in presenter.finds(view)]
    held = [presenter.fire(view, focus).focus for focus in free]
    return [presenter.start(view), *free, *(focus for focus in held if focus.held != NOTHING)]


@examples(8)
@given(choices=WALKS)
def test_layers_lie_on_the_board(rules: AnyRuleset, choices: list[int]) -> None:
    game, presenter = walked(rules, choices), presenter_of(rules)
    names = [layer.name for layer in presenter.layers]
    assert "danger" in names or not (names or is_large(rules))
    assert len(set(names)) == len(names)
    for viewer in two_viewers(game):
        view = game.view(viewer)
        board = presenter.board(view, presenter.zooms[0])
        for focus in foci(rules, view)[:6]:
            for name in names:
                marks = presenter.layer(view, focus, name)
                assert len({(mark.x, mark.y) for mark in marks}) == len(marks)
                for mark in marks:
                    assert_on(board, mark.x, mark.y)
                    assert_text_fits(board, mark)


@examples(8)
@given(choices=WALKS)
def test_ways_end_where_they_should_and_take_their_time(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = walked(rules, choices), presenter_of(rules)
    for viewer in two_viewers(game):
        view = game.view(viewer)
        board = presenter.board(view, presenter.zooms[0])
        for focus in some(foci(rules, view), 4):
            for y in range(board.height):
                for x in range(board.width):
                    marks = presenter.route(view, focus, x, y)
                    if not marks:
                        continue
                    assert board.place[marks[-1].y, marks[-1].x] == board.place[y, x]
                    assert all(mark.sign == MarkSign.PATH for mark in marks)
                    assert all(cell_len(mark.text) <= 2 for mark in marks)
                    turns = [mark.turn for mark in marks]
                    assert turns == sorted(turns)
                    assert turns[0] >= 0
                    cells = {(mark.x, mark.y) for mark in marks}
                    assert len(cells) == len(marks)
                    assert (focus.x, focus.y) not in cells or focus.held != NOTHING


@examples(8)
@given(choices=WALKS)
def test_names_to_search_for_are_different_and_on_the_board(
    rules: AnyRuleset, choices: list[int]
) -> None:
    game, presenter = walked(rules, choices), presenter_of(rules)
    for viewer in viewers(rules):
        view = game.view(viewer)
        board, finds = presenter.board(view, presenter.zooms[0]), presenter.finds(view)
        assert len({find.text for find in finds}) == len(finds)
        for find in finds:
            assert_on(board, *find.at)
            assert find.kind
            assert "\n" not in find.text
            if find.seat in seats(rules) and board.piece[find.at[1], find.at[0]]:
                assert board.owner[find.at[1], find.at[0]] in seats(rules)


def rule_ids(rules: AnyRuleset) -> set[str]:
    """Return the ids in the rule book, including those of chapters."""
    book = presenter_of(rules).manual
    chapters = {chapter.id for chapter in book if chapter.id}
    return chapters | {rule.id for chapter in book for rule in chapter.rules}


def test_the_rule_book_has_chapters_in_words_and_every_rule_once(rules: AnyRuleset) -> None:
    chapters = presenter_of(rules).manual
    listed = [rule.id for chapter in chapters for rule in chapter.rules]
    assert len(set(listed)) == len(listed) > 0
    assert all(rule.text for chapter in chapters for rule in chapter.rules)
    for chapter in chapters:
        assert chapter.title
        assert chapter.words
        assert "`" not in chapter.words[0], "the first words are for players"


@examples(8)
@given(choices=WALKS)
def test_every_rule_that_a_line_names_is_in_the_rule_book(
    rules: AnyRuleset, choices: list[int]
) -> None:
    presenter, known = presenter_of(rules), rule_ids(rules)
    game = begun(rules, choices)
    lines: list[Line] = []
    for step in walk(game, choices):
        state = step.before
        for event in step.entry.events:
            before, state = state, rules.evolve(state, event)
            seen = rules.redact(event, before, state, sorted(seats(rules))[0])
            if seen is not None:
                lines += presenter.tell(seen, rules.view(state, 0))
    for viewer in two_viewers(game):
        view = game.view(viewer)
        lines += presenter.summary(view)
        for focus in foci(rules, view):
            shown = (
                *presenter.overlay(view, focus).panel,
                *presenter.look(view, focus.x, focus.y),
            )
            assert all(line.rule for line in shown), "there is a rule to be asked for"
            lines += shown
    assert {line.rule for line in lines if line.rule} <= known


def test_the_number_that_says_who_leads_is_counted(rules: AnyRuleset) -> None:
    game = walked(rules, list(long_walk(20)))
    assert presenter_of(rules).lead in rules.statistics(game.state)
