"""A test whose program is missing is skipped at home and fails under ``CI``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.programs import needs, program


def test_missing_program_skips_a_test_and_fails_it_in_ci(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="ssh is not installed"):
        program("ssh")
    assert needs("ssh").args == (True,)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="ssh is not installed"):
        program("ssh")
    assert needs("ssh").args == (False,)


def test_installed_program_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    python = Path(sys.executable)
    monkeypatch.setenv("PATH", str(python.parent))
    monkeypatch.delenv("CI", raising=False)
    assert program(python.name) == str(python)
    assert needs(python.name).args == (False,)
