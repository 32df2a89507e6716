"""Numbers of entries and events: every command uses the same ones, on branches too."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.core.archive import Opened
from engine.core.codec import plain
from engine.core.log import EventLog
from engine.core.record import replace
from engine.core.replay import BrokenLog, verify
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import dump
from saves.reader import as_text
from study.debug.debugger import Debugger
from tests.app.cli import banneret, banneret_here
from tests.debug.games import ask, branched, ford, opened
from tui.headless.questions import found
from tui.replay.watch import Watch
from tui.screens.recording import as_json


@pytest.fixture(scope="module")
def save(rules: AnyRuleset) -> Opened:
    """A branched game, in which numbers of entries are not positions on its line."""
    return opened(branched(rules.name))


def shown(save: Opened, place: str) -> tuple[str, object]:
    """Return the command and event that the debugger shows at a place."""
    bench = Debugger(save)
    (answer, *_) = ask(bench, f"go {place}")
    return answer.data.get("command", ""), plain(answer.data["event"])


def test_dump_numbers_entries_as_the_debugger_does(save: Opened) -> None:
    rows = [row for row in as_text(save) if re.match(r"\d+ \S", row)]
    assert len(rows) == len(save.log.line()) - 1
    for row in rows[:: max(1, len(rows) // 9)]:
        number, told = row.split(" ", 1)
        assert told.endswith(f": {shown(save, number)[0]}")


def test_found_moments_are_numbered_as_in_the_debugger(save: Opened) -> None:
    for query in ("move or attack or loss", "order or other", "phase"):
        rows = [json.loads(row) for row in found(save, query, json=True)]
        for row in rows[:: max(1, len(rows) // 5)]:
            entry, event = map(int, row["place"].split("."))
            assert shown(save, row["place"])[1] == plain(save.log[entry].events[event - 1])
            texts = list(found(save, f"({query}) and entry = {entry}", json=False))
            assert any(f"#{row['place']} " in text for text in texts)


def test_found_moments_of_a_seat_match_its_debugger(save: Opened) -> None:
    bench = Debugger(save, 0)
    for query in ("move or attack or loss", "order or other", "phase"):
        rows = [json.loads(row) for row in found(save, query, 0, json=True)]
        places = sorted({bench.step_at(row["place"]) for row in rows})
        assert places == bench.matches(query)


def test_replay_seeks_the_same_places_as_the_debugger(save: Opened) -> None:
    watch = Watch(save)
    for entry in save.log.line()[1::7]:
        place = watch.place_named(str(entry.seq))
        assert place is not None
        watch.seek(*place)
        assert watch.entry is entry
        assert watch.state == Debugger(save).line.state(Debugger(save).line.step_at(str(entry.seq)))
        place = watch.place_named(f"{entry.seq}.1")
        assert place is not None
        watch.seek(*place)
        step = Debugger(save).line.step_at(f"{entry.seq}.1")
        assert watch.state == Debugger(save).line.state(step)


def test_export_numbers_entries_as_the_debugger_does(save: Opened) -> None:
    watch = Watch(save)
    if not watch.may_count:
        pytest.skip("commands and events are hidden while this game is played")
    rows = [json.loads(row) for row in as_json(watch, 1, watch.last)]
    for row in rows[::9]:
        assert row["command"] == shown(save, row["place"])[0]
        assert row["events"][-1] == json.loads(json.dumps(shown(save, row["place"])[1]))


def test_verify_numbers_events_as_the_debugger_does(save: Opened, rules: AnyRuleset) -> None:
    log: EventLog[object, object] = EventLog()
    line = [e for e in save.log.entries if e.command is not None and len(e.events) > 1]
    wrong = line[len(line) // 2]
    for entry in save.log.entries:
        is_it = entry is wrong
        events = (*entry.events[:1], entry.events[0], *entry.events[2:])
        log.append(replace(entry, events=events) if is_it else entry)
    divergence = verify(rules, log).divergence
    assert divergence is not None
    assert divergence.place == f"{wrong.seq}.2"
    assert str(divergence).startswith(f"entry {wrong.seq}.2, ")


def test_broken_event_is_numbered_from_one() -> None:
    assert str(BrokenLog(41, 2, "why")) == "entry 41.3: why"
    assert str(BrokenLog(41, -1, "why")) == "entry 41: why"


def test_commands_of_the_program_agree_on_entry_numbers(tmp_path: Path) -> None:
    path = ford(tmp_path).path
    dumped = next(
        row for row in banneret("dump", path).stdout.splitlines() if row.startswith("20 ")
    )
    went = json.loads(banneret_here("debug", path, "--json", "go", "20").stdout.splitlines()[0])
    assert dumped.endswith(went["command"])
    data = banneret("export", path, "--format", "jsonl", "--from", "20", "--to", "20").stdout
    assert json.loads(data)["command"] == went["command"]
    at = json.loads(banneret_here("export", path, "--at", "20").stdout)
    bench = Debugger(ford(tmp_path / "again"))
    state = bench.line.state(bench.line.step_at("20"))
    assert at == json.loads(dump(bench.rules.position(state)))
