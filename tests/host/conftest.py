"""A store in a temporary folder, with a clock that tests move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from host.server.store import Store
from tests.host.stores import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "host" / "host.sqlite3", clock=clock)
    yield opened
    opened.close()
