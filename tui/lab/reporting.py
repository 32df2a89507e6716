"""Reports of runs: who met whom, points, faults."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from engine.core.record import Record
from tui.console.printing import columns
from tui.lab.endings import AuditReport
from tui.lab.scoring import bot_points
from tui.lab.stages import games_of
from tui.lab.store import RunFolder


class BotRow(Record, frozen=True):
    """Games and points of a bot."""

    bot: str
    games: int
    points: float
    faults: int


class ShortReport(Record, frozen=True):
    """Results of a run in a few lines."""

    run: str
    ruleset: str
    games: int
    played: int
    bots: tuple[BotRow, ...]
    early: AuditReport | None = None
    """Games that ended early; None if there are no rules for that."""

    def lines(self) -> list[str]:
        """The report as text."""
        rows = [["bot", "games", "points", "share", "broken off"]]
        for one in self.bots:
            share = f"{one.points / max(1, one.games):.1%}"
            rows.append([one.bot, str(one.games), f"{one.points:g}", share, str(one.faults)])
        early = self.early.lines() if self.early is not None else []
        return [f"{self.run}: {self.played} of {self.games} games", *columns(rows), *early]


def short_report(folder: RunFolder) -> ShortReport:
    """The short report of a run."""
    setup, plan = folder.setup, folder.plan
    games = games_of(plan, setup, folder.rows)
    points: dict[str, Fraction] = defaultdict(Fraction)
    counts: dict[str, int] = defaultdict(int)
    faults: dict[str, int] = defaultdict(int)
    for game in games:
        if game.row is None:
            continue
        if game.row.fault is not None and game.row.fault.seat >= 0:
            faults[game.row.bots[game.row.fault.seat]] += 1
        for bot, point in (bot_points(game.row, plan.fault) or {}).items():
            points[bot] += point
            counts[bot] += 1
    names = [bot.name for bot in setup.bots]
    rows = [game.row for game in games if game.row is not None]
    return ShortReport(
        run=folder.path.name,
        ruleset=plan.ruleset,
        games=len(games),
        played=sum(game.row is not None for game in games),
        bots=tuple(BotRow(n, counts[n], float(points[n]), faults[n]) for n in names),
        early=None if setup.endings.is_empty else AuditReport.of(rows),
    )
