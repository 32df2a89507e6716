"""The presentation of Warlords II: its signs, and random games with all texts and dialogues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.core import notation
from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.ids import PUBLIC, REFEREE
from engine.core.record import tag
from engine.rulesets.warlords2 import RULES
from engine.rulesets.warlords2.picture import PRESENTER, STYLE
from engine.rulesets.warlords2.tables import Terrain, unit_rows
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from tests.strategic.picture.stage import some_answer

QUIET = {"resign", "raze", "disband", "fight-order"}
"""Commands that would end a random game too early."""

RULE = re.compile(r"W2-\d+(\.\d+[a-z]?)?")


@pytest.mark.rule("W2-7")
def test_every_type_has_its_own_letter() -> None:
    letters = [STYLE.letters[row.id] for row in unit_rows()]
    assert len(set(letters)) == len(letters) == 29
    assert all(len(letter) == 1 and letter.isascii() for letter in letters)


@pytest.mark.rule("W2-3.1")
def test_every_terrain_is_drawn() -> None:
    assert len(STYLE.grounds) == len(Terrain)
    for glyphs in ("rich", "box", "ascii"):
        signs = [getattr(sign, glyphs) for sign in STYLE.grounds]
        assert len(set(signs)) >= len(signs) - (glyphs == "box")


def test_the_rule_book_has_a_page_of_units() -> None:
    titles = [chapter.title for chapter in PRESENTER.manual]
    assert titles[-1] == "Types of unit"
    words = PRESENTER.manual[-1].words
    assert len(words) == len(unit_rows())
    assert "a  Archers: strength 3, moves 12, 2 turns, upkeep 3, 400 gold" in " ".join(words)


def played(scenario: str, options: dict[str, Any], count: int) -> Iterator[tuple[Any, Any]]:
    """Play a random game; yield the state before each command and the game after it."""
    game: Any = Game.begin(RULES, RULES.scenarios()[scenario], options, b"picture")
    dice = Seeded(b"picture", 0, scenario)
    for _ in range(count):
        owing = sorted(RULES.owes(game.state))
        if not owing:
            return
        kinds: dict[str, list[Any]] = {}
        for command in RULES.offers(game.view(owing[0])):
            if tag(command) not in QUIET:
                kinds.setdefault(tag(command), []).append(command)
        listed = list(kinds.values())[dice.roll(len(kinds)) - 1]
        before = game.state
        game.submit(owing[0], listed[dice.roll(len(listed)) - 1])
        yield before, game


@pytest.mark.parametrize(
    ("scenario", "options"),
    [("skirmish", {"quests": "on", "diplomacy": "on"}), ("mist", {})],
)
def test_random_game_can_be_described_drawn_and_queried(
    scenario: str, options: dict[str, Any]
) -> None:
    for number, (before, game) in enumerate(played(scenario, options, 50)):
        entry = game.log[game.head]
        state = before
        for event in entry.events:
            after = RULES.evolve(state, event)
            for viewer in (0, 1, PUBLIC, REFEREE):
                seen = RULES.redact(event, state, after, viewer)
                if seen is not None:
                    views = RULES.view(state, viewer), RULES.view(after, viewer)
                    assert_told(PRESENTER.tell(seen, views[1]))
                    PRESENTER.facts(seen, *views)
                    PRESENTER.losses(seen, *views)
            state = after
        if number % 5 == 0:
            for viewer in (0, 1, PUBLIC):
                assert_shown(game.view(viewer), number)


def assert_told(lines: tuple[Line, ...]) -> None:
    """Check that each line is a single line and names a rule."""
    for line in lines:
        assert line.text.strip()
        assert "\n" not in line.text
        assert RULE.fullmatch(line.rule)


def assert_shown(view: Any, number: int) -> None:
    """Check boards, panels and dialogues at some cells, with and without a held group."""
    for zoom in PRESENTER.zooms:
        board = PRESENTER.board(view, zoom)
        assert board.ground.cells.max() < len(PRESENTER.symbols)
    assert_told(PRESENTER.summary(view))
    board = PRESENTER.board(view, "map")
    cells = [*PRESENTER.jumps(view, PRESENTER.start(view), "idle")[:2]]
    cells += PRESENTER.jumps(view, PRESENTER.start(view), "enemy")[:2]
    cells.append((number * 7 % board.width, number * 5 % board.height))
    foci = [Focus(*cell) for cell in cells]
    held = [PRESENTER.fire(view, focus).focus.held for focus in foci]
    foci += [Focus(*cell, piece) for piece in set(held) - {-1} for cell in cells]
    for focus in foci:
        overlay = PRESENTER.overlay(view, focus)
        assert_told(overlay.panel)
        assert all(len(mark.text) <= 2 for mark in overlay.marks)
        assert_told(PRESENTER.look(view, focus.x, focus.y))
        settled = PRESENTER.settle(view, focus)
        assert PRESENTER.settle(view, settled) == settled
        for intent in PRESENTER.intents(view, focus):
            if not intent.reason:
                assert_followed(view, focus, intent.name)


def assert_followed(view: Any, focus: Focus, intent: str) -> None:
    """Check that a dialogue ends in a line of notation."""
    answers: list[str] = []
    for _ in range(8):
        asked = PRESENTER.ask(view, focus, intent, answers)
        if isinstance(asked, str):
            command = notation.read(asked, RULES.command_type)
            assert notation.write(command) == asked
            return
        answers.append(some_answer(asked))
    raise AssertionError(f"{intent} asks without end")
