"""Verbs that move to places: ``go``, ``on``, ``back``, ``until``, ``mark`` and ``where``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from engine.core.codec import plain
from engine.core.ids import REFEREE
from engine.core.ruleset import AnyRuleset
from engine.debug.difference import differences
from engine.debug.paths import read, value
from saves.archive import Folder
from study.debug.debugger import Debugger
from study.debug.prompt import asked, completions
from tests.app.cli import banneret, banneret_here
from tests.debug.games import ask, bench_of, branched, ford, opened, texts
from tui.console.exits import Exit, Wrong

QUERIES = ("move", "attack", "loss", "phase", "order", "capture", "work", "other")


def test_on_and_back_visit_the_same_steps(rules: AnyRuleset) -> None:
    bench = bench_of(rules.name)
    ask(bench, "go start")
    there = [bench.at, *_steps(bench, "on", 15)]
    back = [bench.at, *_steps(bench, "back", 15)]
    assert there == back[::-1] == [*range(there[0], there[0] + 16)]
    ask(bench, "on 99999")
    assert bench.at == len(bench.line)
    ask(bench, "back 99999")
    assert bench.at == 0


def _steps(bench: Debugger, verb: str, count: int) -> Iterator[int]:
    """Yield the steps that repeating a verb leads to."""
    for _ in range(count):
        ask(bench, verb)
        yield bench.at


def test_event_is_shown_with_place_round_seat_command_and_changes() -> None:
    bench = bench_of("weltendaemmerung")
    ask(bench, "go start")
    head, *changed = texts(bench, "until move")
    command = bench.line.step(bench.at).entry.command
    assert re.fullmatch(rf"{bench.place()}  r1 Eldoin  move .+  unit-stepped(  WD-\w+-\d+)*", head)
    assert command is not None
    assert re.fullmatch(r"    units\[\d+\]  [xy] \d+ -> \d+, b \d+ -> \d+", changed[0])
    assert len(changed) == 1


def test_where_shows_all_changes_of_a_step(rules: AnyRuleset) -> None:
    for viewer in (REFEREE, 0):
        bench = bench_of(rules.name, viewer)
        for step in range(2, len(bench.line), 7):
            bench.at = step
            before, after = bench.line.state(step - 1), bench.line.state(step)
            rows = [json.loads(answer.json()) for answer in ask(bench, "where")[1:]]
            told: set[str] = set()
            for row in rows:
                for name, *_ in row.get("fields", ()):
                    told.add(f"{row['path']}.{name}")
                for x, y, old, new in row.get("cells", ()):
                    told.add(f"{row['path']}[{x},{y}]")
                    path = (*read(row["path"]), (x, y))
                    assert (value(before, path), value(after, path)) == (old, new)
                if "new" in row:
                    told.add(row["path"])
            assert told == {found.text for found in differences(before, after)}


def test_queries_lead_on_and_back_to_the_same_places(rules: AnyRuleset) -> None:
    for viewer, queries in ((REFEREE, QUERIES), (1, QUERIES[::2])):
        bench = bench_of(rules.name, viewer)
        for query in queries:
            on, back = [], []
            bench.at = 0
            while _goes(bench, f"until {query}"):
                on.append(bench.at)
            bench.at = len(bench.line)
            back = [bench.at] if on and on[-1] == len(bench.line) else []
            while _goes(bench, f"back until {query}"):
                back.append(bench.at)
            assert on == back[::-1]


def _goes(bench: Debugger, line: str) -> bool:
    try:
        return bool(ask(bench, line))
    except Wrong:
        return False


def test_fence_limits_a_search_and_a_failed_search_does_not_move() -> None:
    bench = bench_of("weltendaemmerung")
    ask(bench, "go start")
    ask(bench, "until attack")
    fence = bench.place()
    bench.at = len(bench.line)
    ask(bench, f"back until attack --fence {fence}")
    last = bench.at
    with pytest.raises(Wrong, match=f"nothing between {bench.place()} and {bench.place()} fits"):
        ask(bench, f"back until attack --fence {bench.place()}")
    assert bench.at == last


def test_round_begins_where_its_number_is_first_shown(rules: AnyRuleset) -> None:
    bench = bench_of(rules.name)
    for number in range(1, bench.round_at(len(bench.line)) + 1):
        if not _goes(bench, f"go r{number}"):
            continue
        at = bench.at
        assert bench.round_at(at) == number
        shown = bench.presenter.status(bench.view(at)).round
        assert shown == number
        if at > bench.line.starts[1]:
            assert bench.presenter.status(bench.view(at - 1)).round != number


def test_every_printed_place_leads_back_to_its_event(
    rules: AnyRuleset,
) -> None:
    bench = bench_of(rules.name)
    field = next(iter(rules.statistics(bench.state)))
    verbs = ("where", "back 3", "back until move", f"history '{field}.\"{bench.seats[0]}\"'")
    for verb in verbs:
        bench.at = len(bench.line)
        if verb.startswith("back until") and not _goes(bench, verb):
            continue
        for answer in ask(bench, verb):
            if not answer.place or "event" not in answer.data:
                continue
            (again, *_) = ask(bench, f"go {answer.place}")
            assert again.place == answer.place
            assert plain(again.data["event"]) == plain(answer.data["event"])


def test_query_as_a_place_means_the_next_match() -> None:
    bench = bench_of("weltendaemmerung")
    ask(bench, "go ?attack")
    first = bench.at
    ask(bench, "go ?attack")
    assert bench.at > first
    ask(bench, "go start")
    ask(bench, "until attack")
    assert bench.at == first
    bench.at = len(bench.line)
    with pytest.raises(Wrong, match="nothing after"):
        ask(bench, "until attack")
    with pytest.raises(Wrong, match="nothing in this game fits order"):
        ask(bench, "go ?order")


def test_dot_is_here_and_caret_is_before() -> None:
    bench = bench_of("weltendaemmerung")
    ask(bench, "go 5")
    assert texts(bench, "go .") == texts(bench, "where")
    step = bench.at
    ask(bench, "go ^")
    assert bench.at == step - 1
    ask(bench, "go 5^")
    assert bench.at == bench.line.step_at("4")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("go @nowhere", "there is no mark @nowhere"),
        ("go r99", "there is no round 99"),
        ("go rx", "is no place"),
        ("back 0", "a number of events, or until QUERY"),
        ("back until", "a number of events, or until QUERY"),
        ("back 3 --fence 2", "--fence goes with until QUERY"),
        ("back until 'move' --until loss", "a number of events, or until QUERY"),
        ("until 'units ~ 3'", "column"),
        ("mark 7", "is no name of a mark"),
        ("dance", "there is no verb 'dance'"),
        ("", "no verb"),
        ("on x", "on: argument N"),
    ],
)
def test_wrong_verb_is_refused_in_one_line(line: str, told: str) -> None:
    bench = bench_of("weltendaemmerung")
    at = bench.at
    with pytest.raises(Wrong) as caught:
        ask(bench, line)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert bench.at == at


# -- marks -----------------------------------------------------------------------------------------


def test_marks_are_kept_beside_the_save(tmp_path: Path) -> None:
    save = ford(tmp_path)
    before = Path(save.path).read_bytes()
    bench = Debugger(save, archive=Folder(tmp_path))
    ask(bench, "go 2.1")
    ask(bench, "mark ambush")
    later = Debugger(save, archive=Folder(tmp_path))
    assert texts(later, "go @ambush") == texts(bench, "where")
    assert texts(later, "mark")[0].startswith("@ambush  2.1  ")
    assert Path(save.path).read_bytes() == before
    seat = Debugger(save, 0, archive=Folder(tmp_path))
    with pytest.raises(Wrong, match="no mark"):
        ask(seat, "go @ambush")


def test_marks_follow_the_save_when_renamed_or_deleted(tmp_path: Path) -> None:
    archive, save = Folder(tmp_path), ford(tmp_path)
    ask(Debugger(save, archive=archive), "mark here")
    archive.rename(save.name, "other")
    assert (tmp_path / "other.marks").exists()
    assert not (tmp_path / f"{save.name}.marks").exists()
    archive.delete("other")
    assert not list(tmp_path.glob("*.marks"))


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"": {"a": 1}}', b"[" * 9999])
def test_foreign_marks_file_is_ignored_and_kept(tmp_path: Path, content: bytes) -> None:
    save = ford(tmp_path)
    side = Path(save.path).with_suffix(".marks")
    side.write_bytes(content)
    bench = Debugger(save, archive=Folder(tmp_path))
    assert bench.marks == {}
    told = [answer.text for answer in ask(bench, "mark here")]
    kept = Debugger(save, archive=Folder(tmp_path)).marks
    if content:
        assert told[0].endswith("this session only: game.marks was not written by this program")
        assert side.read_bytes() == content
        assert kept == {}
    else:
        assert kept == {"here": bench.at}


def test_mark_on_another_branch_cannot_be_visited(tmp_path: Path) -> None:
    made = opened(branched("weltendaemmerung"))
    bench = Debugger(made)
    bench._places["far"] = "9999"
    with pytest.raises(Wrong, match="@far is 9999, which is not on this line"):
        ask(bench, "go @far")


# -- the prompt ------------------------------------------------------------------------------------


def test_prompt_completes_verbs_paths_statistics_and_marks() -> None:
    bench = bench_of("weltendaemmerung")
    ask(bench, "mark here")
    assert completions(bench, "hi", "hi") == ["history"]
    assert "units[3].v" in completions(bench, "history units[3].", "units[3].")
    assert "units.Eldoin" in completions(bench, "last units.E", "units.E")
    assert completions(bench, "go @h", "@h") == ["@here"]
    assert completions(bench, "go u", "u") == []


def test_wrong_line_among_verbs_changes_nothing(tmp_path: Path) -> None:
    save = ford(tmp_path)
    ended = banneret("debug", save.path, given="go 7.1\ngo nowhere\nwhere\nquit\nwhere\n")
    first, *_ = ended.stdout.splitlines()
    assert ended.returncode == Exit.REFUSED
    assert [row for row in ended.stdout.splitlines() if row[0] != " "] == [first, first]
    assert ended.stderr.count("\n") == 1


def test_line_that_is_not_text_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    lines = TextIOWrapper(BytesIO(b"\xe4l\nwhere\n"), encoding="utf-8")
    assert asked(bench_of("weltendaemmerung"), lines, json=False) == Exit.REFUSED
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.out


def test_options_may_precede_the_verb(tmp_path: Path) -> None:
    save = ford(tmp_path)
    ended = banneret_here("debug", save.path, "--seat", "Dailor", "--json", "where")
    assert json.loads(ended.stdout.splitlines()[0])["place"]
    assert banneret_here("debug", save.path, "--seat").returncode == Exit.USAGE


def test_help_lists_all_verbs_and_explains_one(tmp_path: Path) -> None:
    path = ford(tmp_path).path
    listed = banneret_here("debug", path, "help").stdout
    assert all(f"  {name}" in listed for name in ("go", "history", "diff"))
    assert "usage: go" in banneret_here("debug", path, "help", "go").stdout
    assert banneret_here("debug", path, "go", "--help").stdout.startswith("example:\n  go")
    assert banneret_here("debug", path, "help", "dance").returncode == Exit.USAGE
