"""``shrink`` and ``test``: small cases with the same signature, and tests written from them."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest

from engine.core.archive import Header
from engine.core.registry import find
from engine.debug.cases import case_of, digest_of, keep_fault, log_of, packed, unpacked
from engine.debug.scenario_tree import pieces
from engine.debug.shrinking import PASSES, Shrinker, here
from saves.archive import Folder
from study.debug.debugger import Debugger
from study.debug.test_writer import case_in
from study.debug.verbs import answers
from tests.core.samples import Faulty, toy_game
from tests.debug.corpus import corpus
from tests.debug.long_games import long_game
from tests.debug.planted import FAULTS, ROOT, PlantedFault, planted_copy
from tests.debug.planted_shrinks import (
    Shrunk,
    bench_of,
    is_clean,
    passes,
    shrunk,
    signature_of,
    superfluous,
    told,
)
from tests.programs import QUITS
from tests.toy import commands as toy
from tui.console.exits import Wrong

_QUICK = [fault for fault in FAULTS if fault.name in {"harder hits", "half upkeep"}]
_ENTRIES, _PIECES, _SECONDS = 5, 6, 60


@pytest.fixture(scope="session")
def saves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of games that tests share."""
    return tmp_path_factory.mktemp("games")


def _is_as_promised(fault: PlantedFault, tree: Path, found: Shrunk) -> None:
    """Assert that the result is minimal and equivalent, and that its test catches the fault."""
    small, test = Path(found.small), Path(found.test)
    rules, case = case_in(Folder(small.parent), str(small))
    assert len(case.steps) == found.entries
    assert pieces(case.scenario) == found.pieces
    assert signature_of(rules, tree, case) == found.signature
    assert superfluous(fault.ruleset, tree, small, found.signature) == []
    for name, written in runpy.run_path(str(test)).items():
        if name.startswith("test_"):
            written()
    assert not passes([test], tree)


@pytest.mark.parametrize("fault", _QUICK, ids=lambda fault: fault.name)
def test_shrink_reduces_a_planted_fault_to_a_small_case(
    fault: PlantedFault, tmp_path: Path, saves: Path
) -> None:
    (save,) = corpus(saves / "corpus", fault.ruleset, 1, 250)
    tree = planted_copy(fault, tmp_path / "tree")
    found = shrunk(save, tree, tmp_path, "--jobs", "1")
    assert found.entries <= _ENTRIES
    assert found.pieces <= _PIECES
    _is_as_promised(fault, tree, found)


@pytest.mark.slow
def test_shrink_reduces_planted_faults_in_long_games(tmp_path: Path, saves: Path) -> None:
    results: list[tuple[Shrunk, float]] = []
    for number, fault in enumerate(FAULTS):
        tree = planted_copy(fault, tmp_path / f"tree{number}")
        (out := tmp_path / f"out{number}").mkdir()
        save = long_game(saves / "long", fault)
        began = time.monotonic()
        found = shrunk(save, tree, out, "--jobs", "2")
        took = time.monotonic() - began
        _is_as_promised(fault, tree, found)
        results.append((found, took))
        games = len(bench_of(save).opened.log) - 1
        size = f"{games:5} -> {found.entries:2} entries, {found.pieces:2} pieces"
        sys.stdout.write(f"{fault.name:32} {size}, {found.tries:5} tries, {took:5.1f} s\n")
    assert is_clean([Path(found.test) for found, _ in results])
    assert median(found.entries for found, _ in results) <= _ENTRIES
    assert median(found.pieces for found, _ in results) <= _PIECES
    assert median(took for _, took in results) <= _SECONDS


# -- the same bytes in all circumstances -------------------------------------------------------


@pytest.fixture(scope="module")
def hits(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A game and a tree in which it parts."""
    folder = tmp_path_factory.mktemp("hits")
    (save,) = corpus(folder / "corpus", "weltendaemmerung", 1, 120)
    return save, planted_copy(FAULTS[0], folder / "tree")


@pytest.fixture(scope="module")
def alone(hits: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Shrunk:
    """A shrink of that game in this process."""
    return shrunk(*hits, tmp_path_factory.mktemp("alone"), "--jobs", "1")


def _files(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }


def test_shrink_gives_the_same_bytes_for_any_number_of_jobs(
    hits: tuple[Path, Path], alone: Shrunk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("study.debug.keeping._QUICK", 0.0)
    found = shrunk(*hits, tmp_path, "--jobs", "2")
    assert found.tries == alone.tries
    assert _files(tmp_path) == _files(Path(alone.small).parent)


def test_shrink_resumes_after_kill_9(
    hits: tuple[Path, Path], alone: Shrunk, tmp_path: Path
) -> None:
    save, tree = hits
    (out := tmp_path / "killed").mkdir()
    small, journal = out / "small.bnr", out / "small.bnr.shrink"
    words = ["--keep", "parts", "--with", str(tree), "-o", str(small), "--jobs", "1"]
    running = subprocess.Popen(
        [sys.executable, "-c", _SLOWLY, "debug", str(save), "shrink", *words],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for_lines(journal, 20, running)
    finally:
        running.send_signal(signal.SIGKILL)
        running.wait()
    known = len(journal.read_bytes().splitlines()) - 1
    journal.write_bytes(journal.read_bytes() + b'{"digest":"torn')
    found = shrunk(save, tree, out, "--jobs", "1")
    assert small.read_bytes() == Path(alone.small).read_bytes()
    assert known >= 19
    assert found.tries <= alone.tries - known + 1
    assert not journal.exists()


_SLOWLY = """
import sys, time
import engine.debug.shrinking as shrinking
usual = shrinking.digest_of
def slow(case):
    time.sleep(0.02)
    return usual(case)
shrinking.digest_of = slow
import app
sys.exit(app.main(sys.argv[1:]))
"""
"""Program that shrinks slowly enough to be killed in the middle."""


def _wait_for_lines(path: Path, lines: int, running: subprocess.Popen[bytes]) -> None:
    """Wait until a file has at least ``lines`` lines."""
    while not path.exists() or len(path.read_bytes().splitlines()) < lines:
        assert running.poll() is None, "it ended before it could be killed"
        os.sched_yield()


_BARE_PYTHON = f"{sys.executable} -I -S"
"""Python for judging commands that read only the bytes of saves: it starts ten times as fast."""


# -- conditions to keep ------------------------------------------------------------------------


def test_shrink_keeps_a_moment_that_fits_a_query(hits: tuple[Path, Path], tmp_path: Path) -> None:
    small = tmp_path / "small.bnr"
    told(hits[0], "shrink", "--keep", "attack and damage > 4", "-o", str(small), "--jobs", "1")
    bench = bench_of(small)
    assert bench.matches("attack and damage > 4")
    assert len(bench.opened.log) == 2


def test_shrink_keeps_a_fault_of_the_rules_by_its_function() -> None:
    rules = Faulty()
    game = toy_game()
    for _ in range(3):
        for seat in sorted(game.rules.owes(game.state)):
            offers = game.rules.offers(game.view(seat))
            game.submit(seat, next(one for one in offers if not isinstance(one, toy.RaiseCry)))
    case = case_of(game.rules, game.log.line())
    cry = next(one for one in game.rules.offers(game.view(0)) if isinstance(one, toy.RaiseCry))
    case = unpacked(rules, packed(case))
    steps = (*case.steps, type(case.steps[0])(0, cry))
    whole = type(case)(case.scenario, case.options, steps)
    start = keep_fault(rules)(whole)
    assert start is not None
    assert start.signature.startswith("ZeroDivisionError in tests.core.samples.Faulty.decide")
    shrinker = Shrinker(rules, start, here(keep_fault(rules)))
    best = shrinker.run()
    assert [step.command for step in best.steps] == [cry]
    assert keep_fault(rules)(best) is not None


def test_shrink_judges_by_exit_code_and_sets_other_codes_aside(
    hits: tuple[Path, Path], tmp_path: Path
) -> None:
    script = tmp_path / "check.py"
    script.write_text(
        "import sys\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "is_there = [b'do' + tag in data for tag in (b'\\xa6attack', b'\\xa9end-phase')]\n"
        "sys.exit(1 if not is_there[0] else 0 if is_there[1] else 101)\n"
    )
    small = tmp_path / "small.bnr"
    words = ["--keep", f"exit:{_BARE_PYTHON} {script}", "-o", str(small)]
    skipped = [name for name in PASSES if name not in {"start", "entries"}]
    words += [word for name in skipped for word in ("--no-pass", name)]
    told(hits[0], "shrink", *words)
    _, case = case_in(Folder(tmp_path), str(small))
    kinds = [type(step.command).__name__ for step in case.steps]
    assert sorted(kinds) == ["Attack", "EndPhase"]
    _, other = case_in(Folder(tmp_path), str(tmp_path / "also" / "exit-code-101.bnr"))
    assert [type(step.command).__name__ for step in other.steps] == ["Attack"]


def test_shrink_refuses_a_condition_met_before_the_first_entry(
    hits: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(Wrong, match="before the first entry"):
        told(hits[0], "shrink", "--keep", f"exit:{QUITS}", "-o", str(tmp_path / "small.bnr"))


def test_shrink_refuses_a_trivial_result(hits: tuple[Path, Path], tmp_path: Path) -> None:
    script = tmp_path / "check.py"
    script.write_text(
        "import sys\nsys.exit(0 if b'\\xa9completed' in open(sys.argv[1], 'rb').read() else 1)\n"
    )
    words = ["--keep", f"exit:{_BARE_PYTHON} {script}", "-o", str(tmp_path / "small.bnr")]
    words += [word for name in PASSES if name != "start" for word in ("--no-pass", name)]
    with pytest.raises(Wrong, match="trivial"):
        told(hits[0], "shrink", *words)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--keep", "parts"], "--with"),
        (["--keep", "fault"], "nothing in this game"),
        (["--keep", "attack where"], "column"),
        (["--keep", "exit:"], "needs a command"),
        (["--keep", "fault", "--no-pass", "magic"], "no pass 'magic'"),
    ],
)
def test_shrink_refuses_bad_arguments(
    words: list[str], complaint: str, hits: tuple[Path, Path], tmp_path: Path
) -> None:
    with pytest.raises(Wrong, match=complaint):
        told(hits[0], "shrink", *words, "-o", str(tmp_path / "small.bnr"))


def test_shrink_overwrites_nothing(hits: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "small.bnr").write_bytes(b"")
    with pytest.raises(Wrong, match="is there already"):
        told(hits[0], "shrink", "--keep", "fault", "-o", str(tmp_path / "small.bnr"))


@pytest.mark.parametrize("verb", ["shrink --keep exit:true", "test"])
def test_shrink_and_test_need_an_archive_for_files(
    verb: str, hits: tuple[Path, Path], tmp_path: Path
) -> None:
    bench = Debugger(bench_of(hits[0]).opened)
    with pytest.raises(Wrong, match="files are read or written"):
        list(answers(bench, [*verb.split(), "-o", str(tmp_path / "out")]))


@pytest.mark.parametrize("prefer", ["rounds", "pieces"])
def test_shrink_can_prefer_few_rounds_or_pieces(
    prefer: str, hits: tuple[Path, Path], tmp_path: Path
) -> None:
    found = shrunk(*hits, tmp_path, "--jobs", "1", "--prefer", prefer)
    assert (found.entries, found.pieces) <= (_ENTRIES, _PIECES)


def test_shrink_notes_values_that_do_not_matter(hits: tuple[Path, Path], tmp_path: Path) -> None:
    save, tree = hits
    words = ["--keep", "parts", "--with", str(tree), "-o", str(tmp_path / "small.bnr")]
    notes = [
        answer.data["note"] for answer in told(save, "shrink", *words) if "note" in answer.data
    ]
    assert any(note.startswith("entry 1, throw 1, d8=") for note in notes)
    assert any(", type " in note for note in notes)


# -- test -------------------------------------------------------------------------------------


def test_test_writes_passing_tests_of_any_entry(
    hits: tuple[Path, Path], alone: Shrunk, tmp_path: Path
) -> None:
    """All written files are checked together, since the type checker takes seconds."""
    save = hits[0]
    files = []
    for place in ("1", "17", "22"):
        files.append(tmp_path / f"test_at_{place}.py")
        told(save, "test", "--at", place, "-o", str(files[-1]))
    assert passes(files, ROOT)
    assert is_clean([*files, Path(alone.test)])


def test_test_of_a_refused_command_expects_the_refusal(
    hits: tuple[Path, Path], tmp_path: Path
) -> None:
    rules = find("weltendaemmerung")
    _, case = case_in(Folder(tmp_path), str(hits[0]))
    refused = type(case)(case.scenario, case.options, (case.steps[0], case.steps[0]), case.throws)
    path = tmp_path / "refused.bnr"
    header = Header(rules.name, rules.schema, b"", ())
    file = Folder(tmp_path).create_at(path, header)
    for entry in log_of(rules, refused).entries:
        file.entry(entry)
    file.close()
    out = tmp_path / "test_refused.py"
    told(hits[0], "test", "--of", str(path), "-o", str(out))
    assert "game.refusal(" in out.read_text() or "game.play(" in out.read_text()
    assert passes([out], ROOT)


def test_test_needs_an_entry_with_a_command(hits: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(Wrong, match="no command was given"):
        told(hits[0], "test", "--at", "start", "-o", str(tmp_path / "test_none.py"))


def test_case_survives_packing_and_saving(hits: tuple[Path, Path]) -> None:
    rules, case = case_in(Folder(hits[0].parent), str(hits[0]))
    assert unpacked(rules, packed(case)) == case
    again = case_of(rules, log_of(rules, case).line())
    assert digest_of(again) == digest_of(case)
