"""The bot protocol, message by message, and the sample bot over real pipes."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.archive import SeatPlayer
from engine.core.registry import find
from tests.app.cli import ROOT, python
from tests.patience import PATIENCE
from tui.headless.bot_protocol import LONGEST, BotServer, lines_of
from tui.play.seats import header_of
from tui.play.table import Table


def server(out: io.StringIO) -> BotServer:
    rules = find("weltendaemmerung")
    scenario = rules.scenarios()["ford"]
    header = header_of(
        rules, scenario, (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor", "easy")), 1
    )
    return BotServer(Table.begin(rules, scenario, {}, header), 0, out)


def talk(*messages: dict[str, Any] | str | None) -> list[dict[str, Any]]:
    """Send messages to a new server; return its answers."""
    out = io.StringIO()

    def lines() -> Iterator[str | None]:
        for message in messages:
            yield json.dumps(message) if isinstance(message, dict) else message

    server(out).serve(lines())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def kinds(said: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in said]


def test_conversation_begins_with_hello_state_and_turn() -> None:
    said = talk({"type": "ready", "id": "a"})
    assert kinds(said) == ["hello", "state", "turn"]
    assert said[0]["seats"] == ["Eldoin", "Dailor"]
    assert said[1]["id"] == "a"
    assert len(said[1]["view"]["terrain"]["rows"]) == 12


def test_act_is_answered_by_events_and_done() -> None:
    act = {"type": "act", "id": 7, "command": "step unit=0 direction=up"}
    said = talk({"type": "ready"}, act)
    assert kinds(said)[3:] == ["events", "done", "turn"]
    assert said[3]["events"][0]["t"] == "unit-stepped"
    assert said[4]["id"] == 7


def test_commands_may_be_objects() -> None:
    act = {"type": "act", "command": {"do": "step", "unit": 0, "direction": "up"}}
    assert kinds(talk({"type": "ready"}, act))[3:] == ["events", "done", "turn"]


def test_other_seats_play_before_the_next_turn() -> None:
    said = talk({"type": "ready"}, {"type": "act", "command": "end-phase"})
    told = [
        event["t"] for message in said if message["type"] == "events" for event in message["events"]
    ]
    assert told.count("phase-began") == 2
    assert kinds(said)[-1] == "turn"


def test_refusal_has_code_text_and_rule() -> None:
    said = talk({"type": "ready"}, {"type": "act", "id": 1, "command": "attack unit=0 at=1,1"})
    assert said[-1]["type"] == "error"
    assert (said[-1]["id"], said[-1]["code"], said[-1]["rule"]) == (1, "WRONG_PHASE", "WD-ATT-1")


def test_offers_may_be_about_one_piece() -> None:
    said = talk({"type": "ready"}, {"type": "offers", "about": 0})
    commands = said[-1]["commands"]
    assert commands
    assert {command["unit"] for command in commands} == {0}


def test_state_is_sent_on_request_and_counts_increase() -> None:
    up = {"type": "act", "command": "step unit=0 direction=up"}
    said = talk({"type": "ready"}, up, up, {"type": "state"})
    assert [message["count"] for message in said if message["type"] == "events"] == [0, 1]
    assert said[-1]["view"]["units"][0]["y"] == 3


def test_unknown_messages_and_fields_are_ignored() -> None:
    said = talk({"type": "sing"}, {"type": "ready", "mood": "fine"}, {"no": "type"}, "")
    assert kinds(said) == ["hello", "state", "turn"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", "NO_JSON"),
        ("[" * 50_000, "NO_JSON"),
        ("7", "NO_JSON"),
        ('{"type": "state", "id": ' + "[" * 985 + "]" * 985 + "}", "NO_JSON"),
        ('{"type": "act", "command": {"do": ' + "[" * 300 + "]" * 300 + "}}", "NO_JSON"),
        (None, "TOO_LONG"),
        ({"type": "act", "command": "end-phase"}, "NOT_READY"),
        ({"type": "offers", "about": "me"}, "BAD_ABOUT"),
    ],
)
def test_wrong_message_is_an_error_and_the_conversation_continues(
    message: dict[str, Any] | str | None, code: str
) -> None:
    said = talk(message, {"type": "ready"})
    assert said[1]["code"] == code
    assert kinds(said)[2:] == ["state", "turn"]


LEAVES = st.none() | st.integers() | st.text(max_size=8)


def _nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)


@settings(max_examples=100)
@given(st.recursive(LEAVES, _nested, max_leaves=8))
def test_no_command_breaks_the_server(command: object) -> None:
    said = talk({"type": "ready"}, {"type": "act", "command": command}, {"type": "bye"})
    assert kinds(said)[-2:] == ["error", "bye"]
    assert said[-2]["code"] == "BAD_NOTATION"


def test_overlong_line_is_skipped() -> None:
    stream = io.StringIO("x" * (LONGEST * 3) + "\nnext\n")
    assert list(lines_of(stream)) == [None, "next\n"]


def test_sample_bot_plays_a_legal_game_to_its_end() -> None:
    ended = python(str(ROOT / "docs" / "examples" / "sample_bot.py"), "--seed", "3")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split(":")[0] in ("commander", "annihilation", "time", "west_edge")


def test_message_id_is_echoed_escaped() -> None:
    out = io.StringIO()
    server(out).serve(iter(['{"type":"ready"}', '{"type":"act","id":"\\u009b","command":"x"}']))
    last = out.getvalue().splitlines()[-1]
    assert last.isascii()
    assert json.loads(last)["id"] == "\x9b"


def test_undecodable_bytes_are_an_error_and_the_game_continues(tmp_path: Path) -> None:
    """A real pipe carries the bytes, with good lines before and after them."""
    given = (
        b'{"type":"ready"}\n\xff\xfe\x80\n{"type":"act","command":"\xc3("}\n'
        b'{"type":"act","id":1,"command":"step unit=0 direction=up"}\n'
    )
    words = ("bot", "--ruleset", "weltendaemmerung", "--scenario", "ford")
    ended = subprocess.run(
        [sys.executable, "-m", "app", *words],
        input=given,
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        timeout=PATIENCE,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    said = [json.loads(line) for line in ended.stdout.splitlines()]
    assert kinds(said) == ["hello", "state", "turn", "error", "error", "events", "done", "turn"]
    assert {message["code"] for message in said if message["type"] == "error"} == {"NO_JSON"}
