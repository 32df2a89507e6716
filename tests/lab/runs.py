"""Small runs for tests, on The Ford: a game takes a few milliseconds."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from saves.archive import Folder
from study.farm.supervisor import Farm
from study.lab.bot_code import allow
from study.lab.bots import read_bot
from study.lab.games import ReportedGame
from study.lab.plans import GameTask, LabPlan, LabSetup, setup_of
from study.lab.running import Workers, play_run
from study.lab.store import RESULTS, RunFolder
from study.lab.verbs import LabPorts

PORTS = LabPorts(Folder, "test")


def plan(*bots: str, **fields: Any) -> LabPlan:
    """Return a plan on The Ford and allow its bots to start."""
    allow(map(read_bot, bots))
    given: dict[str, Any] = {"pairs": 2, "scenarios": ("ford",), **fields}
    return LabPlan("weltendaemmerung", bots or ("easy", "normal"), **given)


@cache
def setup(*bots: str) -> LabSetup:
    """Return the setup of ``plan`` with these bots."""
    return setup_of(plan(*bots))


class Watcher:
    """Watcher that records the games of a run and stops it after ``stop_after`` of them."""

    def __init__(self, stop_after: int = 1 << 30) -> None:
        self.games: list[ReportedGame] = []
        self._stop_after = stop_after

    def begin(self, total: int, known: int) -> None:
        pass

    def played(self, game: ReportedGame) -> None:
        self.games.append(game)

    def tick(self, farm: Farm[LabSetup, GameTask, ReportedGame]) -> bool:
        return len(self.games) >= self._stop_after


def run(
    path: Path, made: LabPlan, *, jobs: int = 0, stop_after: int = 1 << 30
) -> list[ReportedGame]:
    """Start or resume a run. Return the games played by this call."""
    watcher = Watcher(stop_after)
    with RunFolder.create(path, made) as folder:
        play_run(folder, setup_of(made), Workers(jobs), watcher, PORTS)
    return watcher.games


def sorted_rows(path: Path) -> list[bytes]:
    """Return the result lines of a run, sorted by key."""
    return sorted((path / RESULTS).read_bytes().splitlines())
