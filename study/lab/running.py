"""``banneret lab run``: play the games of a plan on a farm; the same command continues later.

A game whose key is known, from this run or one beside it, is not played again.
"""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from time import monotonic
from typing import Final, NamedTuple, Protocol

from engine.core.codec import encode_json
from study.farm.machines import REMOTE_COMMAND
from study.farm.runs import Done, Lost, Void
from study.farm.supervisor import Farm, FarmFault
from study.lab.games import GameFault, GameResult, ReportedGame
from study.lab.machines import PROOFS, farm_of
from study.lab.plans import (
    GameTask,
    LabSetup,
    book_remark,
    game_key,
    plan_from,
    seats_remark,
    setup_of,
)
from study.lab.scoring import upsets
from study.lab.stages import ScheduledGame, games_of, named
from study.lab.store import RunFolder, rows_of_others, run_path, write_save
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Stuck, Wrong
from tui.console.printing import say

FLUSH_SECONDS: Final = 0.5
"""Maximum seconds until results that came in are on the disk."""


_WORK: Final = re.compile(r"^[\w.]+:\w+: ")
"""Name of the work function at the beginning of a farm's fault."""


class RunWatcher(Protocol):
    """Watcher of a run, which may stop it."""

    def begin(self, total: int, known: int) -> None:
        """Learn how many games will be played, and how many are known already."""
        ...

    def played(self, game: ReportedGame) -> None:
        """Learn of a game that was played."""
        ...

    def tick(self, farm: Farm[LabSetup, GameTask, ReportedGame]) -> bool:
        """Check keys and the clock several times a second; return True to begin no further pair."""
        ...


class Workers(NamedTuple):
    """Processes and machines that play the games."""

    jobs: int | None = None
    """Number of processes; None means one per processor."""
    on: tuple[str, ...] = ()
    """Other machines."""
    command: str = REMOTE_COMMAND
    """Command of a worker, for the shell of a machine behind ``ssh``."""

    @classmethod
    def of(cls, args: Namespace) -> Workers:
        """Return the workers that the arguments of a verb name."""
        return cls(args.jobs, tuple(args.on), args.worker or REMOTE_COMMAND)


# -- playing -----------------------------------------------------------------------------------


def play_run(
    folder: RunFolder,
    setup: LabSetup,
    workers: Workers,
    watcher: RunWatcher,
    ports: LabPorts,
    *,
    is_enough: Callable[[], bool] = lambda: False,
) -> bool:
    """Play the games of a run that are not known; return False if it was stopped by hand.

    The folder must be open for writing. ``is_enough`` is called after every batch of rows; once it
    returns True, no further pair is begun. Ctrl-C stops the run by hand.

    Raises:
        Stuck: no worker can be set up.
        SaveFault: a game cannot be saved.
    """
    folder.keep_setup(setup)
    folder.stop(stopped=False)
    stage = _RunStage(folder, setup, watcher, ports, is_enough)
    while not is_enough():
        games = games_of(folder.plan, setup, folder.rows)
        missing = {game.key: game for game in reversed(games) if game.row is None}
        if not missing:
            break
        keeps = folder.plan.keep in {"lost", "upset", "all"}
        others = {} if keeps else rows_of_others(folder.path, missing)
        if others:
            folder.add([named(setup, missing[key].task, others[key]) for key in sorted(others)])
        elif not stage.play(list(reversed(missing.values())), workers):
            folder.stop(stopped=True)
            return False
    return True


def play_tasks(
    folder: RunFolder,
    setup: LabSetup,
    tasks: Iterable[GameTask],
    workers: Workers,
    watcher: RunWatcher,
    ports: LabPorts,
) -> list[GameResult] | None:
    """Return the rows of some games; play those that this folder does not have.

    Returns None if it was stopped by hand. The folder must be open for writing.

    Raises:
        Stuck: no worker can be set up.
        SaveFault: a game cannot be saved.
    """
    games = [ScheduledGame(task, game_key(setup, task), None) for task in tasks]
    missing = {game.key: game for game in games if game.key not in folder.rows}
    stage = _RunStage(folder, setup, watcher, ports, lambda: False)
    if missing and not stage.play(list(missing.values()), workers):
        folder.stop(stopped=True)
        return None
    return [named(setup, game.task, folder.rows[game.key]) for game in games]


class _RunStage:
    """Games that are played in parallel, with the rows that are not on the disk yet."""

    def __init__(
        self,
        folder: RunFolder,
        setup: LabSetup,
        watcher: RunWatcher,
        ports: LabPorts,
        is_enough: Callable[[], bool],
    ) -> None:
        self._folder, self._setup, self._watcher = folder, setup, watcher
        self._archive = ports.archive(folder.path / "games")
        self._is_enough = is_enough
        self._games: list[ReportedGame] = []
        self._since = monotonic()

    def play(self, missing: Sequence[ScheduledGame], workers: Workers) -> bool:
        """Play games; return False if they were stopped by hand before their end."""
        setup = self._setup
        self._watcher.begin(len(missing), len(self._folder.rows))
        tasks = _Tasks(missing)
        proofs, command = tasks.first(PROOFS), workers.command
        try:
            with farm_of(
                setup, workers.jobs, workers.on, proofs, self._void, command=command
            ) as farm:
                look = partial(self._look, farm, tasks)
                for result in farm.run(tasks, ordered=False, tick=look):
                    self._take(
                        result.value if isinstance(result, Done) else lost_game(setup, result)
                    )
        except KeyboardInterrupt:
            return False
        except FarmFault as fault:  # a missing host, or too little memory
            raise Stuck(_WORK.sub("", str(fault))) from None
        finally:
            self._flush()
        return not tasks.is_stopped_by_hand

    def _look(self, farm: Farm[LabSetup, GameTask, ReportedGame], tasks: _Tasks) -> None:
        """Write rows that have waited long enough; stop beginning pairs if that is wanted."""
        if self._games and monotonic() - self._since > FLUSH_SECONDS:
            self._flush()
            if self._is_enough():
                tasks.stop(by_hand=False)
        if self._watcher.tick(farm):
            tasks.stop(by_hand=True)

    def _take(self, played: ReportedGame) -> None:
        """Take in a game: write its save and logs, and report it to the watcher."""
        if played.log:
            write_save(self._archive, self._setup, played)
        self._folder.keep_said(played)
        self._games.append(played)
        self._watcher.played(played)

    def _void(self, void: Void[GameTask]) -> None:
        """Drop a game of a faulty machine; it is played again."""
        self._flush()
        self._folder.drop(game_key(self._setup, void.piece))

    def _flush(self) -> None:
        self._folder.add_times(self._games)
        self._folder.add([game.result for game in self._games])
        self._games.clear()
        self._since = monotonic()


class _Tasks:
    """Tasks of a stage, one after another; after ``stop`` only the rest of the current pair."""

    def __init__(self, games: Iterable[ScheduledGame]) -> None:
        self._left = deque(game.task for game in games)
        self._pair = -1
        self._is_stopped = self._is_by_hand = False

    def first(self, count: int) -> tuple[GameTask, ...]:
        """Return the first tasks that are left."""
        return tuple(islice(self._left, count))

    def stop(self, *, by_hand: bool) -> None:
        """Begin no further pair."""
        self._is_stopped = True
        self._is_by_hand |= by_hand

    @property
    def is_stopped_by_hand(self) -> bool:
        """True if games are left because the run was stopped by hand."""
        return self._is_by_hand and bool(self._left)

    def __iter__(self) -> Iterator[GameTask]:
        while self._left and not (self._is_stopped and self._left[0].pair != self._pair):
            task = self._left.popleft()
            self._pair = task.pair
            yield task


def lost_game(setup: LabSetup, lost: Lost[GameTask]) -> ReportedGame:
    """Return a game that workers could not finish.

    If one foreign bot took part, and the workers died or passed a limit, that bot is to blame.
    """
    task = lost.piece
    foreign = {bot for bot in task.seats if setup.bots[bot].kind != "level"}
    is_blamed = len(foreign) == 1 and lost.kind != "raised"
    seat = task.seats.index(foreign.pop()) if is_blamed else -1
    result = GameResult(
        key=game_key(setup, task),
        start=setup.starts[task.start].name,
        bots=tuple(setup.bots[bot].name for bot in task.seats),
        seed=task.seed,
        winners=(),
        reason="lost",
        entries=0,
        closed=0,
        refused=(0,) * len(task.seats),
        digest="",
        fault=GameFault(seat, lost.kind, lost.cause),
    )
    return ReportedGame(result, ())


# -- the verb ----------------------------------------------------------------------------------


def run_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Play a plan and print a table of it.

    Raises:
        Wrong: the plan is wrong, or the folder belongs to another run.
        Stuck: no worker can be set up.
    """
    from study.lab.live import watcher_of  # noqa: PLC0415 - knows the terminal
    from study.lab.reporting import short_report  # noqa: PLC0415 - reads what was played

    plan = plan_from(args)
    if plan.test is not None:
        raise Wrong(f"{args.plan} is the plan of a test; 'lab test' plays it")
    setup = setup_of(plan)
    folder = RunFolder.create(run_path(plan, args.output, args.runs), plan)
    with folder:
        for remark in filter(None, (*folder.remarks, book_remark(plan, setup), seats_remark(plan))):
            sys.stderr.write(f"banneret lab: {remark}\n")
        workers = Workers.of(args)
        with watcher_of(folder, setup, json=args.json, plain=args.plain) as watcher:
            is_over = play_run(folder, setup, workers, watcher, ports)
        if is_over and plan.keep == "upset":
            _keep_upsets(folder, ports)
    report = short_report(folder)
    if args.json:
        sys.stdout.write(encode_json(report).decode() + "\n")
    else:
        say(*report.lines())
    if not is_over:
        sys.stderr.write(f"banneret lab: stopped; the same command goes on with {folder.path}\n")
        return Exit.INTERRUPTED
    return Exit.OK


def _keep_upsets(folder: RunFolder, ports: LabPorts) -> None:
    """Remove the saves of games that the better bot won, once all games are over."""
    wanted = upsets(folder.rows.values(), folder.plan.fault)
    archive = ports.archive(folder.path / "games")
    for info in archive.listing():
        if info.name in folder.rows and info.name not in wanted:
            archive.delete(info.name)
