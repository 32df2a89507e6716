"""A program that blocks the host is ended; the others continue."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections.abc import Iterator

import pytest

from host.ssh.driver import CURRENT
from host.ssh.responsiveness import Watchdog
from host.ssh.terminal_session import BROKEN
from tests.host.ground import together

LIMIT = 1.0
"""Seconds: the other program must not take as long, however busy the machine is."""


@pytest.fixture(autouse=True)
def usual_alarm() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


async def test_hanging_program_is_ended_and_the_others_continue(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[str] = []
    watchdog = Watchdog(lambda sitter, where: told.append(where), limit=LIMIT)
    async with together() as (ada, ben):
        watchdog.start()
        with caplog.at_level(logging.ERROR):
            ada.press("s")
            ben.press("a")
            await ada.over()
        await ben.until("Ben: 1")
        watchdog.stop()
        assert ada.raw.endswith(BROKEN.encode() + b"\r\n")
        assert told[0].startswith("ground.py:")
        assert "action_stick" in caplog.text


async def test_host_code_is_never_interrupted() -> None:
    told: list[str] = []
    watchdog = Watchdog(lambda sitter, where: told.append(where), limit=0.1)
    watchdog.start()
    until = time.monotonic() + 0.4
    assert CURRENT.get() is None
    while time.monotonic() < until:
        pass
    await asyncio.sleep(0)
    watchdog.stop()
    assert told == []


async def test_many_short_calls_are_not_a_hang() -> None:
    class Here:
        stuck = ""

        def take_driver(self, driver: object) -> None:
            """Do nothing: nothing is shown here."""

    told: list[str] = []
    watchdog = Watchdog(lambda sitter, where: told.append(where), limit=0.2)

    def short() -> None:
        until = time.monotonic() + 0.02
        while time.monotonic() < until:
            pass

    watchdog.start()
    token = CURRENT.set(Here())
    for _ in range(30):
        asyncio.get_running_loop().call_soon(short)
    CURRENT.reset(token)
    await asyncio.sleep(0.01)
    watchdog.stop()
    assert told == []
