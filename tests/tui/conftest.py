from __future__ import annotations

from itertools import count

import pytest
from textual import _wait

_NUMBERS = count()


@pytest.fixture(autouse=True)
def own_folders(
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Keep tests away from a player's own files, and colours independent of the terminal.

    Most tests need no folder and get the path of one that does not exist: creating a folder
    takes longer than they do.
    """
    folder = tmp_path_factory.getbasetemp() / f"none-{next(_NUMBERS)}"
    if "tmp_path" in request.fixturenames:
        folder = request.getfixturevalue("tmp_path")
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(folder / name.lower()))
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits between keys."""
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 0.004)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 0.0003)
