"""A host ends in time, whatever is in progress."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from tests.host.servers import ANNA, BERT, FORD, InLoop, game_server
from tests.patience import PATIENCE, until
from tui.console.exits import Exit
from tui.play.players import PlanRequest, planned
from tui.play.setup import NewGame

COMPUTERS = NewGame(
    "weltendaemmerung",
    "ford",
    players=(SeatPlayer(0, "Eldoin", "easy"), SeatPlayer(1, "Dailor", "easy")),
    name="computers",
)


class Uncancelled(InLoop):
    """Workers whose plan returns despite cancellation, as can happen with ``asyncio.wait_for``."""

    is_planning = False

    async def plan(self, request: PlanRequest) -> tuple[str, ...]:
        if not self.is_planning:
            self.is_planning = True
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(600)
        return planned(request)


async def test_game_stops_when_a_cancelled_plan_returns(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        home.plan_workers = workers = Uncancelled()
        game = await home.begin(ANNA, COMPUTERS)
        await until(lambda: workers.is_planning)
        assert await home.close()
        assert game.is_closed
        assert game._status.entries == 1


async def test_stopping_skips_a_game_whose_disk_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("host.server.game_server.CLOSING", 0.1)
    answers = threading.Event()
    try:
        async with game_server(tmp_path) as home:
            stuck, other = await home.begin(ANNA, FORD), await home.begin(BERT, FORD)
            await asyncio.gather(*stuck._keeping, *other._keeping)
            close = stuck.table.close
            monkeypatch.setattr(stuck.table, "close", lambda: (answers.wait(), close()))
            async with asyncio.timeout(PATIENCE):
                assert not await home.close()
            assert other.is_closed
            assert "game 1: cut off when closing" in caplog.text
            assert "game 2" not in caplog.text
    finally:
        answers.set()


_PROGRAM = """
import asyncio, sys, threading, time
from host.ssh.shutdown import Shutdown

async def main():
    asked = asyncio.Event()
    shutdown = Shutdown(asked, deadline=float(sys.argv[2]))
    shutdown.listen()
    threading.Thread(target=stuck_disk, name="disk").start()
    print("ready", flush=True)
    if sys.argv[1] == "loop":
        time.sleep(600)
    await asked.wait()
    await shutdown.step("the games", never(), 0.1)

async def never():
    while True:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            pass

def stuck_disk():
    time.sleep(600)

asyncio.run(main())
"""


@pytest.mark.parametrize("stuck", ["loop", "tasks"])
def test_host_ends_at_its_deadline_and_names_the_rest(tmp_path: Path, stuck: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(program), stuck, "0.3"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as running:
        assert running.stdout is not None
        assert select.select([running.stdout], [], [], PATIENCE)[0]
        began = time.monotonic()
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGHUP):
            running.send_signal(number)
        _, errors = running.communicate(timeout=PATIENCE)
        took = time.monotonic() - began
    assert running.returncode == Exit.OK
    assert 0.3 <= took < PATIENCE
    assert "disk in stuck_disk" in errors
    assert ("the games" in errors) == (stuck == "tasks")


_STOPPED_WORKER = """
import os, signal
from tui.play.players import PlanWorkers

if __name__ == "__main__":
    workers = PlanWorkers()
    os.kill(workers._started("weltendaemmerung").submit(os.getpid).result(), signal.SIGSTOP)
    workers.close()
"""


def test_worker_stopped_by_the_system_does_not_delay_the_end(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(_STOPPED_WORKER, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program)],
        check=False,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0
