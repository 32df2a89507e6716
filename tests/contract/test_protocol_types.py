"""A ruleset or presenter that lacks a member of its protocol is a type error."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from subprocess import run

from tests.app.cli import ROOT


def without(file: str, method: str, folder: Path) -> Path:
    """Copy a module of the toy ruleset, without one of its methods."""
    source = (ROOT / "tests" / "toy" / file).read_text(encoding="utf-8")
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    (found,) = (node for node in nodes if node.name == method and node.col_offset)
    lines = source.splitlines()
    del lines[found.lineno - 1 : found.end_lineno]
    copy = folder / f"without_{method}.py"
    copy.write_text("\n".join(lines), encoding="utf-8")
    return copy


def test_a_member_that_is_missing_is_named_by_the_type_checker(tmp_path: Path) -> None:
    files = without("rules.py", "imagine", tmp_path), without("picture.py", "start", tmp_path)
    command = [sys.executable, "-m", "mypy", "--no-pretty", *map(str, files)]
    ended = run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = [line for line in ended.stdout.splitlines() if "Cannot instantiate abstract" in line]
    assert len(found) == 2, ended.stdout + ended.stderr
    assert 'class "Toy" with abstract attribute "imagine"' in "".join(found)
    assert 'class "Picture" with abstract attribute "start"' in "".join(found)
