"""``banneret lab tune``: the best parameters of a bot, found by playing.

The rows of the run are its log: after an interruption, the search repeats its path over known games
and then continues. The best bot found has proved nothing yet, so a test on other seeds follows.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, Literal

from engine.core.record import Record, replace
from study.lab.bots import BotSpec, read_bot
from study.lab.games import GameResult
from study.lab.plans import (
    LabPlan,
    LabSetup,
    meetings,
    plan_from,
    schedule,
    setup_of,
)
from study.lab.running import RunWatcher, Workers, play_tasks
from study.lab.scoring import bot_points
from study.lab.search import (
    FEWEST_PAIRS,
    Candidate,
    ParameterSpan,
    SearchEnd,
    SearchPoint,
    climb,
    halve,
)
from study.lab.sprt import SequentialTest
from study.lab.store import RunFolder, run_path
from study.lab.testing import VerdictReport, verdict
from study.lab.verbs import LabPorts, note
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, say_report

SearchMethod = Literal["halving", "spsa"]

_SPAN: Final = re.compile(r"(?P<name>[^\W\d]\w*)=(?P<low>-?\d+(\.\d+)?)\.\.(?P<high>-?\d+(\.\d+)?)")

_OTHER_SEEDS: Final = 1_000_000
"""Distance of the seeds of the last test from those of the search."""


class TriedBot(Record, frozen=True):
    """Parameters that were tried, and their result."""

    parameters: dict[str, int | float | str]
    pairs: int
    share: float


class TuningReport(Record, frozen=True):
    """End of a search for parameters."""

    run: str
    bot: str
    against: str
    method: SearchMethod
    best: dict[str, int | float | str]
    pairs: int
    tried: tuple[TriedBot, ...]
    test: VerdictReport | None = None
    """The best parameters against the original bot, on separate seeds."""

    def lines(self) -> list[str]:
        """Return the report as text."""
        names = sorted(self.best)
        rows = [[*names, "pairs", "share"]]
        rows += (
            [*(f"{one.parameters[name]:g}" for name in names), str(one.pairs), f"{one.share:.1%}"]
            for one in self.tried[:10]
        )
        best = "&".join(f"{name}={value}" for name, value in self.best.items())
        found = [
            f"{self.run}: {self.bot} by {self.method}, {self.pairs} pairs against {self.against}",
            *columns(rows),
            f"best        {best}",
        ]
        return [*found, *(self.test.lines()[1:] if self.test is not None else [])]


def span_of(text: str) -> ParameterSpan:
    """Parse the range of a parameter, ``courage=0..1``; whole limits mean whole values.

    Raises:
        Wrong: it cannot be read.
    """
    found = _SPAN.fullmatch(text)
    if found is None or float(found["low"]) >= float(found["high"]):
        raise Wrong(f"--param {text}: a range is written NAME=LOW..HIGH, like courage=0.0..1.0")
    is_whole = "." not in found["low"] and "." not in found["high"]
    return ParameterSpan(found["name"], float(found["low"]), float(found["high"]), is_whole)


class Tuning:
    """Search for the parameters of one bot in one folder."""

    def __init__(
        self,
        folder: RunFolder,
        spans: Sequence[ParameterSpan],
        workers: Workers,
        watcher: RunWatcher,
        ports: LabPorts,
    ) -> None:
        """Prepare a search; the plan of the folder has the bot, then its default opponent."""
        self._folder, self._spans = folder, spans
        self._workers, self._watcher, self._ports = workers, watcher, ports
        self._bot, self._against = map(read_bot, folder.plan.bots)

    def search(self, method: SearchMethod, budget: int) -> SearchEnd | None:
        """Search for the best point; return None if it was stopped by hand."""
        axes = len(self._spans)
        if method == "spsa":
            return climb(self._share, axes, budget, self._folder.plan.seed)
        return halve(self._share, axes, budget)

    def with_values(self, at: SearchPoint, name: str) -> BotSpec:
        """Return the bot with the parameters of a point, under a name."""
        values = {span.name: span.value(x) for span, x in zip(self._spans, at, strict=True)}
        return replace(self._bot, name=name, parameters={**self._bot.parameters, **values})

    def _share(
        self, at: SearchPoint, other: SearchPoint | None, first: int, pairs: int
    ) -> float | None:
        """Return the share of the points that a point reaches in some pairs; None if stopped."""
        bot = self.with_values(at, "tried")
        against = (
            replace(self._against, name="against")
            if other is None
            else self.with_values(other, "against")
        )
        setup, rows = self._rows(bot, against, first, pairs)
        if rows is None:
            return None
        points = [bot_points(row, self._folder.plan.fault) for row in rows]
        counted = [one for one in points if one is not None]
        mine = float(sum(one.get(setup.bots[0].name, 0) for one in counted))
        return mine / len(counted) if counted else 0.5

    def _rows(
        self, bot: BotSpec, against: BotSpec, first: int, pairs: int
    ) -> tuple[LabSetup, list[GameResult] | None]:
        plan = self._folder.plan
        made = replace(plan, bots=(str(bot), str(against)), pairs=pairs, seed=plan.seed + first)
        setup = setup_of(made)
        met = meetings("round-robin", 2, setup.seats)
        tasks = schedule(made, setup, met, first)
        play = partial(play_tasks, self._folder, setup, tasks)
        return setup, play(self._workers, self._watcher, self._ports)


# -- the verb ----------------------------------------------------------------------------------


def tune_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Search for the best parameters of a bot, then test them.

    Raises:
        Wrong: the plan or a parameter is wrong, or the folder belongs to another run.
    """
    from study.lab.live import watcher_of  # noqa: PLC0415 - knows the terminal

    plan, spans = _plan(args)
    workers = Workers.of(args)
    folder = RunFolder.create(run_path(plan, args.output, args.runs), plan)
    setup = setup_of(plan)
    method: SearchMethod = args.method or ("halving" if len(spans) == 1 else "spsa")
    with folder:
        note(*folder.remarks)
        folder.keep_setup(setup)
        folder.stop(stopped=False)
        with watcher_of(folder, setup, json=args.json, plain=args.plain) as watcher:
            tuning = Tuning(folder, spans, workers, watcher, ports)
            found = tuning.search(method, args.budget)
    if found is None:
        note(f"stopped; the same command goes on with {folder.path}")
        return Exit.INTERRUPTED
    best = tuning.with_values(found.best, "best")
    report = _report(folder, method, found, best, tuning)
    if not args.no_test:
        test = _tested(folder.path, plan, best, workers, ports, args)
        report = replace(report, test=test)
    say_report(report.lines(), report, json=args.json)
    is_better = report.test is not None and report.test.verdict == "accepted H1"
    return Exit.OK if args.no_test or is_better else Exit.REFUSED


def _plan(args: Namespace) -> tuple[LabPlan, list[ParameterSpan]]:
    """Return the plan of a search, and the ranges of the parameters.

    Raises:
        Wrong: an argument cannot be read.
    """
    spans = [span_of(text) for text in args.param]
    if not spans:
        raise Wrong("say what may change: --param NAME=LOW..HIGH")
    names = [span.name for span in spans]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Wrong(f"--param {twice}: it is given twice")
    if args.budget < FEWEST_PAIRS:
        raise Wrong(f"--budget {args.budget}: a search takes at least {FEWEST_PAIRS} pairs")
    bot = read_bot(args.a)
    if bot.kind == "level":
        raise Wrong(f"{bot}: a level has no parameters; py:FILE.py:CLASS and cmd:COMMAND have")
    middle = {span.name: span.value(0.5) for span in spans}
    known = replace(bot, parameters={**middle, **bot.parameters})
    is_namesake = read_bot(args.against).name == known.name
    against = f"against={args.against}" if is_namesake else args.against
    return replace(plan_from(args, (str(known), against)), pairs=args.budget, test=None), spans


def _report(
    folder: RunFolder, method: SearchMethod, found: SearchEnd, best: BotSpec, tuning: Tuning
) -> TuningReport:
    def tried(one: Candidate) -> TriedBot:
        return TriedBot(tuning.with_values(one.at, "tried").parameters, one.pairs, one.share)

    bot, against = folder.plan.bots
    return TuningReport(
        run=folder.path.name,
        bot=bot,
        against=against,
        method=method,
        best=best.parameters,
        pairs=found.pairs,
        tried=tuple(map(tried, found.tried)),
    )


def _tested(
    path: Path, plan: LabPlan, best: BotSpec, workers: Workers, ports: LabPorts, args: Namespace
) -> VerdictReport:
    """Test the best parameters against those of the plan, on separate seeds."""
    before = replace(read_bot(plan.bots[0]), name="before")
    tested = replace(
        plan,
        bots=(str(best), str(before)),
        seed=plan.seed + _OTHER_SEEDS,
        pairs=args.budget,
        test=SequentialTest(0.0, 20.0),
    )
    return verdict(path / "test", tested, workers, ports, json=args.json, plain=args.plain)
