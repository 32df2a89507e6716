"""Line mode: other words within a question, words that repeat its subject, and leaving it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.archive import SaveFault, SeatPlayer
from engine.core.log import AnyEntry
from saves.writer import Writer
from tests.tui.test_line_mode import FORD, SETTLED, WEST, Played, said
from tui.console.exits import Exit
from tui.play.players import Opponents
from tui.play.setup import NewGame

DUEL = NewGame(
    "kaladan",
    "duel",
    players=(SeatPlayer(0, "Khalisia"), SeatPlayer(1, "The Weald", "easy")),
    seed=b"5",
    name="game",
)
MARCH = NewGame(
    "lordsawar",
    "ford",
    players=(SeatPlayer(0, "Westhold"), SeatPlayer(1, "Easthold", "easy")),
    seed=b"7",
    name="game",
)
NARROWS = NewGame(
    "warlords2",
    players=(SeatPlayer(0, "Sallow"), SeatPlayer(1, "Orrin", "easy")),
    seed=b"3",
    name="game",
)
BEFORE_ATTACK = ["1 4 7", "2", "go b1"]
"""Lines up to a position in which B2 is the only target."""


def attacks(folder: Path, *lines: str) -> int:
    """Return the number of attacks that lines make in that position."""
    notation = Played(folder, DUEL, [*BEFORE_ATTACK, *lines]).notation
    return sum(line.startswith("attack") for line in notation)


@pytest.fixture(scope="module")
def has_one_target(tmp_path_factory: pytest.TempPathFactory) -> bool:
    text = Played(tmp_path_factory.mktemp("duel"), DUEL, [*BEFORE_ATTACK, "attack", "no"]).text
    return said(text, "attack").startswith("Attack B2 from B1?")


@pytest.mark.parametrize("line", ["attack yes", "attack b2 yes", "attack B2; yes", "attack b2"])
def test_the_only_target_may_be_named(tmp_path: Path, line: str, *, has_one_target: bool) -> None:
    assert has_one_target
    more = ["yes"] if line == "attack b2" else []
    assert attacks(tmp_path, line, *more) == 1


@pytest.mark.parametrize("line", ["attack b3 yes", "attack b yes", "attack b2 no"])
def test_another_target_is_not_taken_for_the_only_one(tmp_path: Path, line: str) -> None:
    assert attacks(tmp_path, line) == 0


def test_words_that_tell_something_work_within_a_question(tmp_path: Path) -> None:
    script = ["next", "move", "look", "why", "help do", "near 2", "list", "list", "9,5", "quit"]
    played = Played(tmp_path, FORD, script)
    answers = played.text.split("> move\n")[1]
    assert "sword bearers" in answers.split("? look\n")[1].split("\n? ")[0]
    assert "list repeats" in " ".join(answers.split("? help do\n")[1].split("\n? ")[0].split())
    assert answers.split("? near 2\n")[1].startswith("sword bearers 1 (Eldoin): here")
    assert [line.split(" ")[0] for line in played.notation] == ["move"]


def test_a_list_never_cancels_and_is_short(tmp_path: Path) -> None:
    script = ["1", "goal", "1", *["?"] * 7, "upper ford", "quit"]
    played = Played(tmp_path, MARCH, script)
    assert any(line.startswith("goal ") for line in played.notation), played.text
    listed = played.text.split("? ?\n")[1]
    assert listed.count("\n") < 70
    assert " farther cells." in listed


@pytest.mark.parametrize("word", ["undo", "end yes"])
def test_words_that_must_wait_say_so(tmp_path: Path, word: str) -> None:
    played = Played(tmp_path, FORD, ["next", "move", word, "cancel", "quit"])
    assert "? " + word + "\nFirst answer the question" in played.text
    assert "? cancel\nCancelled." in played.text
    assert played.notation == []


def test_a_decision_is_repeated_by_a_question_mark(tmp_path: Path) -> None:
    text = Played(tmp_path, DUEL, ["?", "list", "quit"]).text
    assert said(text, "?") == said(text, "list")
    assert said(text, "?").startswith("Which 3 Basic units")


@pytest.mark.parametrize("word", ["cancel", "quit"])
def test_questions_about_a_new_game_can_be_left(tmp_path: Path, word: str) -> None:
    for answers in ([], ["kaladan"], ["kaladan", "duel"]):
        played = Played(tmp_path, None, ["new", *answers, word, "games", "quit"])
        assert "No game is begun.\n> games\nNo saved games." in played.text


def test_a_march_that_goes_on_to_an_attack_asks_first(tmp_path: Path) -> None:
    script = ["1", "G 1 upper ford", *["go-on", "end yes"] * 6, "quit"]
    text = Played(tmp_path, MARCH, script).text
    asked = text.split("March on and attack?\n")[1]
    said = " ".join(asked.split("Type yes")[0].split())
    chance = "100 % to win if unknown armies are average"
    assert f": attack on the neutrals at Upper Ford, {chance}." in said
    assert "\nWin, if they are average armies\n" in asked.split("Type yes")[0]
    assert "Westhold attacks the neutrals at Upper Ford" not in text
    away = ["2", "1", *script[1:7], "", "go 3,3", "go-on yes", "where", "quit"]
    assert "\nThe cursor is at 13,2." in Played(tmp_path, MARCH, away).text
    agreed = Played(tmp_path, MARCH, ["2", "1", *script[1:], *["go-on yes", "end yes"] * 2]).text
    assert "March on and attack?" in agreed


def test_computers_try_again_after_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, faults = Opponents.play, iter([True, True])

    def play(self: Opponents) -> str:
        if next(faults, False):
            raise SaveFault("game.bnr: No space left on device")
        return usual(self)

    monkeypatch.setattr(Opponents, "play", play)
    script = ["1", "end yes", "look", "end yes", "go on", "status", "end yes", "quit"]
    played = Played(tmp_path, MARCH, script)
    assert "No space left on device\nThe computer players wait." in said(played.text, "end yes")
    assert said(played.text, "look").startswith("2,2: City")
    assert "Your turn, Westhold." in said(played.text, "go on")
    ends = [line for line in played.notation if line == "end-turn"]
    assert len(ends) >= 3, "of both sides"


def test_exit_code_is_of_damage_if_the_last_command_was_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Writer.entry

    def full(self: Writer, entry: AnyEntry) -> None:
        if entry.seat >= 0:
            raise SaveFault("game.bnr: No space left on device")
        usual(self, entry)

    monkeypatch.setattr(Writer, "entry", full)
    played = Played(tmp_path, MARCH, ["1", "quit"])
    assert "No space left on device" in said(played.text, "1")
    assert played.text.endswith("The game is saved as 'game' as it was before the fault.\n")
    assert played.exit == Exit.DAMAGED


def test_an_answer_typed_at_once_that_does_not_fit_says_what_to_type(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["1", "march 12,7", "no", "goal 13,2", "quit"]).text
    told = " ".join(said(text, "march 12,7").split())
    assert "It takes 2 turns. Set it as a goal, and begin now?" in told
    listed = said(text, "goal 13,2").splitlines()
    assert listed[1].startswith("1. ")
    assert listed[-2:] == ["Type goal and a number.", "Cancelled."]


def test_numbers_mean_the_answers_of_an_open_question_everywhere(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["do", "do 4", "quit"]).text
    assert not any(line[:1].isdecimal() for line in said(text, "do").splitlines())
    assert "(resign)" in said(text, "do")
    assert "what becomes of your cities" not in said(text, "do 4")
    assert Played(tmp_path / "again", MARCH, ["do 4", "quit"]).notation == ["hire accept=no"]


def test_words_that_tell_something_are_no_beginning_of_a_choice(tmp_path: Path) -> None:
    script = ["1 4 7", "2", "end yes", "buy", "units mine", "units", "upgrade a unit", "", "quit"]
    text = Played(tmp_path, DUEL, script).text
    assert "Crown of Khalisia on " in text.split("? units mine\n")[1].split("\n? ")[0]
    assert "Crown of The Weald on " in text.split("? units\n")[1].split("\n? ")[0]
    assert "The shop" in text.split("> buy\n")[1]


@pytest.mark.parametrize("number", ["0", "4", "5", "20", "99"])
def test_a_number_outside_a_list_is_no_value_of_a_choice(tmp_path: Path, number: str) -> None:
    for word in ("produce", "buy"):
        script = [f"{word} {number if word == 'produce' else int(number) + 20} 1", "quit"]
        played = Played(tmp_path / word, NARROWS, script)
        assert "is none of them; type a number from 1 to" in played.text
        assert played.notation == []
    played = Played(tmp_path / "order", NARROWS, ["order 0", "order 30", "quit"])
    assert played.text.count("is none of them; type a number from 1 to 29.") == 2


@pytest.mark.parametrize("line", ["march", "wait", "defend"])
def test_a_word_that_an_open_question_shuts_out_names_the_question(
    tmp_path: Path, line: str
) -> None:
    answer = said(Played(tmp_path, DUEL, [line, "quit"]).text, line)
    assert "Which 3 Basic units" in answer


def test_a_number_after_do_does_what_it_lists(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["next", "1", "do", "1", "10,5", "quit"])
    assert "'1' is nothing you can do here" in said(played.text, "1")
    assert [line.split(" ")[0] for line in played.notation] == ["move"]


def test_a_person_may_leave_within_a_question(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["next", "move", "quit"])
    assert played.exit is Exit.OK
    assert "The input has ended" not in played.text


@pytest.mark.parametrize("word", ["list", "help", "?"])
def test_questions_about_a_new_game_are_repeated(tmp_path: Path, word: str) -> None:
    text = Played(tmp_path, None, ["new", word, "cancel", "quit"]).text
    answer = text.split(f": {word}\n")[1]
    assert answer.startswith("Which game?\n1. ")
    assert "is none of them" not in answer


def test_lists_of_areas_give_directions_and_no_cells(tmp_path: Path) -> None:
    text = Played(tmp_path, DUEL, [*BEFORE_ATTACK, "move", "", "quit"]).text
    listed = said(text, "move").splitlines()
    assert "Type a number or a name." in listed
    assert not any("," in line for line in listed if line[:1].isdecimal())
    assert any(line.endswith("-east") for line in listed)


def test_a_held_piece_pushed_along_one_axis_says_so(tmp_path: Path) -> None:
    text = Played(tmp_path, FORD, ["go 8,5", "press", "e", "ne", "quit"]).text
    answer = " ".join(said(text, "ne").split())
    assert "That pushed it north: a held piece goes in four directions." in answer
    assert "move and the direction goes diagonally" in answer


def test_an_overdrawn_last_step_is_explained_where_it_is_offered(tmp_path: Path) -> None:
    text = Played(tmp_path, FORD, ["go 8,6", "move", "list", "", "route 11,10", "quit"]).text
    offered = " ".join(text.split("? list\n")[1].split("\n? ")[0].split())
    assert "(12 moves; the last step may overdraw)" in offered
    assert "12 moves; the last step may overdraw" in " ".join(said(text, "route 11,10").split())


def test_help_explains_what_pieces_can_do(tmp_path: Path) -> None:
    text = Played(tmp_path, NARROWS, ["go 0,0", "help march", "help goal", "help foo"]).text
    assert said(text, "help march").startswith("march: March to\nIt can be typed at 33,9")
    assert said(text, "help goal").startswith("goal: Goal for later turns\n")
    assert said(text, "help foo").startswith("There is no word 'foo'.")


@pytest.mark.parametrize(
    "line", ["targets x", "layer foo", "near x", "map -1", "next week", "status now"]
)
def test_an_argument_without_a_meaning_is_refused(tmp_path: Path, line: str) -> None:
    answer = said(Played(tmp_path, FORD, [line]).text, line)
    assert answer.startswith(("Type ", "There is no layer 'foo'."))


def test_rules_finds_a_chapter_by_the_beginning_of_a_word(tmp_path: Path) -> None:
    text = Played(tmp_path, FORD, ["rules movement", "rules banana"]).text
    assert "Moving" in said(text, "rules movement").splitlines()[0]
    assert said(text, "rules banana").startswith("There is no such chapter.")


def test_units_enemy_lists_those_that_foe_goes_to(tmp_path: Path) -> None:
    text = Played(tmp_path, NARROWS, ["foe", "units enemy"]).text
    assert "army of the neutrals" in said(text, "foe")
    assert "(the neutrals): here" in said(text, "units enemy")


def test_names_and_ends_are_said_once(tmp_path: Path) -> None:
    opening = Played(tmp_path / "first", MARCH, ["quit"]).text.split("> ")[0].splitlines()
    assert len([line for line in opening if line.rstrip(".").endswith("The Ford")]) == 1
    assert len([line for line in opening if " decides, round 1" in line]) == 1
    Played(tmp_path, WEST, [*SETTLED, "concede yes", "quit"])
    again = Played(tmp_path, None, ["load game", "quit"]).text
    before, after = said(again, "load game").split("The game is over.\n")
    assert after.splitlines()[0] not in before.splitlines()


def test_an_attacker_is_let_go_aloud_where_there_is_no_target(tmp_path: Path) -> None:
    text = Played(tmp_path, FORD, ["end yes", "end yes", "go 8,5", "press", "go 5,1", "press"]).text
    assert "press would" not in said(text, "go 5,1")
    assert (
        text.split("> go 5,1\n")[1]
        .split("> press\n")[1]
        .startswith("That is out of reach.\nYou hold nothing.\n")
    )
