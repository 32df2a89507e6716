"""Progress of a run: games played, pace, standings of the bots, and remaining time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.core.record import Record
from study.lab.games import GameResult, ReportedGame, SeatTime
from study.lab.plans import FaultScore, LabPlan, LabSetup
from study.lab.scoring import bot_points

_MOST_POINTS: Final = 512
"""Maximum points in time that are remembered; above it, every other one is dropped."""

_FEWEST: Final = 32
"""Minimum number of games from which the pace is computed, once there are enough."""

_ROUNDS: Final = 4
"""Minimum number of games per worker for the pace, since results arrive in bunches."""


class SprtStatus(Record, frozen=True):
    """State of a sequential test."""

    elo0: float
    elo1: float
    model: str
    llr: float
    lower: float
    upper: float
    pairs: int
    """Number of pairs that count."""
    most: int
    """Number of pairs after which it ends without a verdict."""
    left: float | None
    """Expected number of further pairs, by the drift so far."""
    games_left: float | None
    """Expected number of games of these pairs."""


class BotStatus(Record, frozen=True):
    """Games of a bot so far."""

    bot: str
    games: int
    points: float
    share: float
    """Points per game."""
    plan: float | None
    """Mean processor time of a plan in seconds; None if unknown."""
    longest: float | None
    faults: int
    """Number of games that it broke off."""


class FaultStatus(Record, frozen=True):
    """The last game that was broken off."""

    game: str
    """First digits of its key."""
    bot: str
    """Empty if no bot is to blame."""
    kind: str
    text: str
    place: str
    log: str
    """File in the folder of the run with the bot's standard error; empty without one."""


class RunStatus(Record, frozen=True):
    """State of a run."""

    run: str
    ruleset: str
    format: str
    state: str
    """``starting``, ``running``, ``paused``, ``stopping``, ``stopped`` or ``over``."""
    done: int
    """Number of known games, including those played earlier."""
    total: int
    """Number of games of the run; with a ``test``, the maximum."""
    faults: int
    """Number of games that were broken off."""
    elapsed: float | None
    """Seconds since it began or was resumed, without pauses."""
    rate: float | None
    """Games per second."""
    left: float | None
    """Remaining time in seconds."""
    bots: tuple[BotStatus, ...]
    test: SprtStatus | None = None
    fault: FaultStatus | None = None


# -- the pace ----------------------------------------------------------------------------------


class PaceEstimator:
    """Pace of games by the clock of the caller.

    It is the pace of the newest two thirds of the games, since a run begins slowly while its
    workers start, and the machine may get other work. Time before the first worker is ready, and
    pauses, do not count.
    """

    def __init__(self) -> None:
        self._began: float | None = None
        self._paused: float | None = None
        self._points: list[tuple[float, int]] = []
        """Times without pauses, and the number of games at each."""
        self._step = 1
        self._done = 0

    @property
    def has_begun(self) -> bool:
        """True if a worker is set up."""
        return self._began is not None

    def begin(self, now: float) -> None:
        """Start the clock at the first worker that is set up; later calls do nothing."""
        if self._began is None:
            self._began = now
            self._points.append((0.0, 0))

    def count(self, now: float) -> None:
        """Count a game that has ended."""
        self.begin(now)
        self._done += 1
        if self._done % self._step == 0:
            self._points.append((self.elapsed(now), self._done))
        if len(self._points) > _MOST_POINTS:
            self._points = self._points[::2]
            self._step *= 2

    def pause(self, now: float) -> None:
        """Stop the clock until ``go_on``."""
        if self._paused is None:
            self._paused = now

    def go_on(self, now: float) -> None:
        """Continue the clock after a pause."""
        if self._paused is not None and self._began is not None:
            self._began += max(0.0, now - max(self._paused, self._began))
        self._paused = None

    def elapsed(self, now: float) -> float:
        """Return the seconds since the beginning, without pauses."""
        if self._began is None:
            return 0.0
        return max(0.0, (now if self._paused is None else min(now, self._paused)) - self._began)

    def rate(self, now: float, workers: int = 1) -> float | None:
        """Return the games per second; None before the first game has ended."""
        if self._done == 0:
            return None
        window = max(_FEWEST, _ROUNDS * workers, self._done * 2 // 3)
        first = max(0, self._done - window)
        moment, count = next(
            (point for point in reversed(self._points) if point[1] <= first), (0.0, 0)
        )
        return (self._done - count) / max(self.elapsed(now) - moment, 1e-6)

    def left(self, now: float, games: float, workers: int = 1) -> float | None:
        """Return the seconds for ``games`` further games; None before a pace is known."""
        rate = self.rate(now, workers)
        return games / rate if rate else None


# -- the bots ----------------------------------------------------------------------------------


class _BotTotals:
    """Sums over the games of a bot."""

    def __init__(self) -> None:
        self.games = self.faults = self.plans = 0
        self.points = self.seconds = self.longest = 0.0

    def status(self, name: str) -> BotStatus:
        return BotStatus(
            bot=name,
            games=self.games,
            points=self.points,
            share=self.points / self.games if self.games else 0.0,
            plan=self.seconds / self.plans if self.plans else None,
            longest=self.longest if self.plans else None,
            faults=self.faults,
        )


class RunTally:
    """Games of a run, counted as they come in; each counts once."""

    def __init__(self, bots: Iterable[str], fault: FaultScore) -> None:
        """Begin with no game; ``bots`` are their names in table order."""
        self._scoring = fault
        self._bots = {name: _BotTotals() for name in bots}
        self._seen: set[str] = set()
        self.faults = 0
        self.fault: FaultStatus | None = None

    @property
    def done(self) -> int:
        """Number of games counted so far."""
        return len(self._seen)

    def add(self, row: GameResult, times: Sequence[SeatTime] = (), *, has_log: bool) -> None:
        """Count a game; ``has_log`` if a bot's standard error was kept."""
        if row.key in self._seen:
            return
        self._seen.add(row.key)
        for bot, point in (bot_points(row, self._scoring) or {}).items():
            totals = self._of(bot)
            totals.games += 1
            totals.points += float(point)
        for bot, time in zip(row.bots, times, strict=False):
            totals = self._of(bot)
            totals.seconds += time.seconds
            totals.plans += time.plans
            totals.longest = max(totals.longest, time.longest)
        if row.fault is not None:
            self._add_fault(row, has_log=has_log)

    def add_played(self, game: ReportedGame) -> None:
        """Count a game that has just ended."""
        self.add(game.result, game.times, has_log=bool(game.said))

    def _add_fault(self, row: GameResult, *, has_log: bool) -> None:
        fault = row.fault
        assert fault is not None  # noqa: S101 - for the type checker
        self.faults += 1
        bot = row.bots[fault.seat] if fault.seat >= 0 else ""
        if bot:
            self._of(bot).faults += 1
        log = f"logs/{row.key}-{fault.seat}.txt" if has_log else ""
        self.fault = FaultStatus(row.key[:8], bot, fault.kind, fault.text, fault.place, log)

    def _of(self, bot: str) -> _BotTotals:
        return self._bots.setdefault(bot, _BotTotals())

    def bots(self) -> tuple[BotStatus, ...]:
        """Return the status of each bot, in the order of the plan."""
        return tuple(totals.status(name) for name, totals in self._bots.items())


def tally_of(plan: LabPlan, setup: LabSetup) -> RunTally:
    """Return an empty tally for the games of a plan."""
    return RunTally((bot.name for bot in setup.bots), plan.fault)
