"""``compare``: a save decided with the rules of a folder, a wheel or a revision."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from engine.core.registry import find
from engine.core.sources import deciding_modules
from saves.reader import read
from tests.app.cli import banneret_here
from tests.debug.corpus import corpus
from tests.debug.histories import git, picture
from tests.debug.planted import (
    FAULTS,
    ROOT,
    PlantedFault,
    copied,
    plant,
    planted_copy,
    without_compiled,
)
from tui.debug import decider
from tui.debug.deciders import Decider, Unready
from tui.debug.trees import SourceTree

HARDER = FAULTS[0]
"""Hits of weltendaemmerung are one point harder."""


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game in which units attack."""
    return corpus(tmp_path_factory.mktemp("saves"), HARDER.ruleset, 1, entries=30)[0]


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of sources with harder hits."""
    return planted_copy(HARDER, tmp_path_factory.mktemp("trees") / "changed")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of trees for each test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def compared(save: Path, *words: str) -> list[str]:
    """The lines that ``compare`` prints."""
    done = banneret_here("debug", str(save), "compare", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def wrong(place: Path, line: str) -> PlantedFault:
    """A tree in which the line that counts damage does something else first."""
    told = PlantedFault("", HARDER.ruleset, HARDER.file, HARDER.line, f"    {line}", "")
    plant(told, place)
    return told


def test_it_names_entry_event_field_both_values_throws_rule_and_board(
    save: Path, changed: Path
) -> None:
    head, field, why, throws, *board = compared(save, "--with", str(changed))
    assert head.startswith(f"parts from {changed} at 17  Eldoin  attack unit=")
    assert field == "  event 1, attack-made damage: 7 here, 8 there"
    assert "WD-ATT-3" in why
    assert "_strike" in why
    assert throws.startswith("  throws asked here: d8=")
    rows = [line for line in board if ">" in line]
    assert len(rows) == 1
    assert len(board) >= 5


def test_the_place_it_names_is_one_that_other_verbs_take(save: Path, changed: Path) -> None:
    done = banneret_here("debug", "--json", str(save), "compare", "--with", str(changed))
    told = json.loads(done.stdout.splitlines()[0])
    assert (told["entry"], told["event"], told["field"]) == (17, 1, "damage")
    assert (told["here"], told["there"]) == ("7", "8")
    assert told["throws"]["here"] == told["throws"]["there"]
    shown = banneret_here("debug", str(save), "go", told["place"])
    assert shown.stdout.startswith("17 ")
    assert "attack-made" in shown.stdout


def test_a_tree_that_is_not_changed_makes_no_difference(save: Path) -> None:
    (told,) = compared(save, "--with", str(ROOT))
    entries = len(read(save).log)
    assert told == f"{entries} entries, no difference with {ROOT}"


def test_a_wheel_is_compared_as_its_sources_are(save: Path, changed: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "banneret-9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in changed.rglob("*"):
            if path.is_file():
                archive.write(path, path.relative_to(changed))
    assert compared(save, "--with", str(wheel))[1:] == compared(save, "--with", str(changed))[1:]


# -- revisions -------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose first revision has harder hits, and whose checkout has changes."""
    top = without_compiled(planted_copy(HARDER, tmp_path / "repository"))
    git(top, "init", "-q")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "Harder hits")
    git(top, "tag", "harder")
    shutil.copy2(ROOT / HARDER.file, top / HARDER.file)
    git(top, "commit", "-q", "-a", "-m", "Hits as they were")
    (top / "app.py").write_text("changed, not added\n")
    (top / "new.txt").write_text("not known\n")
    git(top, "rm", "-q", "--cached", "pyproject.toml")
    return top


def test_a_revision_is_compared_and_checkout_and_index_stay_as_they_are(
    save: Path, repository: Path
) -> None:
    before = picture(repository)
    told = compared(save, "--with", "harder", "--repo", str(repository))
    assert "at 17  " in told[0]
    assert "no difference" in compared(save, "--with", "HEAD", "--repo", str(repository))[0]
    assert picture(repository) == before


def test_an_unknown_revision_is_told_in_one_line(save: Path, repository: Path) -> None:
    done = banneret_here("debug", str(save), "compare", "--with", "no", "--repo", str(repository))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no: no folder, no wheel, and no revision in" in done.stderr


# -- the other side --------------------------------------------------------------------------------


def test_the_other_side_imports_its_own_tree_and_nothing_of_this_one(
    changed: Path, tmp_path: Path
) -> None:
    alone = copied(tmp_path / "alone")
    shutil.rmtree(alone / "saves")
    told = r"saves.* came from|No module named"
    with Decider(SourceTree(alone, "alone")) as side, pytest.raises(Unready, match=told):
        side.start()
    with Decider(SourceTree(changed, "changed")) as side:
        side.start()


def test_nothing_is_written_into_the_other_tree(save: Path, tmp_path: Path) -> None:
    tree = without_compiled(planted_copy(HARDER, tmp_path / "tree"))
    before = picture(tree)
    compared(save, "--with", str(tree))
    assert picture(tree) == before


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import os; os.abort()", "died: SIGABRT"),
        ("import os; os._exit(3)", "died: exit code 3"),
        ("raise SystemExit(3)", "raised SystemExit"),
        ("raise KeyError(unit)", "raised KeyError"),
        ("while True: pass", "no answer in 2 s"),
    ],
)
def test_a_crash_of_the_other_side_is_a_finding(
    save: Path, tmp_path: Path, line: str, told: str
) -> None:
    tree = copied(tmp_path / "tree")
    wrong(tree, line)
    head, field, *_ = compared(save, "--with", str(tree), "--deadline", "2")
    assert "at 17  Eldoin  attack unit=" in head
    assert told in field


def test_what_the_rules_print_is_no_answer(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    wrong(tree, "print('{}'); damage = units_table()[unit.type].a + modifier")
    assert "no difference" in compared(save, "--with", str(tree))[0]


def test_a_tree_that_cannot_start_is_told_in_one_line(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    (tree / "engine/core/record.py").write_text("this is no Python\n")
    done = banneret_here("debug", str(save), "compare", "--with", str(tree))
    assert done.returncode == 2
    assert "cannot start: SyntaxError" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_save_that_the_other_side_cannot_read_is_a_finding(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    shutil.rmtree(tree / "engine/rulesets" / HARDER.ruleset)
    assert "cannot read the save" in compared(save, "--with", str(tree))[1]


def test_a_change_of_evolving_is_found_at_the_entry_it_changes(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    path = tree / "engine/rulesets/weltendaemmerung/evolve.py"
    text = path.read_text()
    assert text.count("completed=event.completed") == 1
    path.write_text(text.replace("completed=event.completed", "completed=event.completed + 1"))
    seq = next(
        entry.seq
        for entry in read(save).log.entries
        if any(type(event).__name__ == "RoundEnded" for event in entry.events)
    )
    head, field, *_ = compared(save, "--with", str(tree))
    assert f"at {seq}" in head
    assert field


def test_an_event_that_the_other_side_cannot_apply_is_a_finding(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    path = tree / "engine/rulesets/weltendaemmerung/evolve.py"
    text = path.read_text()
    assert text.count("completed=event.completed") == 1
    path.write_text(text.replace("completed=event.completed", "completed=event.nothing"))
    assert compared(save, "--with", str(tree))[1].startswith("  raised AttributeError")


# -- what decides ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A short save of each ruleset."""
    folder = tmp_path_factory.mktemp("samples")
    names = ("weltendaemmerung", "gd6", "kaladan", "warlords2", "lordsawar")
    return [corpus(folder, name, 1, entries=15)[0] for name in names]


def test_every_module_that_runs_while_games_are_decided_is_in_the_rules_hash(
    samples: list[Path],
) -> None:
    tree = decider._Sources(ROOT)
    for path in samples:
        save = decider._Save(tree, path)
        module = type(find(read(path).header.ruleset)).__module__
        hashed = set(deciding_modules(module))
        for entry in save.entries:
            found = save.trace(entry.seq)
            ran = {name.partition(":")[0] for name in found["functions"]}
            assert ran
            assert ran <= hashed
