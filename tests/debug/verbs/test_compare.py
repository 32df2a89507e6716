"""``compare``: a save decided with the rules of a folder, a wheel or a revision."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import FrameType

import pytest

from engine.core.registry import find
from engine.core.sources import deciding_modules
from engine.debug.parting import Parting
from saves.reader import read
from study.debug import decider_program
from study.debug.comparing import RuleComparison
from study.debug.debugger import Answer
from study.debug.decider_process import Decider
from study.debug.trees import SourceTree, find_tree, own_tree
from tests.app.cli import banneret_here
from tests.debug.corpus import corpus
from tests.debug.histories import git, picture, repository
from tests.debug.planted import FAULTS, ROOT, PlantedFault, copied, plant, planted_copy, rewrite
from tests.debug.planted_shrinks import told
from tui.console.exits import Wrong

HARDER = FAULTS[0]
"""Hits in weltendaemmerung are one point harder."""


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game with attacks."""
    return corpus(tmp_path_factory.mktemp("saves"), HARDER.ruleset, 1, entries=30)[0]


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of sources with harder hits."""
    return planted_copy(HARDER, tmp_path_factory.mktemp("trees") / "changed")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test its own cache of trees."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def harder(save: Path, changed: Path) -> list[Answer]:
    """The answers of ``compare`` about harder hits."""
    return told(save, "compare", "--with", str(changed))


@pytest.fixture(scope="module")
def running() -> Iterator[RuleComparison]:
    """A comparison whose local side is shared by all tests that replace the other side."""
    made = RuleComparison(own_tree())
    yield made
    made.close()


def parting(running: RuleComparison, save: Path, tree: Path | SourceTree) -> Parting | None:
    """Return the first parting of a save from a tree; the save must be decidable here."""
    running.exchange(SourceTree(tree, "tree") if isinstance(tree, Path) else tree)
    found = running.compare(save)
    assert found.fault == ""
    assert found.entries > 0 or found.parting
    return found.parting


def compared(save: Path, *words: str) -> list[str]:
    """Return the lines that ``compare`` prints."""
    done = banneret_here("debug", str(save), "compare", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def wrong(place: Path, line: str) -> PlantedFault:
    """Replace the line that counts damage in a tree by another."""
    told = PlantedFault("", HARDER.ruleset, HARDER.file, HARDER.line, f"    {line}", "")
    plant(told, place)
    return told


def test_parting_names_event_field_values_throws_rule_and_board(
    harder: list[Answer], changed: Path
) -> None:
    head, field, why, throws, *board = [answer.text for answer in harder]
    assert head.startswith(f"parts from {changed} at 17  Eldoin  attack unit=")
    assert field == "  event 1, attack-made damage: 7 here, 8 there"
    assert "WD-ATT-3" in why
    assert "_strike" in why
    assert throws.startswith("  throws asked here: d8=")
    rows = [line for line in board if ">" in line]
    assert len(rows) == 1
    assert len(board) >= 5


def test_named_place_works_in_other_verbs(save: Path, harder: list[Answer]) -> None:
    data = json.loads(harder[0].json())
    assert (data["entry"], data["event"], data["field"]) == (17, 1, "damage")
    assert (data["here"], data["there"]) == ("7", "8")
    assert data["throws"]["here"] == data["throws"]["there"]
    shown = banneret_here("debug", str(save), "go", data["place"])
    assert shown.stdout.startswith("17 ")
    assert "attack-made" in shown.stdout


def test_unchanged_tree_makes_no_difference(save: Path) -> None:
    (told,) = compared(save, "--with", str(ROOT))
    entries = len(read(save).log)
    assert told == f"{entries} entries, no difference with {ROOT}"


def test_wheel_compares_like_its_sources(
    save: Path, harder: list[Answer], changed: Path, tmp_path: Path
) -> None:
    wheel = tmp_path / "banneret-9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for folder in ("engine", "saves"):
            for path in (changed / folder).rglob("*"):
                if path.is_file() and path.suffix != ".pyc":
                    archive.write(path, path.relative_to(changed))
    found = compared(save, "--with", str(wheel))
    assert found[1:] == [answer.text for answer in harder[1:]]


# -- revisions -------------------------------------------------------------------------------------


@pytest.fixture
def revisions(tmp_path: Path) -> Path:
    """A repository with a revision of harder hits and a checkout with uncommitted changes."""
    top = repository(tmp_path / "repository")
    plant(HARDER, top)
    git(top, "commit", "-q", "-a", "-m", "Harder hits")
    git(top, "tag", "harder")
    rewrite(top / HARDER.file, (ROOT / HARDER.file).read_text())
    git(top, "commit", "-q", "-a", "-m", "Hits as they were")
    rewrite(top / "app.py", "changed, not added\n")
    (top / "new.txt").write_text("not known\n")
    git(top, "rm", "-q", "--cached", "pyproject.toml")
    return top


def test_comparing_a_revision_leaves_checkout_and_index_unchanged(
    running: RuleComparison, save: Path, revisions: Path
) -> None:
    before = picture(revisions)
    found = compared(save, "--with", "harder", "--repo", str(revisions))
    assert "at 17  " in found[0]
    assert parting(running, save, find_tree("HEAD", revisions)) is None
    assert picture(revisions) == before


def test_unknown_revision_is_reported_in_one_line(save: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "Nothing yet")
    done = banneret_here("debug", str(save), "compare", "--with", "no", "--repo", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no: no folder, no wheel, and no revision in" in done.stderr


def test_missing_git_is_named(save: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for place, verb in (
        (save, "compare --with HEAD"),
        (save.parent, "impact --with HEAD"),
        (save, "bisect --good a --bad b"),
    ):
        done = banneret_here("debug", str(place), *verb.split())
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert done.stderr.endswith("git is not installed, which revisions need\n"), done.stderr


# -- the other side --------------------------------------------------------------------------------


def test_other_side_imports_only_its_own_tree(changed: Path, tmp_path: Path) -> None:
    alone = copied(tmp_path / "alone")
    shutil.rmtree(alone / "saves")
    reason = r"saves.* came from|No module named"
    with closing(Decider(SourceTree(alone, "alone"))) as side, pytest.raises(Wrong, match=reason):
        side.start()
    with closing(Decider(SourceTree(changed, "changed"))) as side:
        side.start()


def test_nothing_is_written_into_the_other_tree(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree", compiled=False)
    plant(HARDER, tree)
    before = picture(tree)
    compared(save, "--with", str(tree))
    assert picture(tree) == before


@pytest.mark.parametrize(
    ("line", "how"),
    [
        ("import os; os.abort()", "died: SIGABRT"),
        ("import os; os._exit(3)", "died: exit code 3"),
        ("raise SystemExit(3)", "raised SystemExit"),
        ("raise KeyError(unit)", "raised KeyError"),
    ],
)
def test_crash_of_the_other_side_is_a_finding(
    running: RuleComparison, save: Path, tmp_path: Path, line: str, how: str
) -> None:
    tree = copied(tmp_path / "tree")
    wrong(tree, line)
    found = parting(running, save, tree)
    assert found is not None
    assert found.seq == 17
    assert how in str(found.difference)


def test_silent_other_side_is_a_finding(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    wrong(tree, "import signal; signal.pause()")
    head, field, *_ = compared(save, "--with", str(tree), "--deadline", "2")
    assert "at 17  Eldoin  attack unit=" in head
    assert "no answer in 2 s" in field


def test_output_printed_by_the_rules_is_ignored(
    running: RuleComparison, save: Path, tmp_path: Path
) -> None:
    tree = copied(tmp_path / "tree")
    wrong(tree, "print('{}'); damage = units_table()[unit.type].a + modifier")
    assert parting(running, save, tree) is None


def test_broken_tree_is_reported_in_one_line(save: Path, tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    rewrite(tree / "engine/core/record.py", "this is no Python\n")
    done = banneret_here("debug", str(save), "compare", "--with", str(tree))
    assert done.returncode == 2
    assert "cannot start: SyntaxError" in done.stderr
    assert done.stderr.count("\n") == 1


def test_save_unreadable_by_the_other_side_is_a_finding(
    running: RuleComparison, save: Path, tmp_path: Path
) -> None:
    tree = copied(tmp_path / "tree", without=[HARDER.ruleset])
    found = parting(running, save, tree)
    assert found is not None
    assert "cannot read the save" in str(found.difference)


def evolved_otherwise(tree: Path, completed: str) -> None:
    """Change what evolving counts as the completed rounds."""
    path = tree / "engine/rulesets/weltendaemmerung/evolve.py"
    text = path.read_text()
    assert text.count("completed=event.completed") == 1
    rewrite(path, text.replace("completed=event.completed", f"completed={completed}"))


def test_changed_evolving_is_found_at_its_first_entry(
    running: RuleComparison, save: Path, tmp_path: Path
) -> None:
    tree = copied(tmp_path / "tree")
    evolved_otherwise(tree, "event.completed + 1")
    seq = next(
        entry.seq
        for entry in read(save).log.entries
        if any(type(event).__name__ == "RoundEnded" for event in entry.events)
    )
    found = parting(running, save, tree)
    assert found is not None
    assert found.seq == seq
    assert str(found.difference)


def test_event_that_the_other_side_cannot_apply_is_a_finding(
    running: RuleComparison, save: Path, tmp_path: Path
) -> None:
    tree = copied(tmp_path / "tree")
    evolved_otherwise(tree, "event.nothing")
    found = parting(running, save, tree)
    assert found is not None
    assert "raised AttributeError" in str(found.difference)


# -- modules that decide ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A short save of each ruleset."""
    folder = tmp_path_factory.mktemp("samples")
    names = ("weltendaemmerung", "gd6", "kaladan", "warlords2", "lordsawar")
    return [corpus(folder, name, 1, entries=15)[0] for name in names]


def test_rules_hash_covers_every_module_that_decides(
    samples: list[Path],
) -> None:
    tree = decider_program._Sources(ROOT)
    for path in samples:
        save = decider_program._Save(tree, path)
        module = type(find(read(path).header.ruleset)).__module__
        ran = modules_that_run(save)
        assert len(ran) > 10
        assert ran <= set(deciding_modules(module)), module


def modules_that_run(save: decider_program._Save) -> set[str]:
    """Return the engine modules whose functions are called while the entries are decided."""
    ran: set[str] = set()

    def note(frame: FrameType, _event: str, _value: object) -> None:
        ran.add(frame.f_globals.get("__name__", ""))

    found = [save._at(entry.seq) for entry in save.entries]
    decider_program._forget()
    for entry, before in found:
        dice = save._dice(entry)
        sys.setprofile(note)
        try:
            save._decide(entry, before, dice)
        finally:
            sys.setprofile(None)
    return {name for name in ran if name.startswith("engine.")}
