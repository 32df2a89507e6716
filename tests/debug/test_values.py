"""The verbs ``last``, ``history`` and ``diff``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.core.codec import digest
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.debug.difference import patched
from engine.debug.history import value_changes
from saves.archive import Folder
from study.debug.debugger import Debugger
from tests.debug.games import ask, bench_of, branched, ford, game, opened, texts
from tests.saves.games import header, saved, start
from tui.console.exits import Wrong


def test_repeated_last_walks_back_through_the_whole_history(rules: AnyRuleset) -> None:
    for viewer in (-3, 0):
        bench = bench_of(rules.name, viewer)
        name = max(
            bench.state.__struct_fields__,
            key=lambda field: len(list(value_changes(bench.line, bench.followed(field)))),
        )
        expected = [answer.place for answer in ask(bench, f"history {name}") if answer.place]
        bench.at, found = len(bench.line), []
        while True:
            try:
                (answer,) = ask(bench, f"last {name}")
            except Wrong:
                break
            assert answer.place == bench.place()
            found.append(answer.place)
        assert found == expected[::-1]


def test_last_goes_to_the_change_before_a_place() -> None:
    bench = bench_of("weltendaemmerung")
    ask(bench, "last units[3].x")
    at = bench.at
    ask(bench, "go end")
    ask(bench, "last units[3].x")
    assert bench.at == at


def test_number_has_a_curve_and_piece_has_a_life() -> None:
    bench = bench_of("weltendaemmerung")
    *changes, bars = texts(bench, "history units.Dailor")
    assert changes[0].startswith("0  0 -> ")
    assert bars.endswith(f" to {len(bench.state.units) // 2}")
    assert "█" in bars
    bench.ascii_only = True
    assert texts(bench, "history units.Dailor")[-1].isascii()
    life = texts(bench, "history units[3]")
    assert life[0].split()[1] == "made:"
    assert {row.split()[1] for row in life} <= {"made:", "moved:", "hurt:", "changed:", "gone:"}


def test_history_since_a_place_begins_with_the_value_there() -> None:
    bench = bench_of("weltendaemmerung")
    whole = texts(bench, "history units[3].x")
    middle = ask(bench, "history units[3].x")[3].place
    head, *later = texts(bench, f"history units[3].x --since {middle}")
    assert head.startswith(f"{middle}  units[3].x is ")
    assert later[:-1] == whole[4:-1]
    assert texts(bench, "history units[3].x --since end")[-1] == "units[3].x has not changed"


def test_unknown_path_names_the_nearest() -> None:
    bench = bench_of("weltendaemmerung")
    with pytest.raises(Wrong, match=r"the nearest is units\[3\]\.b"):
        ask(bench, "history units[3].bb")


# -- diff ------------------------------------------------------------------------------------------


def test_two_places_of_one_line_have_no_fork(rules: AnyRuleset) -> None:
    bench = bench_of(rules.name)
    rows = texts(bench, "diff 1 end")
    assert rows
    assert not any("part after" in row for row in rows)
    assert texts(bench, "diff end end") == ["no differences"]


def test_patch_of_a_diff_makes_the_other_state(rules: AnyRuleset) -> None:
    for viewer in (-3, 0):
        bench = bench_of(rules.name, viewer)
        one, other = bench.line.step_at("1"), len(bench.line)
        lines = texts(bench, f"diff {bench.place(one)} end --as patch")
        made = patched(bench.line.state(one), lines)
        assert digest(made) == digest(bench.line.state(other))


def test_diff_of_two_branches_finds_the_fork(rules: AnyRuleset) -> None:
    made = branched(rules.name)
    bench = Debugger(opened(made))
    elsewhere = len(game(rules.name).log) - 1
    assert bench.line.index_of(elsewhere) is None
    fork, *rows = ask(bench, f"diff {elsewhere} end")
    assert fork.text.startswith("they part after ")
    assert bench.line.index_of(int(fork.place)) is not None
    assert [row.text.split()[:2] for row in rows[:2]] == [["the", "first"], ["the", "second"]]
    assert len(rows) > 2


def test_two_saves_are_compared(tmp_path: Path) -> None:
    save, archive = ford(tmp_path), Folder(tmp_path)
    bench = Debugger(save, archive=archive)
    other = str(saved(tmp_path / "more", entries=60))
    assert texts(bench, f"diff '{other}@40' 40") == ["no differences"]
    assert texts(bench, f"diff '{other}@40' 41") == texts(bench, "diff 40 41")
    with pytest.raises(Wrong, match=r"nowhere\.bnr"):
        ask(bench, "diff ./nowhere.bnr@3 .")
    with pytest.raises(Wrong, match="there is no entry 99"):
        ask(bench, f"diff '{other}@99' .")


def test_saves_of_two_rulesets_are_not_compared(tmp_path: Path) -> None:
    bench = Debugger(ford(tmp_path), archive=Folder(tmp_path))
    table = start(
        Folder(tmp_path).create("other", header(ruleset="lordsawar")), ruleset="lordsawar"
    )
    table.close()
    other = tmp_path / "other.bnr"
    with pytest.raises(Wrong, match="these are two games"):
        ask(bench, f"diff '{other}@0' .")


def test_changed_land_is_shown_as_an_excerpt_of_the_board() -> None:
    bench = bench_of("weltendaemmerung")
    rows = texts(bench, "diff 1 end")
    at = next(number for number, row in enumerate(rows) if row.startswith("    board, "))
    excerpt = rows[at + 1 :]
    assert excerpt
    assert all(row.isascii() for row in excerpt)
    widths = {len(row.strip().split("    ")) for row in excerpt}
    assert 2 in widths


def test_json_differences_are_listed_by_record_and_field() -> None:
    bench = bench_of("weltendaemmerung")
    rows = [json.loads(answer.json()) for answer in ask(bench, "diff 1 end")]
    fields = {row["path"]: row["fields"] for row in rows if "fields" in row}
    rules = find("weltendaemmerung")
    assert rules.traits.hidden is False
    before, after = bench.line.state(bench.line.step_at("1")), bench.state
    for number, unit in after.units.items():
        expected = [
            [name, getattr(before.units[number], name), getattr(unit, name)]
            for name in unit.__struct_fields__
            if getattr(before.units[number], name) != getattr(unit, name)
        ]
        assert fields.get(f"units[{number}]", []) == expected
