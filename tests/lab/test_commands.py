"""Programs as bots: each kind of fault is recognised, and no process is left behind."""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from engine.core.codec import decoder, encode
from study.farm.runs import Done
from study.farm.supervisor import Farm
from study.lab.families import bot_keeper
from study.lab.games import ReportedGame, play_games
from study.lab.plans import GameLimits, GameTask
from study.lab.processes import MOST_KEPT, LineBuffer
from tests.lab.zoo_games import (
    BAD_BOTS,
    EXAMPLES,
    LIMITS,
    PYTHON,
    RULESET,
    SHORT,
    ZOO,
    BadBot,
    command_of,
    game_with,
    processes_left,
    sample_in,
    setup_with,
)
from tests.patience import PATIENCE, wait_for
from tests.programs import needs_proc
from tui.console.exits import Wrong
from tui.headless.bot_protocol import LONGEST

PATIENT = GameLimits(answer=PATIENCE)

Script = Callable[[str], str]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Return a function that turns text into a Python program and returns its bot command."""

    def make(text: str) -> str:
        path = tmp_path / "bot.py"
        path.write_text(f"import json, os, sys, time\n{text}")
        return f"{PYTHON} {path}"

    return make


@pytest.mark.parametrize("bad", BAD_BOTS, ids=lambda bad: bad.name)
def test_bad_bot_ends_its_game_with_its_fault_and_leaves_nothing(bad: BadBot) -> None:
    fault = game_with(command_of(bad.name), "easy", limits=bad.limits).result.fault
    assert processes_left(bot_keeper().mark) == []
    if not bad.kind:
        assert fault is None
        return
    assert fault is not None
    assert (fault.seat, fault.kind) == (0, bad.kind)
    assert re.search(bad.words, fault.text)
    assert int(fault.place) > 0


@needs_proc
def test_bots_end_when_their_process_is_killed() -> None:
    text = """
import os, signal
from tests.lab.zoo_games import setup_with, command_of
from engine.core.registry import find
from study.lab.command_bots import CommandPlayer
from study.lab.families import bot_keeper
from study.lab.plans import GameLimits
setup = setup_with(command_of("sleep"), "easy")
rules = find(setup.ruleset)
player = CommandPlayer(rules, setup.bots[0], 0, ("a", "b"), GameLimits())
print(bot_keeper().mark, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert ended.returncode == -signal.SIGKILL
    wait_for(lambda: not processes_left(ended.stdout.strip()))


# -- the conversation --------------------------------------------------------------------------

RECORDS = """
said = open(sys.argv[1], "w")
failed = 0
for line in sys.stdin:
    message = json.loads(line)
    said.write(line)
    said.flush()
    kind, answer = message["type"], None
    if kind == "hello":
        answer = {"type": "ready"}
    elif kind == "turn" and not failed:
        failed = 1
        answer = {"type": "act", "id": 7, "command": "step unit=99 direction=up"}
    elif kind == "turn":
        answer = {"type": "act", "command": {"do": "end-phase"}}
    elif kind == "error" and failed == 1:
        failed = 2
        answer = {"type": "act", "id": 8, "command": "nonsense"}
    elif kind == "error":
        answer = {"type": "act", "id": [9], "command": "end-phase"}
    if answer:
        print(json.dumps(answer), flush=True)
"""


def test_program_receives_messages_in_order(script: Script, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    game = game_with(f"{script(RECORDS)} {heard}", "easy", limits=PATIENT)
    assert game.result.fault is None
    assert game.result.refused == (1, 0)
    messages = [json.loads(line) for line in heard.read_text().splitlines()]
    kinds = [message["type"] for message in messages]
    begin = ["hello", "state", "turn", "error", "error", "events", "done", "events"]
    assert kinds[: len(begin)] == begin
    assert [message.get("id") for message in messages[3:7]] == [7, 8, None, [9]]
    assert kinds[-1] == "bye"
    assert messages[-1]["winners"] == list(game.result.winners)
    counts = [message["count"] for message in messages if message["type"] == "events"]
    assert counts == list(range(counts[0], counts[0] + len(counts)))


def test_deterministic_programs_give_deterministic_games() -> None:
    bot = f"{PYTHON} {EXAMPLES / 'bot.py'}"
    first, second = (game_with(bot, "easy", limits=PATIENT) for _ in range(2))
    assert first.result == second.result


@cache
def digest_in_python(ruleset: str) -> str:
    """Return the digest of a game of the Python sample."""
    return digest_of(f"{PYTHON} {EXAMPLES / 'bot.py'}", ruleset)


def digest_of(bot: str, ruleset: str) -> str:
    """Return the digest of a game of a sample bot; the game must have no fault."""
    game = game_with(f"mine={bot}", "easy", limits=PATIENT, ruleset=ruleset)
    assert game.result.fault is None
    return game.result.digest


@pytest.mark.parametrize("language", ["sh", "js", "c"])
def test_sample_in_another_language_plays_like_the_one_in_python(
    language: str, tmp_path: Path
) -> None:
    bot = sample_in(language, tmp_path)
    assert digest_of(bot, RULESET) == digest_in_python(RULESET)


@pytest.mark.parametrize("ruleset", ["gd6", "kaladan"])
def test_samples_play_other_games_to_their_end(ruleset: str) -> None:
    bot = f"{PYTHON} {EXAMPLES / 'bot.py'}"
    game = game_with(bot, "easy", limits=PATIENT, ruleset=ruleset)
    assert game.result.fault is None
    assert game.result.winners


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["gd6", "kaladan"])
@pytest.mark.parametrize("language", ["sh", "js", "c"])
def test_sample_in_another_language_plays_other_games_alike(
    language: str, ruleset: str, tmp_path: Path
) -> None:
    bot = sample_in(language, tmp_path)
    assert digest_of(bot, ruleset) == digest_in_python(ruleset)


# -- faults not in the zoo ---------------------------------------------------------------------

READY = """
sys.stdin.readline()
print('{"type":"ready"}', flush=True)
"""

MORE_FAULTS = {
    "only refused commands": (
        READY + 'while 1: print(\'{"type":"act","command":"step unit=99 direction=up"}\')',
        "refused",
        "only refused commands; ",
    ),
    "words that are no command": (
        READY + 'while 1: print(\'{"type":"act","command":"dance"}\')',
        "garbage",
        "BAD_NOTATION",
    ),
    "no message at all": ("sys.exit(2)", "exit", "left with code 2"),
    "goodbye": (READY + 'print(\'{"type":"bye"}\', flush=True); time.sleep(9)', "exit", "bye"),
    "a signal of its own": (READY + "os.kill(os.getpid(), 9)", "crash", "SIGKILL"),
    "endless questions": (
        READY + 'while 1: print(\'{"type":"state"}\', flush=True)',
        "hang",
        "no answer",
    ),
    "a child that holds the output": (
        READY + "if os.fork(): os._exit(4)\ntime.sleep(1000)",
        "exit",
        "left with code 4",
    ),
}


@pytest.mark.parametrize(("text", "kind", "words"), MORE_FAULTS.values(), ids=MORE_FAULTS)
def test_fault_names_its_kind_and_cause(script: Script, text: str, kind: str, words: str) -> None:
    limits = SHORT if kind == "hang" else LIMITS
    fault = game_with(script(text), "easy", limits=limits).result.fault
    assert fault is not None
    assert fault.kind == kind
    assert words in fault.text
    assert processes_left(bot_keeper().mark) == []


def test_end_of_standard_error_is_kept(script: Script) -> None:
    text = READY + "sys.stderr.write('x' * 200_000 + 'the end'); sys.stderr.flush(); sys.exit(1)"
    played = game_with(script(text), "easy", limits=PATIENT)
    assert decoder(ReportedGame).decode(encode(played)) == played
    said = played.said["0"]
    assert len(said) == MOST_KEPT
    assert said.endswith("xthe end")


@pytest.mark.parametrize("mode", [0o644, 0o755], ids=["no right to run", "no program"])
def test_program_that_cannot_start_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "bot"
    path.write_bytes(b"\0\1\2\3")
    path.chmod(mode)
    with pytest.raises(Wrong, match="bot"):
        game_with(f"cmd:{path}", "easy")


# -- lines -------------------------------------------------------------------------------------

LINES: dict[str, tuple[list[bytes], list[str | None]]] = {
    "two in a piece": ([b"a\nb\n"], ["a", "b"]),
    "one in pieces": ([b"a", b"b", b"\nc"], ["ab"]),
    "as long as may be": ([b"x" * (LONGEST - 1) + b"\n"], ["x" * (LONGEST - 1)]),
    "longer by one": ([b"x" * LONGEST + b"\n", b"y\n"], [None, "y"]),
    "counted in characters": (["ä".encode() * (LONGEST - 1) + b"\n"], ["ä" * (LONGEST - 1)]),
    "much longer, in pieces": ([*[b"x" * LONGEST] * 50, b"\ny\n"], [None, "y"]),
    "no UTF-8": ([b"\xff\n"], ["\udcff"]),
    "empty": ([b"\n\n"], ["", ""]),
}


@pytest.mark.parametrize(("pieces", "lines"), LINES.values(), ids=LINES)
def test_line_buffer_cuts_pieces_into_lines(pieces: list[bytes], lines: list[str | None]) -> None:
    buffer, found = LineBuffer(), list[str | None]()
    for piece in pieces:
        buffer.feed(piece)
        while buffer:
            found.append(buffer.pop())
    assert found == lines


# -- Python classes ----------------------------------------------------------------------------

BAD_CLASSES = {
    "Spinner": ("hang", "no answer within 1.5 s; it worked"),
    "Sleeper": ("hang", "no answer within 1.5 s; it slept"),
    "Glutton": ("memory", "memory"),
    "Digger": ("python", "RecursionError"),
    "Leaver": ("python", "SystemExit"),
    "Babbler": ("python", "'end-phase' is no command"),
}


@pytest.mark.parametrize(("name", "expected"), BAD_CLASSES.items(), ids=BAD_CLASSES)
def test_bad_class_ends_its_game_with_its_fault(name: str, expected: tuple[str, str]) -> None:
    limits = SHORT if expected[0] == "hang" else LIMITS
    fault = game_with(f"py:{ZOO / 'classes.py'}:{name}", "easy", limits=limits).result.fault
    assert fault is not None
    assert fault.kind == expected[0]
    assert expected[1] in fault.text


def test_alarm_of_the_caller_keeps_running_during_a_game() -> None:
    usual = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    before = signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        game = game_with(f"py:{ZOO / 'classes.py'}:Decent", "easy")
        assert game.result.fault is None
        assert 900 < signal.getitimer(signal.ITIMER_REAL)[0] < 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, usual)


# -- a long run --------------------------------------------------------------------------------


@pytest.mark.slow
def test_thousand_games_of_the_zoo_end_and_leave_nothing() -> None:
    names = [bad.name for bad in BAD_BOTS]
    bots = (f"{name}={command_of(name)}" for name in names)
    setup = setup_with("easy", *bots, limits=SHORT)
    tasks = [GameTask(n, 0, (1 + n % len(names), 0), n) for n in range(1000)]
    found: Counter[tuple[str, str]] = Counter()
    before = set(processes_left(""))
    room = most = memory()
    with Farm(play_games, setup, workers=2, deadline=60.0) as farm:
        for result in farm.run(tasks):
            most = max(most, memory())
            assert isinstance(result, Done), result
            fault = result.value.result.fault
            found[names[result.number % len(names)], fault.kind if fault else ""] += 1
    assert set(found) == {(bad.name, bad.kind) for bad in BAD_BOTS}
    assert found.total() == 1000
    wait_for(lambda: not set(processes_left("")) - before)
    assert most - room < 50 << 20, "other tests of this process may have taken more before"


def memory() -> int:
    """Return the resident memory of this process, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
