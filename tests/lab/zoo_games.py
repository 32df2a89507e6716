"""Games with the bots of the zoo: setups, and a search for leftover processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from engine.core.record import replace
from engine.core.registry import find
from study.lab import keeper
from study.lab.bot_code import allow
from study.lab.bots import read_bot
from study.lab.games import ReportedGame, play_game
from study.lab.plans import GameLimits, GameTask, LabPlan, LabSetup, setup_of
from tests.patience import PATIENCE
from tests.programs import program

ZOO: Final = Path(__file__).parent / "zoo"
EXAMPLES: Final = Path(__file__).parents[2] / "docs" / "examples"
PYTHON: Final = f"cmd:{sys.executable} -S -E"
LIMITS: Final = GameLimits(answer=PATIENCE, memory=256, processes=12)
SHORT: Final = replace(LIMITS, answer=1.5)
"""Limits for bots that hang."""
RULESET: Final = "weltendaemmerung"
SHELL: Final = ("sh", "sed", "grep", "head", "cat")
"""Programs that the sample bot for a shell needs."""


class BadBot(NamedTuple):
    """Bot of the zoo, with the fault that must be found."""

    name: str
    kind: str
    words: str
    line: str
    """Its line in the table of ``lab check``."""

    @property
    def limits(self) -> GameLimits:
        """Limits for its games: only a bot that hangs may be cut off soon."""
        return SHORT if self.kind == "hang" else LIMITS


BAD_BOTS: Final = (
    BadBot("segfault", "crash", "SIGSEGV", "no crash"),
    BadBot("sleep", "hang", "no answer within 1.5 s; it slept", "answers at all"),
    BadBot("spin", "hang", "it worked for", "does not work for ever"),
    BadBot("two_gigabytes", "memory", "no more than 256 MiB", "memory"),
    BadBot("half_line", "exit", "left with code 0 in the middle of a line", "whole lines"),
    BadBot("long_line", "garbage", "20 lines in a row.*TOO_LONG", "lines of bounded length"),
    BadBot("wrong_json", "garbage", "20 lines in a row.*NO_JSON.*malformed", "lines of JSON"),
    BadBot("late", "hang", "no answer within 1.5 s", "answers in time"),
    BadBot("leaves", "exit", "left with code 3", "stays to the end"),
    BadBot("closes_output", "closed", "lives on", "keeps its output open"),
    BadBot("leaves_child", "", "", "leaves nothing behind"),
    BadBot("random_bytes", "garbage", "NO_JSON.*in UTF-8", "lines in UTF-8"),
    BadBot("fork_bomb", "processes", "12 are allowed", "number of processes"),
)


def command_of(name: str) -> str:
    """Return the command of a bot of the zoo."""
    return f"{PYTHON} {ZOO / name}.py"


def sample_in(language: str, folder: Path) -> str:
    """Return the sample bot in a language (a file ending); compile the one in C into ``folder``."""
    source = EXAMPLES / f"bot.{language}"
    if language != "c":
        interpreter, *_ = map(program, {"js": ["node"], "sh": SHELL}[language])
        return f"cmd:{interpreter} {source}"
    made = folder / "bot"
    subprocess.run([program("gcc"), "-Wall", "-Werror", "-o", made, source], check=True)
    return f"cmd:{made}"


def setup_with(*bots: str, limits: GameLimits = LIMITS, ruleset: str = RULESET) -> LabSetup:
    """Set up games of these bots on the smallest map."""
    scenario = {RULESET: "ford", "gd6": "spies", "kaladan": "duel"}[ruleset]
    plan = LabPlan(ruleset, bots, scenarios=(scenario,), limits=limits, keep="none")
    allow(map(read_bot, bots))
    return setup_of(plan)


def game_with(*bots: str, limits: GameLimits = LIMITS, ruleset: str = RULESET) -> ReportedGame:
    """Play one game of these bots, seated in the given order."""
    setup = setup_with(*bots, limits=limits, ruleset=ruleset)
    return play_game(find(ruleset), setup, GameTask(0, 0, tuple(range(len(bots))), 5))


def processes_left(mark: str) -> list[str]:
    """Return the processes of bots of the process whose bots have ``mark``.

    What its workers start has the mark without a number and does not count.
    """
    names = [path.name for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [name for name in names if keeper.is_marked(name, f"{mark}.".encode())]
