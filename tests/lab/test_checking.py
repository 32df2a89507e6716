"""``lab check``: the table of a good bot, and the line on which each bad bot fails."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import pytest

from engine.core.registry import find
from study.lab.bot_code import allow
from study.lab.bots import read_bot
from study.lab.checking import BotCheck, CheckRow, check_verb, positions_by_phase
from study.lab.plans import GameLimits, playable_start
from tests.lab.zoo_games import (
    BAD_BOTS,
    EXAMPLES,
    PYTHON,
    RULESET,
    ZOO,
    BadBot,
    command_of,
    sample_in,
)
from tests.programs import needs
from tui.console.exits import Exit, Wrong

FORD = find(RULESET).scenarios()["ford"]
LONG = GameLimits(answer=30.0)

TRIALS = (
    "a game of 2 as Eldoin",
    "a game of 2 as Dailor",
    "the same game twice",
    "messages it cannot know",
    "late replies",
    "a long line, and many",
    "an error to each act",
    "bye in the middle",
)


def checked(bot: str, limits: GameLimits = LONG, positions: int = 1) -> dict[str, CheckRow]:
    """Check a bot on the smallest map. Return the rows of the table by name."""
    rules = find(RULESET)
    allow([read_bot(bot)])
    check = BotCheck(rules, FORD, read_bot(bot), positions=positions, limits=limits)
    return {row.check: row for row in check.rows()}


def failed(rows: Iterable[CheckRow]) -> list[str]:
    """Return the failed rows as text."""
    return [str(row) for row in rows if row.passed is False]


def test_good_bot_passes_every_check() -> None:
    rows = checked(f"{PYTHON} {EXAMPLES / 'bot.py'}")
    assert failed(rows.values()) == []
    assert all(row.passed for row in rows.values())
    assert tuple(rows)[: len(TRIALS)] == TRIALS
    assert [name for name in rows if "position" in name] == [
        "1 position of Movement",
        "1 position of Attack",
        "1 position of Gates",
    ]
    assert {bad.line for bad in BAD_BOTS} <= set(rows)


@needs("gcc")
def test_sample_in_c_passes(tmp_path: Path) -> None:
    assert failed(checked(sample_in("c", tmp_path), positions=2).values()) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", ["js", "sh"])
def test_samples_in_slower_languages_pass(language: str, tmp_path: Path) -> None:
    bot = sample_in(language, tmp_path)
    assert failed(checked(bot, positions=5).values()) == []


@pytest.mark.parametrize("bad", BAD_BOTS, ids=lambda bad: bad.name)
def test_bad_bot_fails_on_its_own_line(bad: BadBot) -> None:
    rows = checked(command_of(bad.name), bad.limits)
    broken = [row.check for row in rows.values() if row.passed is False]
    games = [TRIALS[0]] if bad.kind else []
    assert broken == [*games, bad.line]


SPOILT = """
import json, sys, time
for line in sys.stdin:
    kind = json.loads(line)["type"]
    assert kind in ("hello", "state", "turn", "events", "done", "error", "bye")
    if kind == "error":
        sys.exit(5)
    elif kind == "bye" and "won" not in line:
        time.sleep(30)
    elif kind == "hello":
        print('{"type":"ready"}', flush=True)
    elif kind == "turn":
        print('{"type":"act","command":"end-phase"}', flush=True)
"""
"""Bot that works only as long as the lab sends the usual messages."""


def test_trials_find_faults_that_games_do_not(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(SPOILT)
    rows = checked(f"{PYTHON} {path}")
    broken = {name: row.text for name, row in rows.items() if row.passed is False}
    assert tuple(broken) == (
        *("messages it cannot know", "a long line, and many", "an error to each act"),
        *("bye in the middle", "stays to the end"),
    )
    assert broken["an error to each act"].startswith("exit: it left with code 5 at entry ")
    assert broken["bye in the middle"] == "it went on after bye, and had to be ended"


MOODY = """
import json, os, sys
moves = 1 if os.path.exists(sys.argv[1]) else 2
open(sys.argv[1], "w").close() if moves == 2 else os.remove(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] in ("turn", "error"):
        print('{"type":"offers"}', flush=True)
    elif message["type"] == "offers":
        steps = [each for each in message["commands"] if each["do"] == "step"]
        command = steps[0] if steps and moves else {"do": "end-phase"}
        moves -= 1 if steps and moves else 0
        print(json.dumps({"type": "act", "command": command}), flush=True)
"""
"""Bot that makes one extra step in every second game."""


def test_different_games_from_one_seed_are_found(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(MOODY)
    row = checked(f"{PYTHON} {path} {tmp_path / 'mark'}")["the same game twice"]
    assert row.passed is False
    assert row.text == "they part at entry 2"


def test_crashing_class_is_checked_in_another_process() -> None:
    rows = checked(f"py:{ZOO / 'classes.py'}:Crasher")
    assert [row.check for row in rows.values() if row.passed is False] == [TRIALS[0], "no crash"]
    assert "SIGSEGV" in rows["no crash"].text


def test_level_passes_the_checks_that_apply_to_it() -> None:
    rows = checked("normal", positions=3)
    assert failed(rows.values()) == []
    assert tuple(rows) == (
        *TRIALS[:3],
        *("3 positions of Movement", "3 positions of Attack", "3 positions of Gates"),
        "allowed commands, ended turns",
    )


def test_positions_belong_to_their_phase_and_are_reproducible() -> None:
    rules = find(RULESET)
    found = positions_by_phase(rules, playable_start(rules, FORD, "ford", 2), 7, seed=3)
    assert {phase: len(starts) for phase, starts in found.items()} == {
        "Movement": 7,
        "Attack": 7,
        "Gates": 7,
    }
    again = positions_by_phase(rules, playable_start(rules, FORD, "ford", 2), 7, seed=3)
    assert again == found


# -- the verb ----------------------------------------------------------------------------------


def arguments(bot: str, **others: Any) -> Namespace:
    """Build the arguments of the verb."""
    usual = {"positions": 1, "seed": 1, "answer": None, "memory": None, "json": False}
    return Namespace(ruleset=RULESET, bot=bot, scenario="ford", **{**usual, **others})


def test_verb_prints_the_table_and_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_verb(arguments("easy"), cast("Any", None)) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("a game of 2 as Eldoin              passed")
    assert lines[-1] == "easy: passed"
    bad = f"cmd:{sys.executable} {ZOO / 'leaves.py'}"
    assert check_verb(arguments(bad, json=True), cast("Any", None)) == Exit.REFUSED
    told = json.loads(capsys.readouterr().out)
    assert told["passed"] is False
    found = {row["check"]: row["passed"] for row in told["checks"]}
    assert found["stays to the end"] is False
    assert found["late replies"] is None


@pytest.mark.parametrize("bot", ["cmd:/nowhere/bot", "fierce", "py:nothing.py:Bold", "cmd:"])
def test_missing_bot_is_refused(bot: str) -> None:
    with pytest.raises(Wrong):
        check_verb(arguments(bot), cast("Any", None))
