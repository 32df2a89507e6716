"""Title, new game, lists of saves, a player's own keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import registry
from engine.core.codec import encode_json
from engine.core.record import replace
from engine.core.registry import find
from engine.tabletop.ask import Intent
from saves.archive import Folder
from tests.tui.piloted_app import FORD, desk
from tests.tui.scenes import LARGE, REGIONS, STACKS, TOY
from tests.tui.test_game import middle
from tui.play.form import Form
from tui.play.scenarios import own_folder
from tui.play.setup import NewGame, shown_seed
from tui.screens.ask import ChooseOne, choose_intent
from tui.screens.dialog import ChoiceList
from tui.screens.find import FindScreen
from tui.screens.new_game import NewGameScreen
from tui.settings.settings import config_folder
from tui.widgets.key_row import short


async def test_title_offers_a_new_game_first_without_saves(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        assert "nothing saved" in at.text
        await at.press("enter")
        assert at.rows()[0].strip().startswith("New game")
        await at.press("escape", "q")
    assert at.app.return_value == 0


async def test_new_game_begins_with_the_choices_of_the_form(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("enter", "down", "down", "right")
        assert "The Lords of Thainfal" in at.text
        await at.press("down", "down", "right")
        assert "Captain, careful" in at.text
        await at.press("s")
        table = at.table
        assert [player.bot for player in table.players] == ["", "normal"]
        assert table.game.log[0].command is None
        assert find("weltendaemmerung").setup(table.game.log[0].events[0])[0].name == "thainfal"


def test_every_option_can_be_changed_and_set_back() -> None:
    form = Form("weltendaemmerung")
    names = [row.name for row in form.house_rows() if row.name.startswith("option:")]
    assert len(names) == len(form.rules.options)
    for option in form.rules.options:
        form.change(f"option:{option.name}", 1)
    assert form.result().options
    for option in form.rules.options:
        form.change(f"option:{option.name}", -1)
    chosen = form.result().options
    assert set(chosen) <= {o.name for o in form.rules.options}
    assert all(o.name not in chosen for o in form.rules.options if o.choices and o.default is None)


def test_options_are_explained_without_rule_numbers() -> None:
    form = Form("weltendaemmerung")
    about = {row.name: row.about for row in form.house_rows()}
    for option in form.rules.options:
        assert option.text in about[f"option:{option.name}"]
        assert option.rule not in about[f"option:{option.name}"]


async def test_typed_seed_is_the_seed_of_the_game(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("enter", "r", "end", "enter")
        await at.press("4", "2", "enter")
        assert "42" in at.text
        await at.press("s")
        assert at.table.header.seed == b"42"


async def test_saves_can_be_renamed_deleted_and_loaded(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await at.press("q", "l")
        assert "Load a game" in at.rows()[0]
        await at.press("r", *["backspace"] * 4, "o", "n", "e", "enter")
        assert [info.name for info in Folder(tmp_path).listing()] == ["one"]
        await at.press("enter")
        assert at.table.file is not None
        assert at.table.file.name == "one"
        await at.press("q", "l", "d", "y")
        assert Folder(tmp_path).listing() == ()


async def test_missing_save_is_reported_in_a_line(tmp_path: Path) -> None:
    async with desk(tmp_path, open_name="nowhere") as at:
        assert at.app.message.startswith("nowhere: there is no such save")
        assert "nowhere" in at.text


async def test_damaged_save_is_listed_and_not_opened(tmp_path: Path) -> None:
    (tmp_path / "bad.bnr").write_bytes(b"\x00" * 100)
    async with desk(tmp_path, start=middle()) as at:
        await at.press("q", "l")
        assert "damaged" in at.text


def test_form_shows_the_defaults_of_the_scenario() -> None:
    form = Form("weltendaemmerung")
    values = {row.name: (row.value, row.remark) for row in form.house_rows()}
    assert values["option:rounds"] == ("6 rounds", "")
    assert values["option:price_tile"] == ("the tile left", "")
    form.change("option:price_tile", 1)
    row = next(row for row in form.house_rows() if row.name == "option:price_tile")
    assert (row.value, row.remark) == ("the tile entered", "*")
    assert "Scenario default: the price of the tile that is left, as in the original." in row.about
    form.change("scenario", 1)
    values = {row.name: (row.value, row.remark) for row in form.house_rows()}
    assert values["option:rounds"] == ("15 rounds", "")


@pytest.mark.parametrize(("ruleset", "option"), [("warlords2", "column"), ("lordsawar", "preset")])
async def test_rows_show_what_the_choice_of_a_rule_set_makes_of_them(
    tmp_path: Path, ruleset: str, option: str
) -> None:
    async with desk(tmp_path) as at:
        screen = NewGameScreen(ruleset)
        at.app.push_screen(screen)
        await at.press("r")
        before = [row.value for row in screen.form.house_rows()]
        names = [row.name for row in screen.form.house_rows()]
        screen.choices.highlighted = names.index(f"option:{option}")
        await at.press("left")
        rows = screen.form.house_rows()
        assert sum(row.value != old for row, old in zip(rows, before, strict=True)) > 2
        for number, row in enumerate(rows):
            assert row.value in str(screen.choices.get_option_at_index(number).prompt), row.label


_LIST_COLUMNS = 45
"""Columns of the form's list in a window of 80."""


@pytest.mark.parametrize("ruleset", registry.names())
def test_options_and_their_values_are_phrases_that_fit(ruleset: str) -> None:
    form = Form(ruleset)
    for scenario in form.scenarios:
        form.scenario = scenario
        offered = form.rules.options_of(form.scenarios[scenario])
        wide = max(len(option.title) for option in offered)
        for option in offered:
            phrases = [option.phrase(value) for value in option.choices]
            assert option.label or ruleset == "toy"
            assert not option.choices or len({*phrases}) == len(phrases)
            assert all("_" not in phrase for phrase in (option.title, *phrases))
            longest = max(map(len, phrases), default=0)
            assert wide + len(" <  > *") + longest <= _LIST_COLUMNS, (option.name, phrases)


def test_options_of_new_maps_appear_only_there_and_change_the_preview() -> None:
    form = Form("gd6")
    assert "option:map_seed" not in {row.name for row in form.house_rows()}
    while form.scenario != "new":
        form.change("scenario", 1)
    assert "option:map_seed" in {row.name for row in form.house_rows()}
    before = form.preview
    form.change("option:map_seed", 1)
    assert form.preview.board != before.board
    form.change("scenario", 1)
    assert form.result().options == {}


def test_preset_shows_in_the_rows_of_its_options() -> None:
    form = Form("lordsawar")
    hidden = {row.name: row.value for row in form.house_rows()}["option:hidden_map"]
    form.put("option:preset", "advanced")
    rows = {row.name: row.value for row in form.house_rows()}
    assert (hidden, rows["option:hidden_map"]) == ("no", "yes")
    assert form.result().options == {"preset": "advanced"}


async def test_scenario_is_previewed(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("enter")
        assert "8       8" in at.text
        await at.press("down", "down", "right")
        assert "128     153" in at.text


async def test_name_of_the_save_can_be_chosen(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("enter", "r", "end", "up", "enter", "x", "y", "enter", "s")
        assert [info.name for info in Folder(tmp_path).listing()] == ["xy"]


async def test_random_seed_is_shown_and_can_be_typed_in_again(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("enter", "down", "down", "right", "s")
        seed = at.table.header.seed
        told = shown_seed(seed)
        assert any(told in line.text for line in at.game.log_view.lines)
    form = Form("weltendaemmerung")
    form.put("seed", told)
    assert form.result().seed == seed


async def test_bar_names_the_configured_keys(tmp_path: Path) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "keys.toml").write_text('[keys]\n"form.start" = "g"\n"title.new" = "w"\n')
    async with desk(tmp_path) as at:
        assert "w  New game" in at.text
        await at.press("w")
        assert "g: start" in at.rows()[-1]


def test_form_says_that_a_game_has_lessons_only_if_it_has_some() -> None:
    forms = {name: Form(name).rows() for name in ("kaladan", "toy")}
    about = {
        name: row.about for name, rows in forms.items() for row in rows if row.name == "ruleset"
    }
    games = len(registry.names())
    assert about["toy"] == f"One of {games} games."
    assert about["kaladan"] == f"{about['toy']} It has lessons: Learn to play, on the title."


def test_scenario_has_the_number_of_sides_it_needs() -> None:
    form = Form("toy")
    form.scenario = "crossing"
    assert len(form.players) == 2
    while form.scenario != "triangle":
        form.change("scenario", 1)
    assert [player.seat for player in form.players] == [0, 1, 2]
    assert not form.preview.fault
    while form.scenario != "crossing":
        form.change("scenario", -1)
    assert len(form.players) == 2
    assert not any(row.name == "seats" for row in form.rows())


def test_scenario_starts_with_its_intended_number_of_sides() -> None:
    form = Form("warlords2")
    while form.scenario != "horseshoe":
        form.change("scenario", 1)
    assert [player.bot for player in form.players] == ["", *["easy"] * 7]
    while form.scenario != "skirmish":
        form.change("scenario", 1)
    assert len(form.players) == 2


def test_chosen_number_of_sides_stays() -> None:
    form = Form("warlords2")
    assert len(form.players) == 2
    while form.scenario != "narrows":
        form.change("scenario", 1)
    form.change("seats", 1)
    form.change("scenario", 1)
    assert form.scenario == "horseshoe"
    assert len(form.players) == 3


def test_seed_cannot_be_chosen_on_a_host() -> None:
    assert any(row.name == "seed" for row in Form("warlords2").house_rows())
    assert not any(row.name == "seed" for row in Form("warlords2", hosted=True).house_rows())


async def test_game_of_three_begins(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("n", "down", "left", "down", "left")
        assert "The triangle" in at.text
        await at.press("s")
        assert len(at.table.players) == 3


def test_own_scenarios_are_offered_and_broken_ones_reported(tmp_path: Path) -> None:
    rules = find("warlords2")
    folder = own_folder(rules)
    folder.mkdir(parents=True)
    made = replace(rules.scenarios()["skirmish"], name="pond", title="The Pond")
    (folder / "pond.json").write_bytes(encode_json(made))
    (folder / "torn.toml").write_text("name = ")
    form = Form("warlords2")
    while form.scenario != "pond":
        form.change("scenario", 1)
    row = next(row for row in form.rows() if row.name == "scenario")
    assert row.value == "The Pond"
    assert "torn.toml" in row.about
    assert form.result().scenario == made
    assert "pond" not in Form("warlords2", hosted=True).scenarios


async def test_escape_on_the_title_asks_before_the_program_ends(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("escape")
        assert "Quit Banneret?" in at.text
        await at.press("escape")
        assert "New game" in at.text
        assert at.app.return_value is None
        await at.press("escape", "y")
    assert at.app.return_value == 0


async def test_unavailable_letter_of_the_title_gives_its_reason(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        for key in "clr":
            assert "No game is saved yet." not in at.text
            await at.press(key)
            assert "No game is saved yet." in at.text
            await at.press("h", "escape")


# -- the menu of actions ---------------------------------------------------------------------------

STARTS = [STACKS, REGIONS, FORD, TOY]


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.ruleset)
async def test_giving_up_is_last_in_every_menu_and_not_in_the_key_row(
    tmp_path: Path, start: NewGame
) -> None:
    async with desk(tmp_path, (200, 50), start=start) as at:
        offered = at.game.wanted_here()
        ends = [intent.ends for intent in offered]
        assert ends == sorted(ends, key=["", "turn", "game"].index)
        row = at.rows()[-1]
        assert not any(short(intent.label) in row for intent in offered if intent.ends == "game")
        ending = [i for i in offered if i.ends == "turn" and not i.reason]
        assert all(short(intent.label) in row for intent in ending)
        await at.press("colon")
        found = at.app.screen.query_one(ChoiceList)
        assert found.highlighted == 0
        assert isinstance(at.app.screen, FindScreen)
        assert at.app.screen._found[0].target == offered[0].name


async def test_menu_never_opens_on_giving_up(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        resign = Intent("resign", "Give up", "R", ends="game")
        busy = Intent("march", "March", "m", "Nobody is here.")
        for offered in ([resign], [busy, resign]):
            at.app.push_screen(choose_intent(offered, at.app.keymap))
            await at.press("enter")
            assert isinstance(at.app.screen, ChooseOne)
            await at.press("m")
            assert ("Not now: Nobody is here." in at.text) == (busy in offered)
            await at.press("down", "enter")
            assert not isinstance(at.app.screen, ChooseOne)


# -- letters without an action ---------------------------------------------------------------------


async def test_unavailable_letters_give_their_reason(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("a")
        assert at.note == "Units attack in the attack phase."
        await at.press("t")
        assert at.note == "t does nothing here. i: actions, ?: help"
        await at.press("A")
        assert at.note.startswith("A does nothing here.")
        await at.press("m", "g")
        assert ": choose first, or cancel with Esc." in at.note
        await at.press("escape", "Z")
        assert at.note == "This game has only one map."
        await at.press("p")
        assert at.note == "Costs shown on the map."


async def test_letters_during_a_computer_turn_say_so(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        at.game.turns.is_busy = True
        for key in "mi":
            at.game.hint.put("", "", at.app.palette.plain)
            await at.press(key)
            assert at.note == "Eldoin is moving … (Esc skips)"
        at.game.turns.is_busy = False


# -- finding ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [*STARTS, LARGE], ids=lambda start: start.scenario or "usual")
async def test_found_entries_are_listed_once(tmp_path: Path, start: NewGame) -> None:
    async with desk(tmp_path, start=start) as at:
        for key in ("slash", "colon"):
            await at.press(key)
            assert isinstance(at.app.screen, FindScreen)
            entries = at.app.screen._entries
            seen = [(found.kind, found.text) for found in entries]
            assert len({*seen}) == len(seen)
            keys = {found.target: found for found in entries if found.kind == "action"}
            assert not keys["help"].reason
            assert not keys["losses"].reason
            await at.press("escape")


# -- the pages of the form -------------------------------------------------------------------------


async def test_first_page_has_only_game_scenario_and_players(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path) as at:
        await at.press("enter")
        assert [row.name for row in Form("weltendaemmerung").rows()] == [
            "start",
            "ruleset",
            "scenario",
            "seat:0",
            "seat:1",
            "house",
        ]
        assert "Length: half an hour, 6 rounds" in at.text
        assert "Difficulty: for beginners" in at.text
        assert "Cost of a step" not in at.text


async def test_house_rules_are_opened_closed_and_counted(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("enter", "end", "enter")
        assert at.rows()[0].strip().startswith("New game: house rules")
        await at.press("right")
        assert "the tile entered" in at.text
        await at.press("escape")
        assert "1 changed" in at.text
        await at.press("right", "home", "enter")
        assert at.rows()[0].strip().startswith("New game  ")
        await at.press("s")
        _, options = find("weltendaemmerung").setup(at.table.game.log[0].events[0])
        assert options["price_tile"] == "destination"


def test_number_shown_in_words_is_typed_as_a_number() -> None:
    form = Form("kaladan")
    rows = {row.name: row for row in form.house_rows()}
    assert rows["option:round_limit"].value == "no limit"
    assert rows["option:round_limit"].number == 0
    form.put("option:round_limit", "1")
    rows = {row.name: row for row in form.house_rows()}
    assert (rows["option:round_limit"].value, rows["option:round_limit"].number) == ("1 round", 1)


@pytest.mark.parametrize("ruleset", [name for name in registry.names() if name != "toy"])
def test_form_opens_on_a_first_game_that_a_beginner_can_win(ruleset: str) -> None:
    form = Form(ruleset)
    assert form.scenario == form.texts.first
    weakest = next(iter(form.rules.bots))
    assert [player.bot for player in form.players][:2] == ["", weakest]
    assert not form.preview.fault
    assert not any("[" in row.about for row in (*form.rows(), *form.house_rows()))
