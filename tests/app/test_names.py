"""Names on the command line: of players, of files, and values that look like options."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core.scenarios import seat_of
from saves.archive import Folder
from tests.app.cli import banneret_here, is_one_line_fault
from tests.saves import games
from tui.console.commands import (
    PROGRAM,
    SSH,
    ArgumentGroup,
    ArgumentSpec,
    CommandParser,
    CommandSpec,
    find_command,
    lab_verbs,
)
from tui.console.exits import Exit, Wrong
from tui.console.files import SAVE_BEGINS
from tui.play.seats import find_seat, seat_named

BORDERS = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 1]]
NAMES = ("North", "South", "East")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder with a scenario whose players have custom names."""
    players = [{"id": seat, "name": name} for seat, name in enumerate(NAMES)]
    row = {"name": "named", "title": "Named", "about": "", "borders": BORDERS, "players": players}
    (tmp_path / "named.json").write_text(json.dumps(row))
    return tmp_path


def ran(folder: Path, *words: str, given: str = "") -> tuple[int, list[dict[str, Any]], str]:
    begun = ("run", "--ruleset", "gd6", "--scenario", "named.json", *words, "-")
    ended = banneret_here(*begun, given=given, folder=folder)
    return ended.returncode, [json.loads(line) for line in ended.stdout.splitlines()], ended.stderr


def test_players_are_known_by_their_own_names_everywhere(folder: Path) -> None:
    words = ("--seat", "north=bot:easy", "--save", "game.bnr")
    code, told, _ = ran(folder, *words, given="South: seal\neast: hq at=3\nC: seal\n")
    assert code == Exit.OK
    assert {one["seat"] for one in told if "seat" in one} == set(NAMES)
    asked: tuple[tuple[str, ...], ...] = (
        ("dump", "./game.bnr", "--seat", "SOUTH"),
        ("debug", "--seat", "South", "./game.bnr", "where"),
        ("debug", "./game.bnr", "history", "territories.South"),
        ("dump", "./game.bnr", "--where", "round = 1 and seat = south"),
        ("lab", "feed", "./game.bnr", "--seat", "South", "--bot", "easy"),
    )
    for question in asked:
        ended = banneret_here(*question, folder=folder)
        assert ended.returncode == Exit.OK, ended.stderr
    served = banneret_here(
        "bot", "--ruleset", "gd6", "--scenario", "named.json", "--seat", "east", folder=folder
    )
    assert '"seat":2' in served.stdout
    lines = ("play", "--plain", "--new", "gd6", "--scenario", "named.json")
    seats = ("--seat", "north=bot:easy", "--seat", "South=person", "--seat", "EAST=bot:easy")
    said = banneret_here(*lines, *seats, given="status\n", folder=folder).stdout
    assert "South: person, you" in said


@pytest.mark.parametrize(
    ("names", "word", "seat"),
    [
        (NAMES, "east", 2),
        (NAMES, "2", 2),
        (NAMES, "b", 1),
        (("B", "A"), "a", 1),
        (("Rene\u0301", "Zo\u00eb"), "REN\u00c9", 0),
        (NAMES, "", None),
        (NAMES, "d", None),
        (NAMES, "9" * 5000, None),
    ],
)
def test_seat_is_named_by_name_number_or_letter(
    names: tuple[str, ...], word: str, seat: int | None
) -> None:
    assert seat_of(names, word) == seat


NUMBERED = ("Player 1", "Player 2", "Player 3")


@pytest.mark.parametrize("word", ["Player2", "player-2", "PLAYER_2", "  player  2 ", "1", "b"])
def test_seat_is_found_without_the_blanks_of_its_name(word: str) -> None:
    assert find_seat(NUMBERED, word) == 1


@pytest.mark.parametrize("word", ["", "-", "Player", "3", "Player4"])
def test_unknown_word_finds_no_seat(word: str) -> None:
    assert find_seat(NUMBERED, word) is None


def test_names_equal_without_blanks_must_be_written_out() -> None:
    alike = ("New Ash", "Newash")
    assert [find_seat(alike, word) for word in ("new ash", "newash", "new-ash")] == [0, 1, None]


def test_unknown_seat_lists_names_and_numbers() -> None:
    with pytest.raises(Wrong) as fault:
        seat_named(NUMBERED, "3")
    assert str(fault.value) == (
        "there is no seat '3'; known: Player 1 (seat 0), Player 2 (seat 1), Player 3 (seat 2);"
        " blanks may be left out: Player3"
    )


def test_an_empty_seat_is_unknown_and_shows_no_log_of_all() -> None:
    sample = Path(__file__).parents[2] / "saves" / "samples" / "warlords2-1.bnr"
    done = banneret_here("dump", "--seat", "", str(sample))
    assert done.returncode == Exit.USAGE
    assert done.stdout == ""
    assert "there is no seat ''; known: " in done.stderr


def test_help_says_that_seat_numbers_count_from_0() -> None:
    for spec in (*PROGRAM, *SSH, *lab_verbs()):
        for argument in arguments_of(spec):
            if argument.names[0] in {"--seat", "seat"}:
                assert "from 0" in argument.settings["help"], (spec.name, argument)


def arguments_of(spec: CommandSpec) -> Iterator[ArgumentSpec]:
    for one in spec.arguments:
        yield from one.arguments if isinstance(one, ArgumentGroup) else (one,)


def test_line_must_name_its_seat_when_several_may_act(folder: Path) -> None:
    code, told, fault = ran(folder, given="seal\n")
    assert (code, told) == (Exit.USAGE, [])
    assert fault.startswith("banneret: line 1: several seats may act: North, South, East")
    code, told, _ = ran(folder, given="North: seal\nSouth: seal\nseal\n")
    assert (code, told[2]["seat"]) == (Exit.OK, "East")


def test_scenario_is_played_by_its_intended_number_of_players(tmp_path: Path) -> None:
    begun = ("run", "--ruleset", "warlords2", "--scenario", "horseshoe", "--save", "game.bnr")
    ended = banneret_here(*begun, "-", folder=tmp_path)
    seats = "Sallow, Orrin, Ketterby"
    assert ended.returncode == Exit.OK
    assert ended.stderr.startswith(f"banneret run: the script played {seats}, ")
    fewer = banneret_here(*begun[:-1], "fewer.bnr", "--seats", "3", "-", folder=tmp_path)
    assert f"meant for 8 players; only 3 play: {seats}" in fewer.stderr
    counts = [len(Folder(tmp_path).read(name).header.players) for name in ("game", "fewer")]
    assert counts == [8, 3]
    wrong = banneret_here(*begun[:-2], "--seats", "9", "-", folder=tmp_path)
    assert wrong.stderr == "banneret: The Horseshoe is for 2 to 8 players, not for 9\n"


# -- files -----------------------------------------------------------------------------------------

TAKES_A_FILE = (
    ("run", "--ruleset", "gd6", "--scenario", "FILE", "-"),
    ("run", "--ruleset", "gd6", "--scenario", "west", "--save", "./FILE", "-"),
    ("bot", "--ruleset", "gd6", "--scenario", "FILE"),
    ("simulate", "gd6", "--scenario", "FILE"),
    ("calc", "gd6", "invasion", "1", "1", "--scenario", "FILE"),
    ("calc", "gd6", "invasion", "1", "1", "--save", "FILE"),
    ("play", "FILE", "--plain"),
    ("verify", "FILE"),
    ("dump", "FILE"),
    ("debug", "FILE", "where"),
    ("export", "FILE"),
    ("import", "FILE"),
    ("saves", "show", "FILE"),
    ("lab", "run", "FILE"),
    ("lab", "run", "gd6", "--book", "FILE"),
    ("lab", "status", "FILE"),
    ("lab", "report", "FILE"),
    ("lab", "report", "FILE.json"),
    ("lab", "verify", "FILE"),
    ("lab", "sample", "FILE", "-o", "-"),
    ("lab", "feed", "FILE", "--seat", "A", "--bot", "easy"),
    ("lab", "check", "gd6", "py:FILE.py:Bot"),
    ("lab", "book", "--from", "FILE", "--where", "loss", "-o", "book.jsonl"),
)


@pytest.mark.parametrize("words", TAKES_A_FILE, ids=" ".join)
def test_word_that_is_no_file_is_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    for name in ("a" * 300, "loop", "pipe", "nowhere/" + "b" * 5000):
        if name == "pipe" and "./FILE" in words:
            continue
        given = [word.replace("FILE", name) for word in words]
        ended = banneret_here(*given, folder=tmp_path)
        assert ended.returncode in {Exit.REFUSED, Exit.USAGE, Exit.DAMAGED}, ended.stderr
        assert ended.stderr.count("\n") == 1, ended.stderr
        assert "Traceback" not in ended.stderr


def test_names_in_line_mode_may_hold_any_character(tmp_path: Path) -> None:
    said = banneret_here(
        "play", "--plain", given="new gd6 a\0b\nload a\0b\nquit\n", folder=tmp_path
    ).stdout
    assert said.count("no scenario of gd6") == 1


# -- texts -----------------------------------------------------------------------------------------


def test_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    (tmp_path / "script").write_bytes(mark + b"A: seal\n")
    (tmp_path / "plan.toml").write_bytes(
        mark + b'ruleset = "gd6"\nscenarios = ["nosuch"]\nbots = ["easy"]\n'
    )
    west = ("run", "--ruleset", "gd6", "--scenario", "west")
    script = banneret_here(*west, "script", folder=tmp_path)
    assert (script.returncode, script.stderr) == (
        Exit.OK,
        "banneret run: the script played A, B, C\n",
    )
    piped = banneret_here(*west, "-", given="\ufeffA: seal\n", folder=tmp_path)
    assert piped.stdout == script.stdout
    plan = banneret_here("lab", "run", "plan.toml", folder=tmp_path)
    assert "nosuch: no scenario" in plan.stderr


GDL = "InitStart\nSetNumTerritories 6\nSetBoundaries 1,2;2,3;3,4;4,5;5,6;6,1\n"
GDL += "AddPlayer Rene\u0301 #f00\nAddPlayer Bob #0f0\nInitEnd\nSet Rene\u0301\nCon 1 Hq\nEnd\n"


def test_import_replaces_a_game_only_with_force(tmp_path: Path) -> None:
    (tmp_path / "game.gdl").write_text(GDL, encoding="utf-8")
    (tmp_path / "kept").mkdir()
    for words, name in ((("-o", "new.bnr"), "new.bnr"), (("--saves", "kept"), "kept/game.bnr")):
        imported = ("import", "game.gdl", *words)
        assert banneret_here(*imported, folder=tmp_path).returncode == Exit.OK
        (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:-5])
        short = (tmp_path / name).stat().st_size
        banneret_here(*imported, folder=tmp_path)
        assert (tmp_path / name).stat().st_size == short
        forced = banneret_here(*imported, "--force", folder=tmp_path)
        assert (forced.returncode, forced.stderr) == (Exit.OK, "")
        assert (tmp_path / name).stat().st_size == short + 5
    assert not list(tmp_path.glob("*(new)*"))
    names = [player.name for player in Folder(tmp_path).read("new").header.players]
    assert names == ["Ren\u00e9", "Bob"]


def test_construct_of_another_version_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.gdl").write_text(GDL.replace("Con 1 Hq", "Con 1 Int"), encoding="utf-8")
    fault = banneret_here("import", "game.gdl", folder=tmp_path).stderr
    assert is_one_line_fault(fault)
    assert "nothing called 'Int' is built in this version of the game; known: Hq, Tow" in fault


# -- command line ----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["-5,0", "-20,-5", "-.5,3"])
def test_negative_value_is_not_an_option(value: str) -> None:
    spec = find_command(lab_verbs(), "test")
    assert spec is not None
    parser = spec.parser("test", CommandParser)
    assert parser.parse_args(["gd6", "a", "b", "--sprt", value]).sprt == value


def test_arguments_of_calc_may_be_named(tmp_path: Path) -> None:
    by_place = ("calc", "gd6", "invasion", "9", "4", "0", "2")
    by_name = ("calc", "gd6", "invasion", "mines=2", "9", "defenders=4")
    first, second = (banneret_here(*words, folder=tmp_path).stdout for words in (by_place, by_name))
    assert first == second != ""
    twice = banneret_here("calc", "gd6", "invasion", "mines=2", "mines=3", folder=tmp_path)
    assert twice.stderr == "banneret: invasion: mines is given twice\n"


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--seat", "A"), "--seat does not go with --format position"),
        (("--at", "1", "--format", "svg"), "--at does not go with --format svg"),
        (("--size", "90x30", "--format", "gdl"), "--size does not go with --format gdl"),
    ],
)
def test_option_that_a_format_ignores_is_refused(
    folder: Path, words: tuple[str, ...], fault: str
) -> None:
    ran(folder, "--save", "game.bnr")
    ran(folder, "--save", "game.bnr", given="North: seal\n")
    ended = banneret_here("export", "./game.bnr", *words, folder=folder)
    assert ended.stderr == f"banneret: {fault}\n"


REACH = "calc weltendaemmerung reach 0"
GAME = "run --ruleset weltendaemmerung --scenario ford --seat Dailor=bot:easy --save ./one.bnr -"


def test_no_output_overwrites_a_saved_game(tmp_path: Path) -> None:
    words = (
        "run",
        "--ruleset",
        "weltendaemmerung",
        "--scenario",
        "ford",
        "--save",
        "./one.bnr",
        "-",
    )
    assert banneret_here(*words, folder=tmp_path).returncode == Exit.OK
    before = (tmp_path / "one.bnr").read_bytes()
    assert before.startswith(SAVE_BEGINS)
    for given in (
        "export ./one.bnr -o one.bnr",
        "export ./one.bnr --format jsonl -o one.bnr",
        "lab sample weltendaemmerung --scenario ford --bots easy --games 1 -o one.bnr",
    ):
        ended = banneret_here(*given.split(), folder=tmp_path)
        assert ended.returncode == Exit.USAGE, given
        assert "one.bnr is a saved game; choose another file" in ended.stderr
        assert (tmp_path / "one.bnr").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    ["dump ./one.bnr", "export ./one.bnr", "debug ./one.bnr where", f"{REACH} --save ./one.bnr"],
)
def test_every_reader_reports_a_torn_save(words: str, tmp_path: Path) -> None:
    save = games.saved(tmp_path, "one", entries=5)
    save.write_bytes(save.read_bytes()[:-3])
    ended = banneret_here(*words.split(), folder=tmp_path)
    assert ended.returncode == Exit.OK
    assert "the last frame is cut off after entry 3" in ended.stderr
