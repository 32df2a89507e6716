"""``banneret run``: scripts in, JSON lines out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.archive import SeatPlayer
from engine.core.registry import find
from tests.app.cli import banneret, banneret_here, is_one_line_fault, last_line
from tui.console.exits import Exit
from tui.headless.run import ScriptRun
from tui.play.seats import header_of
from tui.play.table import Table

FORD = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford")
BOTS = ("--seat", "Eldoin=bot:normal", "--seat", "Dailor=bot:easy")


def test_commands_are_answered_with_their_events(tmp_path: Path) -> None:
    script = '# a comment\n\nstep unit=0 direction=up\n{"do":"end-phase"}\n'
    ended = banneret(*FORD, "-", given=script, folder=tmp_path)
    assert ended.returncode == Exit.OK
    first, second = map(json.loads, ended.stdout.splitlines())
    assert first["line"] == 3
    assert first["events"] == [{"t": "unit-stepped", "unit": 0, "x": 4, "y": 4, "b_left": 9}]
    assert [event["t"] for event in second["events"]] == ["phase-began"]


@pytest.mark.parametrize("known", [False, True])
def test_saved_run_leaves_only_the_save(tmp_path: Path, *, known: bool) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    if known:
        (folder / "one.bnr").write_bytes(b"mine")
    ended = banneret(*FORD, "--save", "games/one.bnr", "-", given="end-phase\n", folder=tmp_path)
    assert (ended.returncode == Exit.OK) == (not known)
    assert [path.name for path in folder.iterdir()] == ["one.bnr"]


def test_refusal_stops_the_run(tmp_path: Path) -> None:
    script = "attack unit=0 at=0,0\nend-phase\n"
    ended = banneret(*FORD, "-", given=script, folder=tmp_path)
    assert ended.returncode == Exit.REFUSED
    (only,) = map(json.loads, ended.stdout.splitlines())
    assert only["refused"]["code"] == "WRONG_PHASE"
    assert only["refused"]["rule"] == "WD-ATT-1"


def test_keep_going_continues_after_a_refusal(tmp_path: Path) -> None:
    script = "attack unit=0 at=0,0\nend-phase\n"
    ended = banneret(*FORD, "--keep-going", "-", given=script, folder=tmp_path)
    assert ended.returncode == Exit.REFUSED
    assert len(ended.stdout.splitlines()) == 2


def test_line_may_name_its_seat(tmp_path: Path) -> None:
    script = "end-phase\nEldoin: end-phase\n"
    ended = banneret(*FORD, "-", given=script, folder=tmp_path)
    assert json.loads(last_line(ended.stdout))["refused"]["code"] == "NOT_YOUR_TURN"


def test_undo_and_branches_work_as_lines(tmp_path: Path) -> None:
    script = "step unit=0 direction=up\nundo\nstep unit=0 direction=down\ngo 1\n"
    ended = banneret(*FORD, "--state", "-", given=script, folder=tmp_path)
    assert ended.returncode == Exit.OK
    lord = json.loads(last_line(ended.stdout))["units"][0]
    assert (lord["x"], lord["y"]) == (4, 4)


def test_final_position_can_be_loaded_again(tmp_path: Path) -> None:
    ended = banneret(*FORD, "--state", "--quiet", "-", given="end-phase\n" * 3, folder=tmp_path)
    (tmp_path / "there.json").write_text(ended.stdout)
    again = banneret(
        *("run", "--ruleset", "weltendaemmerung", "--scenario", "there.json", "--state", "-"),
        folder=tmp_path,
    )
    assert again.stdout == ended.stdout


def test_same_seed_and_script_give_the_same_bytes_everywhere(tmp_path: Path) -> None:
    found = set()
    for number, env in enumerate(
        (
            {"PYTHONHASHSEED": "1", "LC_ALL": "C"},
            {"PYTHONHASHSEED": "2", "LC_ALL": "C.UTF-8", "TZ": "Asia/Tokyo"},
        )
    ):
        save = f"same-{number}.bnr"
        words = (*FORD, *BOTS, "--seed", "5", "--save", save, "--state", "-")
        ended = banneret(*words, folder=tmp_path, env=env)
        assert ended.returncode == Exit.OK, ended.stderr
        found.add((ended.stdout, (tmp_path / save).read_bytes()))
    assert len(found) == 1
    other = banneret(*FORD, *BOTS, "--seed", "6", "--state", "-", folder=tmp_path)
    assert other.stdout != found.pop()[0]


def test_run_can_be_verified_and_dumped(tmp_path: Path) -> None:
    banneret(*FORD, *BOTS, "--save", "game.bnr", "--quiet", "-", folder=tmp_path)
    verified = banneret("verify", "./game.bnr", folder=tmp_path)
    assert (verified.returncode, "agree" in verified.stdout) == (Exit.OK, True)
    dumped = banneret("dump", "./game.bnr", "--seat", "Dailor", folder=tmp_path)
    assert "\nEldoin: " not in dumped.stdout
    assert "\nDailor: " in dumped.stdout
    lines = banneret("dump", "./game.bnr", "--json", folder=tmp_path).stdout.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(len(lines)))
    shown = banneret("saves", "--json", "show", "./game.bnr", folder=tmp_path)
    assert json.loads(shown.stdout)["outcome"]["reason"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "--ruleset", "chess", "-"), "chess"),
        ((*FORD[:3], "--scenario", "nowhere", "-"), "nowhere"),
        ((*FORD, "--option", "steps=nine", "-"), "steps"),
        ((*FORD, "--option", "weather=fine", "-"), "weather"),
        ((*FORD, "--option", "steps", "-"), "NAME=VALUE"),
        ((*FORD, "--seat", "Nobody=bot:easy", "-"), "Nobody"),
        ((*FORD, "--seat", "Eldoin=bot:divine", "-"), "divine"),
        ((*FORD, "--seat", "Eldoin", "-"), "bot:LEVEL"),
        ((*FORD, "missing.txt"), "missing.txt"),
        ((*FORD, "--save", "nowhere/x.bnr", "-"), "x.bnr"),
    ],
)
def test_wrong_input_is_one_line(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    ended = banneret_here(*words, folder=tmp_path)
    assert is_one_line_fault(ended.stderr), ended.stderr
    assert told in ended.stderr
    assert ended.returncode in (Exit.USAGE, Exit.DAMAGED)


def test_broken_scenario_names_file_and_field(tmp_path: Path) -> None:
    text = 'name="x"\ntitle="x"\nabout=""\nfrontier="west"\n'
    (tmp_path / "bad.toml").write_text(text)
    ended = banneret(*FORD[:3], "--scenario", "bad.toml", "-", folder=tmp_path)
    assert is_one_line_fault(ended.stderr)
    assert "bad.toml: frontier" in ended.stderr


def test_binary_script_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    ended = banneret(*FORD, "noise", folder=tmp_path)
    assert is_one_line_fault(ended.stderr)


LINES = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "step unit=",
            "move unit=0 path=",
            "attack unit=99 at=",
            '{"do":',
            "Eldoin:",
            "go ",
            "undo",
        ]
    ).flatmap(lambda start: st.text(max_size=30).map(lambda rest: start + rest)),
)


@settings(max_examples=150)
@given(st.lists(LINES, max_size=8))
def test_any_line_is_at_worst_refused(lines: list[str]) -> None:
    rules = find("weltendaemmerung")
    scenario = rules.scenarios()["ford"]
    players = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))
    header = header_of(rules, scenario, players, 1)
    bugs: list[object] = []
    table = Table.begin(rules, scenario, {}, header, on_bug=bugs.append)
    told: list[dict[str, object]] = []
    for line in lines:
        if ":" in line.split("{", 1)[0]:
            continue
        ScriptRun(table, told.append).play([line], keep_going=True)
    assert bugs == []
    assert all("refused" in answer or "seat" in answer for answer in told)


WEST = ("run", "--ruleset", "gd6", "--scenario", "west")


def test_house_line_closes_the_turn(tmp_path: Path) -> None:
    script = "A: hq at=1\nA: seal\nB: hq at=12\nHouse: seal\nA: spawn at=1 count=1\n"
    ended = banneret(*WEST, "--save", "game.bnr", "--state", "-", given=script, folder=tmp_path)
    assert ended.returncode == Exit.OK
    *_, closed, spawned, state = map(json.loads, ended.stdout.splitlines())
    assert (closed["line"], closed["seat"], closed["command"]) == (4, "house", {"do": "seal"})
    assert closed["events"][0] == {"t": "turn-closed", "turn": 1, "idle": [1, 2]}
    assert spawned["seat"] == "A"
    settled = [player["id"] for player in state["players"] if player.get("hq_built")]
    assert (state["turn"], settled) == (2, [0])
    verified = banneret("verify", "./game.bnr", folder=tmp_path)
    assert (verified.returncode, "agree" in verified.stdout) == (Exit.OK, True)
    assert "\n4 house: seal\n" in banneret("dump", "./game.bnr", folder=tmp_path).stdout


@pytest.mark.parametrize(
    ("game", "line", "rule"),
    [
        (WEST, "house: concede", "GD-LIST-5"),
        (WEST, "house: undo", ""),
        (FORD, "house: end-phase", "WD-TURN-1"),
    ],
)
def test_house_can_do_nothing_else(
    tmp_path: Path, game: tuple[str, ...], line: str, rule: str
) -> None:
    ended = banneret(*game, "-", given=line, folder=tmp_path)
    assert ended.returncode == Exit.REFUSED
    (only,) = map(json.loads, ended.stdout.splitlines())
    assert only["seat"] == "house"
    assert only["refused"]["rule"] == rule


def test_seat_called_house_speaks_for_itself() -> None:
    rules = find("gd6")
    scenario = rules.scenarios()["west"]
    header = header_of(
        rules, scenario, tuple(SeatPlayer(seat, "ABC"[seat]) for seat in range(3)), 1
    )
    table = Table.begin(rules, scenario, {}, header)
    table.seat_names = ("A", "House", "C")
    told: list[dict[str, Any]] = []
    assert ScriptRun(table, told.append).play(["house: seal"]) is Exit.OK
    assert told[0]["seat"] == "House"
    assert [event["t"] for event in told[0]["events"]] == ["list-sealed"]


def test_seat_without_a_player_is_unknown(tmp_path: Path) -> None:
    ended = banneret(*WEST, "-", given="D: hq at=1\n", folder=tmp_path)
    assert ended.returncode == Exit.USAGE
    assert (
        ended.stderr
        == "banneret: line 1: there is no seat 'D'; known: A (seat 0), B (seat 1), C (seat 2)\n"
    )
