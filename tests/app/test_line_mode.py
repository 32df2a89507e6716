"""``banneret play --plain`` as a program: pipes, signals, limited terminals."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.cli import ROOT, banneret, banneret_here, is_one_line_fault
from tests.patience import PATIENCE
from tests.saves import games
from tui.console.exits import Exit

NEW = ("play", "--plain", "--new", "weltendaemmerung", "--scenario", "ford", "--seed", "7")
PEOPLE = ("--seat", "Eldoin=person", "--seat", "Dailor=person")


def test_script_plays_through_a_pipe_and_is_saved(tmp_path: Path) -> None:
    given = "press\nnorth\nrelease\nend yes\n"
    ended = banneret(*NEW, *PEOPLE, "--saves", ".", given=given, folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (Exit.OK, "")
    assert ended.stdout.endswith("The input has ended. The game is saved as 'The Ford'.\n")
    dumped = banneret("dump", "--saves", ".", "The Ford", folder=tmp_path)
    assert "to 4,4" in dumped.stdout
    again = banneret("play", "--plain", "--saves", ".", "The Ford", given="quit", folder=tmp_path)
    assert "Dailor, Movement, round 1 of 6." in again.stdout
    assert again.returncode == Exit.OK


def test_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    given = "end yes\n" * 18 + "luck\nquit\n"
    first, second = (banneret(*NEW, "--saves", name, given=given, folder=tmp_path) for name in "ab")
    assert "The game is over." in first.stdout
    assert first.stdout == second.stdout


def test_new_asks_for_game_scenario_and_players_in_words(tmp_path: Path) -> None:
    given = "new\n1\n\n\n\nseat\nstatus\nquit\n"
    ended = banneret("play", "--plain", "--saves", ".", given=given, folder=tmp_path)
    told = " ".join(ended.stdout.split())
    assert "1 Weltendämmerung, 2 Global Domination" in told
    assert "The Ford (ford). Half an hour, 6 rounds; for beginners." in told
    assert "Number, or Enter for ford" in told
    assert "Who plays Dailor? 1 person, 2 Squire (headstrong, easy), 3 Captain" in told
    assert "Dailor: computer, Squire." in told


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}])
def test_limited_encoding_gets_ascii(tmp_path: Path, env: dict[str, str]) -> None:
    given = b"find \xff\xfe\nstatus\n".decode("latin-1")
    ended = banneret(*NEW, "--saves", ".", given=given, folder=tmp_path, env=env)
    assert ended.returncode == Exit.OK
    assert ended.stdout.startswith("Weltendaemmerung: The Ford.\n")
    assert ended.stdout.isascii()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("play", "--plain", "--new", "chess"), "chess"),
        ((*NEW, "--seat", "Eldoin=bot:divine"), "divine"),
        ((*NEW, "--option", "steps"), "NAME=VALUE"),
        ((*NEW, "--option", "steps=nine"), "steps"),
        (("play", "--plain", "--new", "weltendaemmerung", "--scenario", "nowhere"), "nowhere"),
        (("play", "--plain", "--seed", "3"), "play RULESET"),
        (("play", "--new", "weltendaemmerung"), "--plain"),
        (("play", "--plain", "nix"), "nix"),
    ],
)
def test_wrong_arguments_are_one_line(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    ended = banneret_here(*words, "--saves", ".", folder=tmp_path)
    assert is_one_line_fault(ended.stderr), ended.stderr
    assert told in ended.stderr
    assert ended.returncode in (Exit.USAGE, Exit.DAMAGED)


def _at_a_terminal(tmp_path: Path, *words: str, term: str) -> tuple[subprocess.Popen[bytes], int]:
    mine, theirs = pty.openpty()
    own = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(tmp_path))
    program = subprocess.Popen(
        [sys.executable, "-m", "app", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env={**os.environ, **own, "TERM": term},
        start_new_session=True,
    )
    os.close(theirs)
    return program, mine


def _until(mine: int, wanted: bytes) -> bytes:
    """Return a terminal's output up to ``wanted``, or all of it if the program ends first."""
    shown = b""
    while wanted not in shown:
        try:
            part = os.read(mine, 4096)
        except OSError:
            break
        shown += part
    return shown


def test_dumb_terminal_gets_line_mode(tmp_path: Path) -> None:
    program, mine = _at_a_terminal(tmp_path, "play", term="dumb")
    shown = _until(mine, b"\n> ")
    assert b"cannot show the screen" in shown
    assert b"No game is open" in shown
    os.write(mine, b"quit\n")
    assert b"Goodbye." in _until(mine, b"Goodbye.")
    assert program.wait(timeout=PATIENCE) == Exit.OK
    assert b"\x1b" not in shown
    os.close(mine)


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_dumb_terminal_gets_no_replay_but_a_way_out(tmp_path: Path, term: str) -> None:
    save = str(games.saved(tmp_path, entries=5))
    program, mine = _at_a_terminal(tmp_path, "replay", save, term=term)
    shown = _until(mine, b"never").decode()
    assert program.wait(timeout=PATIENCE) == Exit.USAGE
    assert is_one_line_fault(shown.replace("\r", "")), shown
    assert "'banneret dump SAVE'" in shown
    os.close(mine)


def test_dumb_terminal_gets_the_prompt_of_the_debugger(tmp_path: Path) -> None:
    save = str(games.saved(tmp_path, entries=5))
    program, mine = _at_a_terminal(tmp_path, "debug", save, term="dumb")
    assert b"\x1b" not in _until(mine, b"debug> ")
    os.write(mine, b"quit\n")
    assert program.wait(timeout=PATIENCE) == Exit.OK
    os.close(mine)


def test_a_save_that_was_cut_is_played_with_a_remark(tmp_path: Path) -> None:
    save = games.saved(tmp_path, entries=5)
    save.write_bytes(save.read_bytes()[:-3])
    ended = banneret_here("play", "--plain", str(save), folder=tmp_path)
    assert ended.returncode == Exit.OK
    assert "cut off after entry 3" in " ".join(ended.stdout.split("help lists")[0].split())


def test_interrupt_saves_the_game_and_exits(tmp_path: Path) -> None:
    program, mine = _at_a_terminal(tmp_path, *NEW, term="xterm")
    _until(mine, b"\n> ")
    program.send_signal(signal.SIGINT)
    with contextlib.suppress(OSError):
        os.write(mine, b"\n")  # a signal between the prompt and the waiting is seen after a key
    shown = _until(mine, b"The game is saved as 'The Ford'.")
    assert b"Interrupted. The game is saved as 'The Ford'." in shown
    assert b"Traceback" not in shown
    assert program.wait(timeout=PATIENCE) == Exit.INTERRUPTED
    os.close(mine)
