"""Aids on the map: layers, paths, labels, finding, the log, the ledger, the reasons."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.record import replace
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact, Odds
from engine.tabletop.focus import NOTHING
from engine.tabletop.roles import Tone
from saves.archive import Folder
from tests.tui.piloted_app import FORD, desk
from tests.tui.scenes import REGIONS, STACKS
from tests.tui.test_game import middle
from tui.play.picking import LETTERS, Labels
from tui.play.playback import about
from tui.play.setup import NewGame
from tui.replay import luck
from tui.screens import records
from tui.screens.find import FinderEntry, search
from tui.screens.records import LogScreen, filtered, repeats
from tui.widgets.panels import Bar

# -- labels ----------------------------------------------------------------------------------------


@given(st.integers(1, 300))
def test_every_labelled_cell_can_be_typed(count: int) -> None:
    cells = [(n, 0) for n in range(count)]
    for wanted in cells:
        labels = Labels(cells)
        found = None
        for _ in range(2):
            if wanted not in labels.shown:
                break
            found = labels.press(labels.shown[wanted])
            if found is not None:
                break
        assert found == wanted


def test_few_cells_take_one_letter_each() -> None:
    cells = [(n, 0) for n in range(len(LETTERS))]
    assert len(set(Labels(cells).shown.values())) == len(LETTERS)


def test_unknown_letter_changes_nothing() -> None:
    labels = Labels([(1, 1), (2, 2)])
    before = labels.shown
    assert labels.press("!") is None
    assert labels.shown == before


async def test_label_moves_the_cursor(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("comma")
        labels = at.game.labels.labels
        assert labels is not None
        cell, letter = next((c, n) for c, n in labels.shown.items() if c != at.cursor)
        await at.press(letter)
        assert at.cursor == cell
        await at.press("comma", "escape")
        assert at.cursor == cell
        assert at.game.labels.labels is None


# -- luck ------------------------------------------------------------------------------------------


odds = st.lists(
    st.tuples(st.integers(0, 40), st.integers(1, 9)),
    min_size=1,
    max_size=6,
    unique_by=lambda p: p[0],
).map(lambda pairs: Odds(tuple(pairs)))


@given(st.lists(odds, min_size=1, max_size=5))
def test_luck_over_all_outcomes_is_zero(drawn: list[Odds]) -> None:
    made = luck.Ledger()
    for found in drawn:
        for value, weight in found.values:
            for _ in range(weight):
                made.book(Fact("attack", 0, odds=found, amount=value))
    account = made.amounts[0]
    assert account.got == account.expected
    assert account.deviations == 0
    assert account.draws == sum(found.total for found in drawn)


def test_ledger_counts_expected_values() -> None:
    facts = [
        Fact("attack", 0, won=True, chance=(1, 4), amount=9, odds=Odds(((5, 1), (9, 1)))),
        Fact("attack", 0, won=False, chance=(3, 4), amount=5, odds=Odds(((5, 1), (9, 1)))),
        Fact("move", 1),
        Fact("attack", 1, won=True, chance=(1, 1)),
    ]
    made = luck.ledger(facts)
    assert made.wins[0].expected == 1
    assert made.wins[0].variance == Fraction(3, 8)
    assert made.amounts[0].got == made.amounts[0].expected == 14
    assert made.wins[1].deviations == 0
    assert 1 not in made.amounts


@pytest.mark.parametrize(
    ("deviations", "said"),
    [(0.2, "as expected"), (-1.0, "a little unlucky"), (2.0, "lucky"), (-3.0, "very unlucky")],
)
def test_deviations_have_words(deviations: float, said: str) -> None:
    assert luck.words(deviations) == said


async def test_ledger_covers_the_game_and_each_round(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("K")
        assert "No dice have been thrown yet." in at.text
        await at.press("escape", "space", "right", "right", "space", "e", "enter", "e", "enter")
        await at.press("tab", "space", "x", "space", "K")
        assert "expected, give or take" in at.text
        assert "Round 1" in at.rows()[0]


# -- finding ---------------------------------------------------------------------------------------


def test_consecutive_letters_rank_before_scattered_ones() -> None:
    entries = [
        FinderEntry("place", name, "unit", "0,0") for name in ("b-a-r", "barrel", "unbarred", "x")
    ]
    assert [found.text for found in search(entries, "bar")] == ["barrel", "unbarred"]
    assert len(search(entries, "br")) == 3
    assert search(entries, "") == entries
    assert search(entries, "zzz") == []


def test_exact_match_comes_first() -> None:
    entries = [
        FinderEntry("place", name, "unit", "0,0") for name in ("to the end of it", "to the end")
    ]
    assert search(entries, "To the end")[0].text == "to the end"


def test_search_skips_scattered_letters_and_slow_matching(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(_matcher: object, _query: str, _candidate: str) -> tuple[float, list[int]]:
        raise AssertionError("this tries every way to pick the letters")

    monkeypatch.setattr("tui.screens.find.FuzzySearch.match", never)
    rule = FinderEntry("rule", "the isles that lie to the south are lost " * 9, "rule", "1")
    near = FinderEntry("place", "Th-is-tle", "city", "1,1")
    assert search([rule, near], "thistle") == [near]
    assert search([rule], "thistledown" * 4) == []


async def test_unavailable_action_is_listed_with_its_reason(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("colon", *"next command")
        assert "Not now: only in a replay." in at.text
        await at.press("enter")
        assert "Not now: only in a replay." in at.text
        await at.press("escape")
        assert at.app.screen is at.game


async def test_unit_is_found_by_its_name(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("slash", *"catapult", "enter")
        view = at.game.session.view
        names = {find.at: find.text for find in at.game.session.presenter.finds(view)}
        assert names[at.cursor].startswith("catapult")


async def test_rule_setting_and_action_are_found(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("slash", *"WD-MOVE-4", "enter")
        assert "[Rules]" in at.rows()[0]
        assert "WD-MOVE-4" in at.text
        await at.press("escape", "slash", *"scrolling", "enter")
        assert at.rows()[0].strip().startswith("Settings")
        await at.press("escape", "colon", *"fast cursor", "enter")
        assert at.game.bars.is_fast


async def test_palette_includes_the_suggestions_of_the_game(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("colon", *"end move", "enter")
        assert "End movement?" in at.text


# -- on the map ------------------------------------------------------------------------------------


async def test_layers_come_in_turn_and_disappear(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        before = at.game.board.drawing.marks
        layers = at.game.telling.layers
        for layer in layers:
            await at.press("D")
            assert layer.name in at.rows()[0]
            if layer.name == "danger":
                assert len(at.game.board.drawing.marks) > len(before)
        await at.press("D")
        assert at.game.board.drawing.marks == before


async def test_escape_ends_layers_and_keeps_the_held_piece(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        before = at.game.board.drawing.marks
        await at.press("p", "D", "escape")
        assert "danger" not in at.rows()[0]
        assert at.game.board.drawing.marks == before
        assert at.game.board.drawing.prices
        await at.press("space", "D", "T", "escape")
        assert at.game.session.focus.held != NOTHING
        assert not at.game.laid.laid_over()
        await at.press("escape")
        assert at.game.session.focus.held == NOTHING


async def test_layers_end_with_the_phase(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("D", "T")
        assert at.game.laid.laid_over() == ["danger", "way"]
        await at.press("e", "enter")
        assert not at.game.laid.laid_over()
        assert "danger" not in at.rows()[0]


@pytest.mark.parametrize("start", [FORD, STACKS], ids=lambda start: start.ruleset)
async def test_piece_layers_follow_the_cursor(tmp_path: Path, start: NewGame) -> None:
    async with desk(tmp_path, start=start) as at:
        await at.press("escape")
        layers = [layer.name for layer in at.game.telling.layers]
        await at.press(*["D"] * (layers.index("turns") + 1))
        session = at.game.session
        for name in ("turns", "prices"):
            assert name in at.rows()[0]
            shown = []
            for key in ("tab", "left", "tab", "up"):
                await at.press(key)
                wanted = session.presenter.layer(session.view, session.focus, name)
                assert at.game.laid.layer_marks() == wanted
                shown.append(wanted)
            assert len(set(shown)) > 1
            await at.press("D")


async def test_piece_layer_without_a_piece_says_so(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        at.game.go_to(0, 0)
        await at.press("D", "D", "D")
        assert at.note.endswith("Go to a piece that can move.")
        await at.press("tab", "D")
        assert at.note == "Map shows: prices of the ground for the unit."


async def test_empty_layer_says_so(tmp_path: Path) -> None:
    async with desk(tmp_path, start=REGIONS) as at:
        await at.press("D")
        assert at.note.startswith("None now: the most that one other can send here")


async def test_path_of_a_piece_follows_the_cursor(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("T", "right", "right", "down")
        way = at.game.laid.way_marks()
        assert way
        assert (way[-1].x, way[-1].y) == at.cursor
        await at.press("T")
        assert at.game.laid.way_marks() == ()


async def test_minimap_can_be_toggled(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        shown = []
        for _ in range(3):
            shown.append((at.game.minimap.display, any("▀" in row for row in at.rows())))
            await at.press("M")
        assert shown == [(False, False), (True, True), (False, False)]


@pytest.mark.parametrize("key", ["P", "K"])
async def test_progress_of_reading_the_log_disappears_at_its_end(
    tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "_TOLD", 1)
    async with desk(tmp_path, start=FORD) as at:
        before = at.note
        await at.press(key)
        await at.app.workers.wait_for_complete()
        await at.press("escape")
        assert at.note == before


# -- reasons and the log ---------------------------------------------------------------------------


async def test_why_opens_the_rule_of_a_refusal(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        refusal = await at.game.session.submit("step unit=8 direction=left")
        assert refusal.rule
        await at.press("W")
        assert "[Rules]" in at.rows()[0]
        assert refusal.rule in at.text


async def test_why_offers_the_rules_of_the_screen(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("W")
        assert "Why?" in at.text
        await at.press("enter")
        assert "[Rules]" in at.rows()[0]


def test_log_is_filtered_by_seat_and_loss_and_counts_repeats() -> None:
    fight = Line("b", Tone.GOOD, 1, others=(2,), is_loss=True)
    lines = [Line("a", seat=0), Line("a", seat=0), fight, Line("a", seat=0), Line("c", Tone.BAD)]
    assert [line.text for line in repeats(lines)] == ["a (x2)", "b", "a", "c"]
    made = filtered(lines, ["E", "D", "F"], 2)
    pages = {page.title: [line.text for line in page.lines] for page in made}
    assert [page.title for page in made[:2]] == ["All", "F: mine"]
    assert pages["F: mine"] == ["b"]
    assert pages["E"] == ["a (x2)", "a"]
    assert pages["D"] == ["b"]
    assert pages["Losses"] == ["b"]
    assert pages["Phases"] == ["Nothing of that kind yet."]


def test_lines_of_an_event_with_a_loss_tell_of_it_for_winner_and_loser() -> None:
    dice, won = Line("7:3", Tone.QUIET), Line("Orrin wins.", Tone.GOOD, 0)
    fall = Fact("loss", 1, 0, piece="Archers", amount=2)
    assert [line.is_loss for line in about([dice, won], [fall])] == [False, True]
    assert [line.is_loss for line in about([dice], [fall])] == [True]
    assert not any(line.is_loss for line in about([dice, won], [Fact("attack", 0, 1)]))


async def test_log_page_shows_the_target_of_its_line_at_once(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("e", "enter", "L")
        screen = at.app.screen
        assert isinstance(screen, LogScreen)
        hint = screen.query_one("#hint", Bar)
        for number in range(len(screen.pages)):
            screen.show(number, len(screen.pages[number].lines) - 1)
            told = hint.text
            screen.pager.reveal(screen.pager.at)
            assert told == hint.text


async def test_log_line_leads_to_its_place(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("space", "right", "right", "space", "left", "left", "L")
        assert "[All]" in at.rows()[0]
        await at.press("slash", *"moves left", "enter", "enter")
        assert at.cursor == (4, 2)


async def test_moment_of_a_log_line_can_be_watched_and_resumed(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("space", "right", "right", "space", "left", "left")
        before, lines = at.text, at.lines
        await at.press("L", "slash", *"moves left", "enter")
        assert "entry 2" in at.text
        await at.press("r")
        assert "entry 2 of 2" in at.rows()[0]
        assert "put down" not in at.text
        await at.press("left", "q")
        assert at.text == before
        await at.press("L", "slash", *"moves left", "enter", "r", "left", "g")
        assert at.lines == lines[:1]
        assert len(at.table.game.log) == 3
    assert Folder(tmp_path).read("game").log.head == 1


async def test_remark_at_a_moment_of_a_running_game_is_kept(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("space", "right", "space", "L", "slash", *"moves left", "enter", "r")
        await at.press("c", *"first", "enter", "q", "right")
        assert len(at.lines) == 1
    assert [c.text for c in Folder(tmp_path).read("game").comments] == ["first"]


async def test_moment_of_a_lesson_cannot_be_resumed(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("t", "enter")
        await at.press("L", "r")
        assert "No moment of the game belongs" in at.text


# -- screen readers --------------------------------------------------------------------------------


async def test_screen_reader_gets_only_new_sentences(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        at.app.change(replace(at.app.settings, reader="on"))
        await at.press("right")
        assert not at.game.aside.display or at.game.has_class("reader")
        told = " ".join(" ".join(at.rows()).split())
        view, focus = at.game.session.view, at.game.session.focus
        assert at.game.session.presenter.look(view, focus.x, focus.y)[0].text in told
        assert "Nearest: " in told
        assert "Dailor wins as soon" not in at.text
        await at.press("e")
        assert not set("╭╮╰╯│─") & set(at.text)


async def test_terminal_cursor_is_on_the_map_cursor(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        x, y = at.app.hardware_cursor() or (-1, -1)
        await at.press("right", "down")
        assert at.app.hardware_cursor() == (x + at.game.board.columns, y + 1)
        await at.press("e")
        assert at.app.hardware_cursor() is None or at.app.hardware_cursor() != (
            x + at.game.board.columns,
            y + 1,
        )
        await at.press("escape", "slash", "a")
        assert at.app.hardware_cursor() is not None
