"""Shrinking planted faults: helpers for the quick and the slow tests of ``shrink`` and ``test``."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.core.record import Record, replace
from engine.core.ruleset import AnyRuleset
from engine.debug.cases import Case, Keep, keep_parting
from engine.debug.paths import value
from engine.debug.reductions import with_plain_rows, without_rows
from engine.debug.scenario_tree import is_piece, pieces, rows_of
from saves.archive import Folder
from study.debug.debugger import Answer, Debugger
from study.debug.keeping import OtherTree, sound
from study.debug.test_writer import case_in
from study.debug.verbs import answers
from tests.debug.planted import ROOT
from tests.patience import PATIENCE


class Shrunk(Record, frozen=True):
    """A shrunk planted fault: signature, size, number of tries, and the written files."""

    signature: str
    entries: int
    pieces: int
    tries: int
    small: str
    test: str


def bench_of(save: Path) -> Debugger:
    """Return a debugger of a save, with the folder of the save as its archive."""
    archive = Folder(save.parent)
    return Debugger(archive.read(str(save)), archive=archive)


def told(save: Path, *words: str) -> list[Answer]:
    """Return the answers of a verb about a save."""
    return list(answers(bench_of(save), words))


def shrunk(save: Path, tree: Path, out: Path, *words: str) -> Shrunk:
    """Shrink a game that parts in a tree with a planted fault, and write a test of the result."""
    test = out / "test_small.py"
    small = out / "small.bnr"
    given = ("--keep", "parts", "--with", str(tree), "-o", str(small), "--test", str(test))
    found = {
        key: one
        for answer in told(save, "shrink", *given, *words)
        for key, one in answer.data.items()
    }
    return Shrunk(
        signature=found["signature"],
        entries=found["entries"],
        pieces=found["pieces"],
        tries=found["tries"],
        small=str(small),
        test=str(test),
    )


def signature_of(rules: AnyRuleset, tree: Path, case: Case) -> str:
    """Return the signature of a case with the rules of a tree, or "" if it shows nothing."""
    with OtherTree(tree, rules) as other:
        found = sound(rules, keep_parting(rules, other))(case)
        return found.signature if found is not None else ""


def without_one(case: Case) -> Iterator[tuple[str, Case]]:
    """Yield the case without each of its entries, and without each of its pieces."""
    for number in range(len(case.steps)):
        left = case.steps[:number] + case.steps[number + 1 :]
        yield f"entry {number + 1}", replace(case, steps=left)
    for row in rows_of(case.scenario):
        if is_piece(value(case.scenario, row.path)):
            for made in (*without_rows(case, [row]), *with_plain_rows(case, [row])):
                if pieces(made.scenario) < pieces(case.scenario):
                    yield f"{row}", made


def superfluous(ruleset: str, tree: Path, small: Path, signature: str) -> list[str]:
    """Return the entries and pieces of a small save that can be left out with the same result."""
    rules, case = case_in(Folder(small.parent), str(small))
    with OtherTree(tree, rules) as other:
        keep: Keep = sound(rules, keep_parting(rules, other))
        verdicts = ((what, keep(made)) for what, made in without_one(case))
        return [what for what, found in verdicts if found and found.signature == signature]


_BARE = {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Environment for pytest without plugins: a written test must not need any."""


def passes(tests: Sequence[Path], tree: Path) -> bool:
    """Return whether all these written tests pass with the rules of a tree."""
    done = subprocess.run(
        [
            sys.executable,
            "-P",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            os.devnull,
            *map(str, tests),
        ],
        env={**os.environ, "PYTHONPATH": str(tree), **_BARE},
        cwd=tests[0].parent,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "error" not in done.stdout.splitlines()[-1], done.stdout
    return done.returncode == 0


def is_clean(tests: Sequence[Path]) -> bool:
    """Assert that written tests satisfy linter, formatter and type checker; return True."""
    config = str(ROOT / "pyproject.toml")
    places = [str(test) for test in tests]
    is_together = len({test.stem for test in tests}) == len(tests)
    commands = (
        ["ruff", "check", "--config", config, "--ignore", "S101,D103,INP001", *places],
        ["ruff", "format", "--config", config, "--check", *places],
        # Modules with the same name cannot be checked together.
        *(
            ["mypy", "--strict", "--config-file", config, *checked]
            for checked in ([places] if is_together else [[place] for place in places])
        ),
    )
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return True
