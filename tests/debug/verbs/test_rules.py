"""``rules``: how often the games of a folder fired each rule, and the places of one rule."""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.debug.tracing import trace_of
from saves.archive import Folder
from study.debug.debugger import Answer, Debugger
from study.debug.prompt import main
from study.debug.rules_used import sentences_of
from study.debug.verbs import answers_of_folder
from tests.debug.recorded import recorded, saved
from tui.console.exits import Exit, Wrong

ENTRIES = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games of one ruleset and one of another."""
    made = tmp_path_factory.mktemp("rules")
    saved(made, "kaladan", b"one", ENTRIES)
    saved(made, "kaladan", b"two", ENTRIES)
    saved(made, "weltendaemmerung", b"one", ENTRIES)
    return made


def asked(folder: Path, *words: str) -> list[Answer]:
    """Return the answers to a question about a folder."""
    return list(answers_of_folder(folder, Folder(), ["rules", *words]))


def rows(folder: Path, *words: str) -> dict[str, dict[str, Any]]:
    """Return the rows of the table by rule."""
    found = [json.loads(answer.json()) for answer in asked(folder, *words)]
    return {row["rule"]: row for row in found if "rule" in row}


def counted(ruleset: str, *seeds: bytes) -> Counter[str]:
    """Count the entries in which each rule fired."""
    count: Counter[str] = Counter()
    for seed in seeds:
        line = recorded(ruleset, seed, ENTRIES)
        for index in range(len(line.entries)):
            trace = trace_of(line, index)
            assert trace is not None
            count.update(trace.ran)
    return count


def test_counts_sum_the_entries_of_all_saves(folder: Path) -> None:
    wanted = counted("kaladan", b"one", b"two") + counted("weltendaemmerung", b"one")
    found = rows(folder)
    assert {rule: row["fired"] for rule, row in found.items() if row["fired"]} == wanted
    assert set(found) == {*sentences_of("kaladan"), *sentences_of("weltendaemmerung")}


def test_workers_count_as_this_process_does(tmp_path: Path) -> None:
    for number in range(4):
        saved(tmp_path, "kaladan", f"{number}".encode(), 12)
    assert [one.text for one in asked(tmp_path, "--jobs", "2")] == [
        one.text for one in asked(tmp_path, "--jobs", "1")
    ]


def test_heading_counts_the_rules_that_fired(folder: Path) -> None:
    heads = [one for one in asked(folder) if one.text.startswith(("kaladan:", "welt"))]
    assert [one.data["saves"] for one in heads] == [2, 1]
    for head in heads:
        book = sentences_of(head.data["ruleset"])
        assert f"of {len(book)} rules fired" in head.text


def test_places_of_a_rule_are_its_entries(folder: Path) -> None:
    found = asked(folder, "--rule", "WD-ATT-3")
    assert found[0].text.startswith("WD-ATT-3: The attacker's strength")
    places = [one for one in found if "entry" in one.data]
    assert len(places) == counted("weltendaemmerung", b"one")["WD-ATT-3"]
    line = recorded("weltendaemmerung", b"one", ENTRIES)
    for one in places:
        for place in one.data["events"]:
            assert line.index_at(line.step_at(place)) == line.index_of(one.data["entry"])
    assert found[-1].text == f"{len(places)} entries"


def test_rule_that_never_fired_says_so(folder: Path) -> None:
    never = next(rule for rule, row in rows(folder).items() if not row["fired"])
    assert asked(folder, "--rule", never)[-1].text == "it never fired"


def test_unknown_rule_names_the_nearest(folder: Path) -> None:
    with pytest.raises(Wrong, match=r"no rule book .* WD-ATT-33; the nearest is WD-ATT-3"):
        asked(folder, "--rule", "WD-ATT-33")


def test_invalid_save_is_named_and_skipped(tmp_path: Path) -> None:
    (tmp_path / "broken.bnr").write_bytes(b"no save")
    saved(tmp_path, "weltendaemmerung", b"one", ENTRIES)
    found = asked(tmp_path)
    assert found[0].text.startswith("broken cannot be read: ")
    assert found[1].data["saves"] == 1


def test_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Wrong, match="there are no saves in it"):
        asked(tmp_path)


def unseen(bench: Debugger, again: Callable[[], Debugger]) -> Exit:
    """Fail if the screen would be shown."""
    raise AssertionError(bench, again)


def test_folder_is_asked_from_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = {"save": str(folder), "seat": None, "json": False, "ascii": False, "plain": True}
    assert (
        main(Namespace(**words, verb=["rules", "--rule", "WD-ATT-3"]), Folder(), unseen) is Exit.OK
    )
    assert capsys.readouterr().out.startswith("WD-ATT-3: ")
    with pytest.raises(Wrong, match="why is asked about one save; about a folder: "):
        main(Namespace(**words, verb=["why", "phase"]), Folder(), unseen)
    with pytest.raises(Wrong, match="not through a seat's eyes"):
        main(Namespace(**(words | {"seat": "Eldoin"}), verb=["rules"]), Folder(), unseen)
    save = str(next(folder.glob("*.bnr")))
    with pytest.raises(Wrong, match="rules is asked about a folder of saves"):
        main(Namespace(**(words | {"save": save}), verb=["rules"]), Folder(), unseen)
