"""Pythons are found on the path and through pyenv, but only if they start."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.pythons import candidates, pythons

HERE = (sys.version_info.major, sys.version_info.minor)
NAME = f"python{HERE[0]}.{HERE[1]}"


def made(folder: Path, name: str, text: str) -> Path:
    """Write an executable shell script and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_broken_shim_is_skipped_for_a_version_of_pyenv(tmp_path: Path) -> None:
    made(tmp_path / "shims", NAME, "echo 'pyenv: command not found' >&2; exit 127")
    made(tmp_path / "shims", "python3.12", "echo no version")
    made(tmp_path / "shims", "python3.13", "echo 3 9")
    there = made(tmp_path / "root" / "versions" / "x" / "bin", NAME, f'exec {sys.executable} "$@"')
    env = {"PATH": str(tmp_path / "shims"), "PYENV_ROOT": str(tmp_path / "root")}
    assert pythons(candidates(env)) == {HERE: there}
