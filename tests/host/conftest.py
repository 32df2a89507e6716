"""A store in a temporary folder, with a clock that tests move; a server of commands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from host.server.store import Store
from tests.host.shell import Shell, serving
from tests.host.stores import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "host" / "host.sqlite3", clock=clock)
    yield opened
    opened.close()


@pytest_asyncio.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    async with serving(tmp_path) as made:
        yield made
