"""Other machines of a run, and ``banneret lab worker``, the command that runs there.

A machine proves itself by equality: it has the code of the plan, and its first games have the same
results as here, byte for byte. About one game in a hundred is played on two machines.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from engine.core.record import replace
from engine.core.sources import hash_of_files
from study.farm.checks import Checks, proofs_of
from study.farm.machines import REMOTE_COMMAND, machines_of
from study.farm.runs import Void
from study.farm.supervisor import Farm
from study.farm.worker import stdio_main
from study.lab.bot_code import asked
from study.lab.games import ReportedGame, play_games
from study.lab.plans import KEY_FORM, GameTask, LabSetup
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong

PROOFS: Final = 3
"""Number of games that a machine must play with the same results before it is given others."""

TWICE: Final = 100
"""About one game in this many is played on two machines."""

_MIB: Final = 1 << 20

_PLAYING: Final = (
    ("study.lab", "games.py"),
    ("study.lab", "endings.py"),
    ("study.lab", "measures.py"),
    ("tui.play", "continuation.py"),
    ("tui.play", "players.py"),
)
"""Modules that determine a game of the lab, in addition to the rules and the bots."""


def play_games_exactly(setup: LabSetup) -> Callable[[GameTask], ReportedGame]:
    """Return the work function of a farm on other machines: games without times, which differ."""
    play = play_games(setup)

    def one(task: GameTask) -> ReportedGame:
        return replace(play(task), times=())

    return one


@cache
def greeting() -> bytes:
    """Return the greeting of a worker: the form of keys, and a hash of the playing code."""
    sources = {name: files(home).joinpath(name).read_bytes() for home, name in _PLAYING}
    return f"lab {KEY_FORM}, {hash_of_files(sources)}".encode()


def farm_of(
    setup: LabSetup,
    jobs: int | None,
    on: Sequence[str],
    proofs: Sequence[GameTask],
    void: Callable[[Void[GameTask]], None],
    *,
    command: str = REMOTE_COMMAND,
) -> Farm[LabSetup, GameTask, ReportedGame]:
    """Create the farm of a run.

    Args:
        setup: common part of the games.
        jobs: processes on this machine; with 0, games are played in this process and have no
            limits.
        on: machines, as written on a command line; empty means this one.
        proofs: first games of the run, which other machines must play with the same results.
        void: called with each game that a faulty machine played.
        command: command of a worker, for the shell of a machine behind ``ssh``.

    Raises:
        Wrong: a machine cannot be read, or the user did not ask for a bot.
    """
    setup = asked(setup, setup.bots)
    if jobs == 0:
        return Farm(play_games, setup, workers=0)
    deadline, memory = setup.limits.game, setup.limits.memory * _MIB
    if not on:
        return Farm(play_games, setup, workers=jobs, deadline=deadline, memory=memory)
    machines = machines_of(on, workers=jobs, command=command)
    known = proofs_of(play_games_exactly, setup, tuple(proofs[:PROOFS]))
    return Farm(
        play_games_exactly,
        setup,
        deadline=deadline,
        memory=memory,
        machines=machines,
        checks=Checks(greet=greeting, proofs=known, twice=TWICE, void=void),
        notice=_tell,
    )


def _tell(line: str) -> None:
    sys.stderr.write(f"banneret lab: {line}\n")


def worker_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Serve a run on another machine through standard input and output.

    Raises:
        Wrong: standard input is a terminal.
    """
    del ports
    if not args.stdio:
        raise Wrong("a worker serves standard input and output; say --stdio")
    stdio_main()
    return Exit.OK
