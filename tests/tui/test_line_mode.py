"""Line mode: a whole game as text. Scripts in, transcripts and notation out."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.archive import SeatPlayer
from engine.core.game import Bug
from engine.core.notation import write
from saves.archive import Folder
from tui.console.exits import Exit
from tui.console.printing import plain_ascii
from tui.linemode.play_command import Lines
from tui.linemode.voice import WIDTH, Voice, from_stream
from tui.linemode.words import WORDS
from tui.play.setup import NewGame

TRANSCRIPTS = Path(__file__).parent / "transcripts"
TWO_PEOPLE = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))
AGAINST_EASY = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor", "easy"))
FORD = NewGame("weltendaemmerung", "ford", players=TWO_PEOPLE, seed=b"1", name="game")
COMPUTER = NewGame("weltendaemmerung", "ford", players=AGAINST_EASY, seed=b"1", name="game")
WEST = NewGame(
    "gd6",
    "west",
    players=(SeatPlayer(0, "A"), SeatPlayer(1, "B")),
    seed=b"1",
    name="game",
)
LONE = NewGame(
    "gd6",
    "west",
    players=(SeatPlayer(0, "A"), SeatPlayer(1, "B", "easy")),
    seed=b"1",
    name="game",
)
SETTLED = ["", "settle", "seal yes", "", "go 16", "settle", "seal yes", "seal yes", ""]
"""Lines with which both people at ``WEST`` settle, and the first takes the second turn."""
TOY = NewGame(
    "toy", players=(SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch")), seed=b"1", name="game"
)


class Played:
    """A script played in line mode."""

    def __init__(
        self,
        folder: Path,
        start: NewGame | None,
        script: Iterable[str],
        *,
        only_ascii: bool = False,
    ) -> None:
        out = io.StringIO()
        given = io.StringIO("".join(f"{line}\n" for line in script))
        voice = Voice(out, from_stream(given), only_ascii=only_ascii, echo=True)
        self.bugs: list[Bug] = []
        self.archive = Folder(folder)
        lines = Lines(voice, self.archive, self.bugs.append)
        self.exit: Exit | None = None
        try:
            if start is not None:
                lines.begin(start)
            self.exit = lines.play()
        except EOFError:
            lines.farewell("The input has ended.")
        finally:
            lines.close()
        self.text = out.getvalue()

    @property
    def notation(self) -> list[str]:
        """Notation of the current line of the game."""
        entries = self.archive.read("game").log.line()
        return [write(entry.command) for entry in entries if entry.command is not None]


def said(text: str, line: str) -> str:
    """Return the answer to a line, up to the next prompt."""
    return text.split(f"> {line}\n", 1)[1].split("\n> ", 1)[0]


def test_transcript_of_a_game_of_two_people(
    tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    script = (TRANSCRIPTS / "ford.script").read_text(encoding="utf-8").splitlines()
    played = Played(tmp_path, FORD, script)
    assert played.bugs == []
    assert all(len(row) <= WIDTH for row in played.text.splitlines() if not row.startswith("> "))
    golden(TRANSCRIPTS / "ford.txt", played.text)


def test_two_people_play_to_the_end(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["end yes"] * 36 + ["look", "log 2", "luck", "quit"])
    assert played.exit == Exit.OK
    assert "The game is over.\n" in played.text
    assert "Eldoin wins" in played.text
    assert played.notation == ["end-phase"] * 36


def test_person_plays_against_the_computer_to_the_end(tmp_path: Path) -> None:
    script = ["next", "move 1", "end yes", "next", "attack 1; yes", "end yes", "end yes"] * 6
    played = Played(tmp_path, COMPUTER, [*script, "luck", "again"])
    assert "The game is over.\n" in played.text
    assert "The input has ended. The game is saved as 'game'." in played.text
    assert any(line.startswith("attack") for line in played.notation)
    again = Played(tmp_path, None, ["games", "load 1", "status"])
    assert "wins" in said(again.text, "load 1")


def test_computers_play_for_a_listener(tmp_path: Path) -> None:
    players = (SeatPlayer(0, "Eldoin", "easy"), SeatPlayer(1, "Dailor", "easy"))
    start = NewGame("weltendaemmerung", "ford", players=players, seed=b"1", name="game")
    played = Played(tmp_path, start, ["near 2", "do 1", "undo"])
    assert "The game is over." in played.text
    assert "Spectators give no commands." in said(played.text, "undo")


def test_direction_moves_a_held_piece(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["press", "2 e", "release", "undo", "where"])
    assert played.notation == ["step unit=0 direction=right"]
    taken = said(played.text, "undo")
    assert taken == "Taken back: Eldoin's commander moves to 6,5, 8 moves left."
    assert "The cursor is at 5,5." in played.text


def test_attacker_stays_chosen_while_the_cursor_moves_to_its_target(tmp_path: Path) -> None:
    script = ["end yes", "end yes", "go 11,2", "press", "targets", "go 15,5", "press"]
    played = Played(tmp_path, FORD, script)
    assert "15,5, 4 east, 3 south: 100 % to kill" in said(played.text, "targets")
    assert "press would: attack here." in said(played.text, "go 15,5")
    assert played.notation[-1] == "attack unit=7 at=15,5"


def test_cursor_follows_the_moved_piece(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["go 6,4", "move", "3 north", "where"])
    assert "The cursor is at 6,1." in played.text


def test_cursor_goes_back_when_a_move_is_undone(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["go 6,4", "move 3 n", "move 1 w", "undo", "undo", "where"])
    assert played.notation == []
    assert "The cursor is at 6,4." in played.text


def test_next_cycles_through_all_pieces_that_can_act(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["next"] * 8 + ["where"])
    seen = re.findall(r"unit (\d+):", played.text)
    assert sorted(map(int, seen)) == list(range(8))
    assert "The cursor is at 4,5." in played.text


def test_notation_is_accepted(tmp_path: Path) -> None:
    script = ["step unit=0 direction=up", '{"do":"end-phase"}', "send end-phase", "help notation"]
    played = Played(tmp_path, FORD, script)
    assert played.notation == ["step unit=0 direction=up", "end-phase", "end-phase"]
    assert "step unit=<a whole number>" in played.text


def test_refusal_has_its_rule_and_why_prints_it(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["attack unit=0 at=0,0", "why", "why wd-turn-1", "why x"])
    assert "WD-" not in said(played.text, "attack unit=0 at=0,0")
    assert said(played.text, "why").startswith("WD-ATT-1: ")
    assert said(played.text, "why wd-turn-1").startswith("WD-TURN-1: Six states")
    assert said(played.text, "why x").startswith("There is no rule 'x' in the book.")


def test_why_reads_the_chapter_of_its_id(tmp_path: Path) -> None:
    start = NewGame("lordsawar", "ford", players=TWO_PEOPLE, seed=b"1", name="game")
    read = said(Played(tmp_path, start, ["", "why lw-8"]).text, "why lw-8").splitlines()
    assert read[:2] == ["Texts", "Battles can be read blow by blow."]
    assert [line[:7] for line in read if line.startswith("LW-")] == [
        "LW-8.1:",
        "LW-8.2:",
        "LW-8.3:",
    ]


def test_phase_ends_only_after_a_warning(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["end", "maybe", "no", "status"])
    assert "8 units could still act:" in played.text
    assert "Type yes or no. Yes: end it. No: go back.\n? maybe\nType yes or no.\n" in played.text
    assert "Cancelled." in played.text
    assert played.notation == []


@pytest.mark.parametrize(
    ("script", "line"),
    [
        (["march", "1", "e e"], "order band=1 path=1,0>2,0"),
        (["march 2; e"], "order band=2 path=1,0"),
        (["march", "1", "list", "2,0>4,0"], "order band=1 path=1,0>2,0"),
        (["rank", "3 1"], "rank bands=3>1>2"),
        (["cry", "Hello there"], 'cry text="Hello there"'),
        (["seal", "yes"], "seal stake=0"),
    ],
)
def test_questions_are_answered_in_words(tmp_path: Path, script: list[str], line: str) -> None:
    played = Played(tmp_path, TOY, ["", *script])
    wanted = {line, line.removesuffix(" stake=0")}
    assert set(played.notation[-1:]) <= wanted, played.text
    assert played.notation


def test_several_choices_are_made_by_numbers(tmp_path: Path) -> None:
    script = ["", "march 1; e", "march 2; e", "drop", "1 1", "7", "1, 2"]
    played = Played(tmp_path, TOY, script)
    assert played.notation[-1] == "drop bands=1>2"
    assert "One of them stands twice." in played.text


def test_blank_answer_cancels(tmp_path: Path) -> None:
    played = Played(tmp_path, TOY, ["", "march", "", "rank", "", "cry", "", "seal", ""])
    assert played.notation == []
    assert played.text.count("Cancelled.") == 4


def test_secrets_are_hidden_from_the_next_person(tmp_path: Path) -> None:
    played = Played(tmp_path, TOY, ["", "march 1; e e", "seal yes", "", "log 99", "again", "units"])
    before, _, after = played.text.partition("Press Enter when Birch is here: ")
    assert "will march" in before
    assert before.endswith("do not scroll back.\n")
    assert "\n" * 40 in before
    assert "will march" not in after
    assert "Birch band" not in before.split("Press Enter when Amber is here: ")[0]


def test_only_enter_lets_the_next_person_in(tmp_path: Path) -> None:
    played = Played(tmp_path, TOY, ["look", "", "status"])
    assert "Press Enter alone." in played.text
    assert "Amber: person, you, to act." in played.text


def test_a_person_may_leave_where_only_enter_is_expected(tmp_path: Path) -> None:
    played = Played(tmp_path, TOY, ["quit", "", "status"])
    assert played.text.count("Press Enter when") == 1


def test_another_person_may_act_first_when_all_give_orders(tmp_path: Path) -> None:
    played = Played(tmp_path, TOY, ["", "seat Birch", "", "cry We come", "seat Birch"])
    assert played.notation == ['cry text="We come"']
    assert "That is you." in played.text


def test_failed_settling_round_repeats_who_is_to_act(tmp_path: Path) -> None:
    """Both choose Skerrow twice, so turn and phase do not change."""
    both = [
        "",
        "settle",
        "seal yes",
        "",
        "settle",
        "seal yes",
        "settle",
        "seal yes",
        "",
        "settle",
        "seal yes",
    ]
    played = Played(tmp_path, WEST, both)
    after = "".join(played.text.split("A and B choose a new site")[3:])
    assert "\nTurn 1 of 30. Waiting for a new site of A (you) and B." in after


def test_again_prints_the_results_of_the_last_seal(tmp_path: Path) -> None:
    played = Played(tmp_path, LONE, ["settle", "seal yes", "again", "quit"])
    told = said(played.text, "again")
    assert "A builds its headquarters at 1 Skerrow" in told
    assert "Turn 2 of 30." in told
    later = said(Played(tmp_path, None, ["load 1", "again", "quit"]).text, "again")
    assert later == f"Order 1: settle at 1 Skerrow.\n{told}"


def test_again_starts_at_the_seal_not_at_an_order(tmp_path: Path) -> None:
    played = Played(tmp_path, LONE, ["settle", "seal yes", "spawn 1", "again", "quit"])
    told = said(played.text, "again")
    assert told.startswith("A seals its orders.\n")
    assert "Turn 2 of 30." in told


def test_again_prints_the_end_of_the_game(tmp_path: Path) -> None:
    played = Played(tmp_path, WEST, [*SETTLED, "concede yes", "again", "quit"])
    told = said(played.text, "again")
    assert told.startswith("A gives up and leaves next turn.\n")
    assert "B wins in turn 2." in told


@pytest.mark.parametrize("seed", [b"1", b"2"])
def test_again_tells_all_that_was_said_since_the_last_turn(tmp_path: Path, seed: bytes) -> None:
    """With one of the seeds the third end of a turn brings the turn back at once."""
    players = (SeatPlayer(0, "Westhold"), SeatPlayer(1, "Easthold", "easy"))
    start = NewGame("lordsawar", "ford", players=players, seed=seed, name="game")
    played = Played(tmp_path, start, ["1", *["end yes", "again"] * 3])
    for part in played.text.split("> end yes\n")[1:]:
        news, _, told = part.partition("> again\n")
        rounds = [line for line in news.splitlines() if line.startswith("Round ")]
        own = [line for line in news.splitlines() if line.startswith(("Income", "Westhold com"))]
        assert rounds
        assert own
        assert [line for line in told.splitlines() if line.startswith("Round ")] == rounds
        assert all(line in told for line in own)
        assert all(line in news for line in told.splitlines() if line.startswith("Income"))


def test_a_known_place_that_cannot_be_chosen_is_refused_with_the_reason(tmp_path: Path) -> None:
    script = [*SETTLED, "spawn 2", "seal yes", "move gullrock", "move nowhere", "quit"]
    text = Played(tmp_path, WEST, script).text
    assert said(text, "move gullrock").startswith("46,44: 16 Gullrock is not beside")
    assert said(text, "move nowhere").startswith("No place called 'nowhere' is known.")


def test_a_place_is_taken_by_name_as_by_its_cell(tmp_path: Path) -> None:
    """A signpost in reach mentions the city, which is too far."""
    players = (SeatPlayer(0, "One"), SeatPlayer(1, "Two", "easy"))
    start = NewGame("warlords2", "skirmish", players=players, seed=b"1", name="game")
    ways = ["march 12,4", "march gull bay", 'march "Gull Bay"']
    script = ["1", "next", *(line for way in ways for line in (way, "no")), "quit"]
    text = Played(tmp_path, start, script).text
    reason = said(text, "march 12,4")
    assert reason.startswith("Attack the neutrals at Gull Bay?\nThey arrive in 2 turns.")
    assert said(text, "march gull bay") == said(text, 'march "Gull Bay"') == reason


def test_only_pieces_are_counted_as_pieces(tmp_path: Path) -> None:
    played = Played(tmp_path, LONE, ["status", "next", "quit"])
    assert "Pieces that can still act" not in played.text
    assert "You can settle here." in said(played.text, "next")


def test_layers_apply_to_every_cell_of_a_place(tmp_path: Path) -> None:
    script = ["settle", "seal yes", "layer spawn", "3 e", "layer danger", "danger", "quit"]
    text = Played(tmp_path, LONE, script).text
    assert said(text, "layer spawn") == "12,4: yes. The layer marks 3 places."
    assert said(text, "layer danger").startswith("15,4: 1. The layer marks ")
    assert said(text, "danger").endswith(
        "in armies: 1.\nYours that are in danger:\n1 Skerrow (A) at 12,4: 1"
    )


def test_places_are_chosen_by_name(tmp_path: Path) -> None:
    script = [*SETTLED, "spawn 2", "seal yes", "move", "frost", ""]
    text = Played(tmp_path, WEST, [*script, "route 11", "go 1"]).text
    listed = said(text, "move")
    assert "1. March to 2 Haldane: 17,9, 5 east, 5 south" in listed
    assert "2. March to 3 Frostby: 27,4, 15 east" in listed
    assert "March on from 3 Frostby" in listed
    assert "by 2 Haldane (neutral), 5 Marrowdale (neutral), " in said(text, "route 11")
    assert said(text, "go 1").startswith("1 Skerrow")


def test_letters_on_the_board_are_not_signs_of_a_map(tmp_path: Path) -> None:
    told = Played(tmp_path, WEST, ["", "map", "quit"]).text.split("> map\n")[1]
    rows, _, legend = told.partition("A mark before a sign: ")
    assert "H a l d" in rows
    assert "!" not in rows
    assert "written" not in legend
    assert "Other letters and digits are names and numbers of places." in legend


def test_game_is_chosen_by_questions(tmp_path: Path) -> None:
    script = ["status", "new weltendaemmerung", "2", "easy", "1", "seat", "save"]
    played = Played(tmp_path, None, script)
    assert "No game is open" in said(played.text, "status")
    assert "Dailor: person" in played.text
    assert "Every command is saved at once." in played.text


def test_every_word_has_help_and_can_be_typed(tmp_path: Path) -> None:
    names = [word.name for word in WORDS]
    played = Played(tmp_path, FORD, ["help", *(f"help {name}" for name in names), *names])
    listed = said(played.text, "help")
    assert all(f"\n{word.usage}: " in listed for word in WORDS)
    assert "is nothing you can do here" not in played.text
    assert "There is no word" not in played.text


def test_output_is_ascii_on_request(tmp_path: Path) -> None:
    script = ["rules 1", "map", "find ö", "status"]
    played = Played(tmp_path, FORD, script, only_ascii=True)
    assert played.text.isascii()
    assert "Weltendaemmerung" in played.text
    assert (
        plain_ascii("\u00c6r\u00f8 \u2013 \u201cTor\u201d \u2026 \u00d1 \u65e5")
        == 'AEro - "Tor" ... N ?'
    )


def test_typed_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["\x1b[31mred", "go \x07\x9b2J", "find \x1b]0;x\x07"])
    assert all(sign.isprintable() or sign == "\n" for sign in played.text)


def garbage(count: int) -> list[str]:
    """Return lines without meaning, or almost with one."""
    starts = [
        "",
        "go ",
        "do ",
        "why ",
        "log ",
        "find ",
        "{",
        "step unit=",
        "load ",
        "help ",
        "layer ",
    ]
    signs = "x%\\\u00e9\t;="
    return [f"{starts[n % len(starts)]}{signs[n % 7]}{n * 7919 % 100003}" for n in range(count)]


def test_thousands_of_garbage_lines_are_only_refused(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, garbage(5000))
    assert played.bugs == []
    assert played.notation == []


@pytest.mark.slow
def test_two_hundred_thousand_garbage_lines_are_only_refused(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, garbage(200_000))
    assert (played.bugs, played.notation) == ([], [])


def test_overlong_line_is_cut(tmp_path: Path) -> None:
    played = Played(tmp_path, FORD, ["go " + "9" * 1_000_000, "x" * 1_000_000, "where"])
    assert "The cursor is at 4,5." in played.text
    assert len(played.text) < 60_000


NAMES = [word.name for word in WORDS] + ["help", "games", "load", "new", "seal", "march", "end"]
RESTS = ["", "1", "0,0", "9,9", "e", "3 n", "yes", "-1", "x", "1; yes", "mine", "²", "9" * 30]
TYPED = st.one_of(
    st.text(max_size=30),
    st.builds(lambda name, rest: f"{name} {rest}", st.sampled_from(NAMES), st.sampled_from(RESTS)),
    st.sampled_from(RESTS),
)


@pytest.mark.parametrize("start", [FORD, TOY, None], ids=["ford", "toy", "none"])
@settings(max_examples=40)
@given(script=st.lists(TYPED, max_size=12))
def test_no_lines_raise(
    tmp_path_factory: pytest.TempPathFactory, start: NewGame | None, script: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    lines = [re.sub(r"[\r\n]", " ", line) for line in script]
    played = Played(folder, start, ["", *lines])
    assert played.bugs == []
