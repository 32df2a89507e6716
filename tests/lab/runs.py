"""Small runs to test with: The Ford, whose games take some milliseconds."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from saves.archive import Folder
from tui.farm.supervisor import Farm
from tui.lab.bot_code import allow
from tui.lab.bots import read_bot
from tui.lab.games import ReportedGame
from tui.lab.plans import GameTask, LabPlan, LabSetup, setup_of
from tui.lab.running import Workers, play_run
from tui.lab.store import RESULTS, RunFolder
from tui.lab.verbs import LabPorts

PORTS = LabPorts(Folder, "test")


def plan(*bots: str, **fields: Any) -> LabPlan:
    """A plan on The Ford, whose bots may start."""
    allow(map(read_bot, bots))
    given: dict[str, Any] = {"pairs": 2, "scenarios": ("ford",), **fields}
    return LabPlan("weltendaemmerung", bots or ("easy", "normal"), **given)


@cache
def setup(*bots: str) -> LabSetup:
    """The setup of ``plan`` with these bots."""
    return setup_of(plan(*bots))


class Watcher:
    """Watches a run, and stops it after some games."""

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
    """Play a run, or go on with it; the games that were played now."""
    watcher = Watcher(stop_after)
    with RunFolder.create(path, made) as folder:
        play_run(folder, setup_of(made), Workers(jobs), watcher, PORTS)
    return watcher.games


def sorted_rows(path: Path) -> list[bytes]:
    """Lines of the results of a run, in the order of their keys."""
    return sorted((path / RESULTS).read_bytes().splitlines())
