"""Status of a game in words: title, screen, replay and host show the same round."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.core.archive import Header, Opened, SeatPlayer
from engine.core.ids import REFEREE
from engine.core.options import Value
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.tabletop.board import Status
from engine.tabletop.presenter import presenter_of
from saves.archive import Folder
from tests.contract.aids import aids_of
from tests.contract.chosen import names
from tests.contract.walks import AnyGame, begun, grounds, long_walk, walk
from tui.console.faults import keep
from tui.play.outcome import result_lines
from tui.play.saved_games import standing
from tui.play.setup import NewGame, begin
from tui.replay.watch import Watch
from tui.widgets.header import _SIGNS, BarContent, fitted

STEPS = 6
"""Number of commands played on each scenario."""


def played(rules: AnyRuleset, ground: int) -> AnyGame:
    game = begun(rules, [ground])
    for _ in walk(game, long_walk(STEPS)):
        pass
    return game


def seen(game: AnyGame) -> Status:
    return presenter_of(game.rules).status(game.view(REFEREE))


def opened(game: AnyGame) -> Opened:
    names = tuple(SeatPlayer(seat, f"P{seat}") for seat in range(seats_in(game)))
    return Opened("game", Header(game.rules.name, game.rules.schema, b"1", names), game.log)


def seats_in(game: AnyGame) -> int:
    return len(next(iter(game.rules.statistics(game.state).values())))


def test_round_is_in_the_words_of_the_status_line(rules: AnyRuleset) -> None:
    presenter = presenter_of(rules)
    for ground in range(min(2, len(grounds(rules)))):
        status = seen(played(rules, ground))
        assert status.round_word == presenter.round_word
        said, rest = status.round_text, ""
        if not status.over:
            assert said in status.text.casefold()
            rest = status.text.casefold().partition(said)[2]
        assert not rest.startswith(" of ")
        assert (" of " in said) is not status.endless
        assert f"{presenter.round_word} {status.round}" in said


def test_header_and_branches_name_the_same_round(rules: AnyRuleset) -> None:
    game = played(rules, 0)
    status = seen(game)
    if not status.over:
        heading = BarContent("", status)
        left, _ = fitted(heading, 200, _SIGNS["ascii"], bracketed=False)
        shown = "".join(piece.text for piece in left)
        assert status.round_text in shown.casefold()
        assert Watch(opened(game)).ending(game.log.head) == status.round_text


def test_summary_of_a_save_is_the_status_in_the_words_of_the_game(rules: AnyRuleset) -> None:
    game = played(rules, 0)
    view = game.view(REFEREE)
    said = [line.text for line in result_lines(presenter_of(rules), view)]
    assert said[0] == seen(game).text
    outcome = rules.outcome(game.state)
    assert len(said) == 1 or (outcome is not None and outcome.reason not in said)


WORDS = [(name, *row) for name in names() for row in aids_of(find(name)).rounds]


@pytest.mark.parametrize(("name", "scenario", "options", "words"), WORDS)
async def test_title_names_the_round_as_the_game_does(
    name: str, scenario: str, options: Mapping[str, Value], words: str, tmp_path: Path
) -> None:
    archive = Folder(tmp_path)
    count = find(name).seat_range(find(name).scenarios()[scenario or first(name)])[0]
    players = tuple(SeatPlayer(seat, f"P{seat}") for seat in range(count))
    table = begin(archive, NewGame(name, scenario or first(name), options, players, b"1"), keep)
    table.close()
    found = await standing(archive, archive.listing()[0])
    assert found[0] == words


def first(name: str) -> str:
    return next(iter(find(name).scenarios()))
