"""``banneret lab test``: is the first bot better than the second, and how certain is that?

Pairs are counted in the order of their numbers, so the verdict depends neither on how many games
are played at once nor on their lengths. A test that was stopped by hand has no verdict.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from engine.core.codec import encode_json
from engine.core.record import Record, replace
from study.lab.pentanomial import PairCounts, estimate_pairs
from study.lab.plans import (
    GameTask,
    LabPlan,
    LabSetup,
    SequentialTest,
    plan_from,
    seats_remark,
    setup_of,
)
from study.lab.progress import SprtStatus
from study.lab.running import Workers, play_run
from study.lab.scoring import PairLedger, ScoredPair, half_points
from study.lab.sprt import OrderedSprt, SprtPlan, expected_pairs_left
from study.lab.stages import games_of, named
from study.lab.store import RunFolder, run_path
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.printing import say

ALIKE: Final = 50
"""Minimum number of pairs, all equal, after which the bots count as playing the same."""

MOST_PAIRS: Final = 20_000


class VerdictReport(Record, frozen=True):
    """Result of a sequential test, from the first bot's point of view."""

    run: str
    bot: str
    other: str
    test: SequentialTest
    verdict: str
    """``accepted H1``, ``accepted H0``, ``undecided``, ``play the same`` or ``stopped by hand``."""
    pair: int | None
    """Number of the pair that decided the test."""
    counts: PairCounts
    """Pairs with 0, 1/2, 1, 3/2 and 2 points of the bot, for pairs of two games."""
    alike: int
    """Number of pairs whose games were equal, move by move."""
    llr: float
    lower: float
    upper: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    normalized: float | None
    los: float
    left: float | None
    """Expected number of further pairs."""
    words: str

    def lines(self) -> list[str]:
        """Return the report as text."""
        count = sum(self.counts)
        model = self.test.model
        bounds = f"{self.test.elo0:g} to {self.test.elo1:g} Elo ({model})"
        return [
            f"{self.run}: {self.bot} against {self.other}, {bounds}",
            f"verdict     {self._sentence()}",
            (
                f"pairs       {count}: {', '.join(map(str, self.counts))} with 0, 1/2, 1, 3/2, 2"
                f" points for {self.bot}; {self.alike} went alike move by move"
            ),
            f"LLR         {self.llr:.2f}, from {self.lower:.2f} to {self.upper:.2f}",
            (
                f"Elo         {_range(self.elo, self.elo_low, self.elo_high)} of {self.bot} over"
                f" {self.other}; normalized {_number(self.normalized)}"
            ),
            f"better      {self.los:.1%} that {self.bot} is better than {self.other}",
            *([f"remark      {self.words}"] if self.words else []),
        ]

    def _sentence(self) -> str:
        at = f" at pair {self.pair + 1}" if self.pair is not None else ""  # shown from 1 on
        meaning = {
            "accepted H1": f"{self.bot} is better by more than {self.test.elo0:g} Elo",
            "accepted H0": f"{self.bot} is not better by {self.test.elo1:g} Elo",
            "undecided": "not enough pairs were played",
            "play the same": f"the first {ALIKE} pairs went alike, move by move",
            "stopped by hand": "none, for stopping when the numbers look good breaks the test",
        }[self.verdict]
        return f"{self.verdict}{at}: {meaning}"


def sprt_plan(test: SequentialTest) -> SprtPlan:
    """Return the hypotheses of a plan's test."""
    return SprtPlan(test.elo0, test.elo1, test.model, test.alpha, test.beta)


class RunningTest:
    """A test of a run that is fed with the rows as they come in."""

    def __init__(self, folder: RunFolder, setup: LabSetup) -> None:
        plan = folder.plan
        assert plan.test is not None  # noqa: S101 - the plan of a test
        self._folder, self._plan, self._setup, self._test = folder, plan, setup, plan.test
        self._sprt_plan = sprt_plan(plan.test)
        self._sprt = OrderedSprt(self._sprt_plan)
        self._tasks: dict[str, list[GameTask]] = defaultdict(list)
        games = games_of(plan, setup, {})
        self._games = len(games)
        for game in games:
            self._tasks[game.key].append(game.task)
        self._ledger = PairLedger((game.task for game in games), plan.fault)
        self._taken: set[str] = set()
        self._count = self._alike = 0

    @property
    def plays_the_same(self) -> bool:
        """True if enough pairs were counted and all were equal."""
        return self._count >= ALIKE and self._alike == self._count

    def is_decided(self) -> bool:
        """Count the new pairs; return whether no further pair is needed."""
        for pair in self._fresh():
            if self._sprt.state.verdict != "undecided" or self.plays_the_same:
                break
            self._sprt.add(self._count, half_points(pair, self._setup.bots[0].name) / 2)
            self._count += 1
            self._alike += pair.is_alike
        return self._sprt.state.verdict != "undecided" or self.plays_the_same

    def _fresh(self) -> Iterator[ScoredPair]:
        rows = self._folder.rows
        for key in self._tasks.keys() & (rows.keys() - self._taken):
            self._taken.add(key)
            for task in self._tasks[key]:
                self._ledger.add(task.pair, named(self._setup, task, rows[key]))
        return self._ledger.next_pairs()

    def status(self) -> SprtStatus:
        """Return the state of the test, with the expected number of further pairs."""
        state, test = self._sprt.state, self._test
        if state.verdict != "undecided" or self.plays_the_same:
            left: float | None = 0.0
        else:
            left = _pairs_left(state.counts, self._sprt_plan)
        if left is not None:
            left = min(left, self._plan.pairs - self._count)
        return SprtStatus(
            elo0=test.elo0,
            elo1=test.elo1,
            model=test.model,
            llr=state.llr,
            lower=state.lower,
            upper=state.upper,
            pairs=state.pairs,
            most=self._plan.pairs,
            left=left,
            games_left=left if left is None else left * self._games / self._plan.pairs,
        )

    def report(self) -> VerdictReport:
        """Return the report of the pairs so far."""
        self.is_decided()
        state, test = self._sprt.state, self._test
        verdict = "play the same" if self.plays_the_same else str(state.verdict)
        if verdict == "undecided" and self._folder.is_stopped:
            verdict = "stopped by hand"
        found = estimate_pairs(state.counts)
        is_open = verdict in {"undecided", "stopped by hand"}
        return VerdictReport(
            run=self._folder.path.name,
            bot=self._setup.bots[0].name,
            other=self._setup.bots[1].name,
            test=test,
            verdict=verdict,
            pair=state.pair,
            counts=state.counts,
            alike=self._alike,
            llr=state.llr,
            lower=state.lower,
            upper=state.upper,
            elo=found.elo,
            elo_low=found.low,
            elo_high=found.high,
            normalized=found.normalized,
            los=found.los,
            left=_pairs_left(state.counts, self._sprt_plan) if is_open else None,
            words=found.words,
        )


@lru_cache(maxsize=8)
def _pairs_left(counts: PairCounts, plan: SprtPlan) -> float | None:
    return expected_pairs_left(counts, plan)


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.1f}"


def _range(value: float | None, low: float | None, high: float | None) -> str:
    return f"{_number(value)} ({_number(low)} to {_number(high)})"


# -- the verb ----------------------------------------------------------------------------------


def test_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Play pairs until the answer is known. The exit code is 1 if the bot is not better.

    Raises:
        Wrong: the plan is wrong, or the folder belongs to another run.
    """
    plan = _plan(args)
    path = run_path(plan, args.output, args.runs)
    workers = Workers.of(args)
    report = verdict(path, plan, workers, ports, json=args.json, plain=args.plain)
    if args.json:
        sys.stdout.write(encode_json(report).decode() + "\n")
    else:
        say(*report.lines())
    if report.verdict == "stopped by hand":
        return Exit.INTERRUPTED
    return Exit.OK if report.verdict == "accepted H1" else Exit.REFUSED


def verdict(
    path: Path,
    plan: LabPlan,
    workers: Workers,
    ports: LabPorts,
    *,
    json: bool = False,
    plain: bool = False,
) -> VerdictReport:
    """Play a test in a folder until the answer is known; return its report.

    Raises:
        Wrong: the plan is wrong, or the folder belongs to another run.
    """
    from study.lab.live import watcher_of  # noqa: PLC0415 - knows the terminal

    setup = setup_of(plan)
    with RunFolder.create(path, plan) as folder:
        for remark in filter(None, (*folder.remarks, seats_remark(plan))):
            sys.stderr.write(f"banneret lab: {remark}\n")
        test = RunningTest(folder, setup)
        with watcher_of(folder, setup, json=json, plain=plain, test=test.status) as watcher:
            play_run(folder, setup, workers, watcher, ports, is_enough=test.is_decided)
        return test.report()


def _plan(args: Namespace) -> LabPlan:
    """Return the plan of a test.

    Raises:
        Wrong: the arguments do not describe a test.
    """
    elo0, sign, elo1 = args.sprt.partition(",")
    try:
        test = SequentialTest(
            float(elo0), float(elo1) if sign else 0.0, args.model, args.alpha, args.beta
        )
        sprt_plan(test).checked()
    except ValueError as problem:
        raise Wrong(f"--sprt {args.sprt}: {problem}") from None
    plan = plan_from(args, (args.a, args.b))
    return replace(plan, test=test, pairs=args.pairs or MOST_PAIRS)
