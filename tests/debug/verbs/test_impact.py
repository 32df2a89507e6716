"""``impact``: the saves of a folder that other rules decide differently, grouped by the reason."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path

import pytest

from engine.core.registry import find
from engine.core.sources import _hash_of, rules_hash
from engine.debug.parting import PartingGroup
from study.debug.impact import Impact, ImpactRun, saves_in
from study.debug.trees import SourceTree
from tests.app.cli import banneret_here
from tests.debug.corpus import corpus
from tests.debug.planted import FAULTS, ROOT, PlantedFault, copied, plant, planted_copy

RULESETS = ("weltendaemmerung", "gd6", "kaladan", "warlords2")


def impact_of(tree: Path, folder: Path) -> Impact:
    """Return the impact of a tree on the saves of a folder."""
    running = ImpactRun(SourceTree(tree, "changed"))
    for _ in running.run(saves_in(folder)):
        pass
    return running.result


def rules_of(group: PartingGroup) -> set[str]:
    """Return the rules named for a group."""
    return {
        rule
        for game in group.games
        if game.parting.cause is not None
        for rule in game.parting.cause.rules
    }


@pytest.fixture(scope="module")
def saves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of short games of four rulesets, between the fastest computer players."""
    folder = tmp_path_factory.mktemp("saves")
    for name in RULESETS:
        corpus(folder, name, 2, 25, level=next(iter(find(name).bots)))
    return folder


@pytest.fixture(scope="module")
def few(saves: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two games of one ruleset and one of another."""
    folder = tmp_path_factory.mktemp("few")
    for name in ("weltendaemmerung-000", "weltendaemmerung-001", "kaladan-000"):
        shutil.copy2(saves / f"{name}.bnr", folder)
    return folder


def test_four_faults_in_four_rulesets_give_four_groups(saves: Path, tmp_path: Path) -> None:
    faults = [next(one for one in FAULTS if one.rule == rule) for rule in COMMON]
    tree = copied(tmp_path / "tree")
    for fault in faults:
        plant(fault, tree)
    done = banneret_here("debug", str(saves), "impact", "--with", str(tree))
    assert done.returncode == 0, done.stderr
    head, *rows = done.stdout.splitlines()
    assert head == "8 saves: 0 agree, 8 part in 4 ways:"
    groups = [row for row in rows if row.startswith("  2x ")]
    assert len(groups) == 4
    for fault in faults:
        assert sum(fault.rule in row for row in groups) == 1
    assert sum("damage at first 'attack-made' (smallest: 18 entries)" in row for row in groups) == 1


COMMON = ("WD-ATT-3", "GD-FINAL-2", "KA-6.2", "W2-9.6")
"""Rules of faults that show in every game."""


def test_json_group_names_its_saves(few: Path, tmp_path: Path) -> None:
    tree = planted_copy(FAULTS[0], tmp_path / "tree")
    words = ("debug", "--json", str(few), "impact", "--with", str(tree), "--jobs", "2")
    head, group, *_ = map(json.loads, banneret_here(*words).stdout.splitlines())
    assert (head["saves"], head["agree"], head["parted"]) == (3, 1, 2)
    assert group["saves"] == ["weltendaemmerung-000", "weltendaemmerung-001"]
    assert (group["count"], group["tag"], group["field"]) == (2, "attack-made", "damage")
    assert "WD-ATT-3" in group["rules"]


def test_unchanged_tree_agrees_on_all_saves(few: Path) -> None:
    done = banneret_here("debug", str(few), "impact", "--with", str(ROOT))
    assert done.stdout == "3 saves: 3 agree\n"


def test_crash_is_a_group_and_other_saves_are_still_compared(few: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    fault = FAULTS[0]
    crash = PlantedFault("", fault.ruleset, fault.file, fault.line, "    import os; os.abort()", "")
    plant(crash, tree)
    found = impact_of(tree, few)
    assert (found.agree, [len(group.games) for group in found.groups]) == (1, [2])
    assert "died: SIGABRT" in str(found.groups[0])


def test_stopped_run_keeps_its_results(saves: Path) -> None:
    running = ImpactRun(SourceTree(ROOT, "same"))
    counts = running.run(saves_in(saves))
    assert next(counts) == 1
    counts.close()
    assert 1 <= running.result.agree < 8
    assert running.result.groups == ()


def test_damaged_save_does_not_end_the_run(tmp_path: Path) -> None:
    corpus(tmp_path, "weltendaemmerung", 1, entries=5)
    (tmp_path / "no-save.bnr").write_bytes(b"nothing")
    done = banneret_here("debug", str(tmp_path), "impact", "--with", str(ROOT))
    assert done.stdout.splitlines()[0] == "2 saves: 1 agree, 1 cannot be decided"
    assert "no-save cannot be decided: SaveFault" in done.stdout


def test_folder_and_save_have_different_verbs(saves: Path) -> None:
    of_folder = banneret_here("debug", str(saves), "compare", "--with", str(ROOT))
    save = str(saves / "gd6-000.bnr")
    of_save = banneret_here("debug", save, "impact", "--with", str(ROOT))
    for done in (of_folder, of_save):
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
    assert "compare is asked about one save" in of_folder.stderr
    assert "impact is asked about a folder of saves" in of_save.stderr


def test_folder_cannot_be_viewed_as_a_seat(saves: Path) -> None:
    done = banneret_here("debug", "--seat", "Eldoin", str(saves), "impact", "--with", str(ROOT))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "not through a seat's eyes" in done.stderr


def test_folder_without_saves_is_refused_in_one_line(tmp_path: Path) -> None:
    done = banneret_here("debug", str(tmp_path), "impact", "--with", str(ROOT))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "there are no saves in it" in done.stderr


@cache
def hash_of(ruleset: str) -> str:
    """Return the hash of a ruleset's unchanged rules."""
    return rules_hash(find(ruleset))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_rules_hash_changes_with_every_planted_fault(
    fault: PlantedFault, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = find(fault.ruleset)
    before = hash_of(fault.ruleset)
    changed = (ROOT / fault.file).resolve()
    read = Path.read_bytes

    def with_fault(path: Path) -> bytes:
        data = read(path)
        if path.resolve() != changed:
            return data
        return data.replace(fault.line.encode() + b"\n", fault.planted.encode() + b"\n")

    monkeypatch.setattr(Path, "read_bytes", with_fault)
    _hash_of.cache_clear()
    try:
        assert rules_hash(rules) != before
    finally:
        _hash_of.cache_clear()


@pytest.fixture(scope="session")
def hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred saves of four rulesets."""
    folder = tmp_path_factory.mktemp("hundred")
    for name in RULESETS:
        corpus(folder, name, 25)
    return folder


@pytest.mark.slow
def test_each_planted_fault_is_one_group_over_a_hundred_saves(
    hundred: Path, tmp_path: Path
) -> None:
    assert len(saves_in(hundred)) == 100
    for fault in FAULTS:
        found = impact_of(planted_copy(fault, tmp_path / fault.name), hundred)
        assert (found.saves, found.faults, len(found.groups)) == (100, (), 1), fault.name
        (group,) = found.groups
        assert {game.name.partition("-")[0] for game in group.games} == {fault.ruleset}
        assert fault.rule in rules_of(group)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(5))
def test_four_faults_at_once_are_four_groups(hundred: Path, tmp_path: Path, number: int) -> None:
    tree = copied(tmp_path / "tree")
    faults = FAULTS[number::5]
    for fault in faults:
        plant(fault, tree)
    found = impact_of(tree, hundred)
    assert len(found.groups) == 4
    named = [{one.rule for one in faults} & rules_of(group) for group in found.groups]
    assert sorted(rule for rules in named for rule in rules) == sorted(one.rule for one in faults)
