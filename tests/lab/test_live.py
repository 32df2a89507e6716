"""The live view: its pace, its block in any window, its keys, and the restored terminal."""

from __future__ import annotations

import heapq
import io
import json
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from study.farm.supervisor import Farm
from study.lab.games import GameFault, GameResult, ReportedGame, SeatTime
from study.lab.live import JsonDisplay, LineDisplay, LiveWatcher, run_keys
from study.lab.plans import LabPlan, setup_of
from study.lab.progress import (
    BotStatus,
    FaultStatus,
    PaceEstimator,
    RunStatus,
    RunTally,
    SprtStatus,
)
from study.lab.running import Workers, play_run
from study.lab.status_lines import RICH, BlockStyle, StyledLine, block, sentence, style_for
from study.lab.store import RunFolder
from study.lab.terminal_block import TerminalBlock
from tests.farm import works
from tests.lab.runs import PORTS, plan
from tests.lab.screens import OwnTerminal, Screen
from tests.programs import needs
from tui.terminal.capabilities import detect

# -- the pace ----------------------------------------------------------------------------------


def simulated(
    games: int, workers: int, length: Callable[[int, random.Random], float], start: float
) -> Iterator[float]:
    """Return the end times of simulated games, sorted; each worker plays one game after another."""
    chance = random.Random(f"{games} {workers} {start}")  # noqa: S311
    free = [start * (1 + worker / workers) for worker in range(workers)]
    heapq.heapify(free)
    ends = []
    for at in range(games):
        end = free[0] + length(at, chance)
        heapq.heapreplace(free, end)
        ends.append(end)
    return iter(sorted(ends))


LENGTHS: dict[str, Callable[[int, random.Random], float]] = {
    "equal": lambda at, chance: 1.0,
    "any": lambda at, chance: chance.gammavariate(4.0, 0.25),
    "of two kinds": lambda at, chance: 0.2 if at % 3 else 2.0,
    "slow at first": lambda at, chance: (5.0 if at < 8 else 1.0) * chance.uniform(0.8, 1.2),
    "slower later": lambda at, chance: 1.0 if at < 40 else 1.5,
}


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    ("games", "workers", "start"), [(200, 1, 2.0), (400, 2, 5.0), (600, 8, 10.0), (3000, 32, 30.0)]
)
def test_time_left_is_within_a_quarter_after_a_third_of_a_run(
    games: int, workers: int, start: float, length: str
) -> None:
    ends = list(simulated(games, workers, LENGTHS[length], start))
    pace = PaceEstimator()
    pace.begin(start)
    for end in ends[: games // 3]:
        pace.count(end)
    now = ends[games // 3 - 1]
    told = pace.left(now, games - games // 3, workers)
    assert told == pytest.approx(ends[-1] - now, rel=0.25)


def test_startup_and_pauses_do_not_count_toward_the_pace() -> None:
    pace = PaceEstimator()
    assert (pace.rate(100.0), pace.left(100.0, 5)) == (None, None)
    pace.pause(50.0)
    pace.go_on(60.0)
    pace.begin(100.0)
    for moment in range(1, 11):
        pace.count(100.0 + moment)
    pace.pause(110.0)
    assert pace.elapsed(5000.0) == 10.0
    assert pace.left(5000.0, 20) == 20.0
    pace.go_on(6000.0)
    assert (pace.elapsed(6010.0), pace.rate(6010.0)) == (20.0, 0.5)


def test_pace_of_a_long_run_keeps_few_points() -> None:
    pace = PaceEstimator()
    for moment in range(1, 20_001):
        pace.count(moment / 4 if moment < 6000 else 1500 + (moment - 6000) / 2)
    assert len(pace._points) <= 512
    assert pace.rate(8500.0) == pytest.approx(2.0, rel=0.02)


# -- a farm that is paused ---------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 2])
def test_paused_farm_starts_nothing(tmp_path: Path, workers: int) -> None:
    marks = tmp_path / "marks"
    done = 0
    still: list[tuple[int, int]] = []
    with Farm(works.marking, str(marks), workers=workers) as farm:

        def tick() -> None:
            if farm.is_paused:
                hands = [worker.hand for worker in farm._dispatcher._crew.workers]
                if still or not any(hands):  # what was handed out is done or has come back
                    still.append((marks.read_text().count("\n"), done))
                farm.is_paused = len(still) < 3
            else:
                farm.is_paused = done >= 20 and not still

        for _ in farm.run(range(100), ordered=False, tick=tick):
            done += 1
    assert len(set(still)) == 1, "begun while it was paused"
    assert still[0][0] < 100, "what was begun has ended, and nothing else is on its way"
    assert sorted(map(int, marks.read_text().split())) == list(range(100)), "each once"


# -- a run with keys ---------------------------------------------------------------------------


class Scripted:
    """Display that presses keys after given numbers of games."""

    def __init__(self, keys: dict[int, str]) -> None:
        self._keys, self.looks = keys, 0
        self.seen: list[RunStatus] = []
        self.last: RunStatus | None = None

    def show(self, status: Callable[[], RunStatus], now: float, *, at_once: bool) -> None:
        self.seen.append(status())

    def pressed(self) -> str:
        self.looks += 1
        return self._keys.get(self.looks, "")

    def end(self, status: RunStatus) -> None:
        self.last = status


def watched(path: Path, made: LabPlan, keys: dict[int, str]) -> Scripted:
    """Play a run in this process and look at its status between any two games."""
    display, seconds = Scripted(keys), iter(range(10**6))
    setup = setup_of(made)
    with RunFolder.create(path, made) as folder:
        watcher = LiveWatcher(folder, setup, display, clock=lambda: float(next(seconds)))
        play_run(folder, setup, Workers(0), watcher, PORTS)
        watcher.end(is_cut=folder.is_stopped)
    return display


def test_keys_pause_a_run_and_stop_it_at_whole_pairs(tmp_path: Path) -> None:
    first = watched(tmp_path / "run", plan(pairs=3), {3: " ", 5: " ", 6: "x", 7: "q"})
    states = [(status.state, status.done) for status in first.seen]
    assert states[:6] == [
        ("running", 0),
        ("running", 1),
        ("paused", 2),
        ("paused", 2),
        ("running", 2),
        ("running", 3),
    ]
    assert states[6] == ("stopping", 4)
    assert first.seen[6].left is None
    assert first.last is not None
    assert (first.last.state, first.last.done, first.last.total) == ("stopped", 4, 6)
    again = watched(tmp_path / "run", plan(pairs=3), {})
    assert (again.seen[0].done, again.seen[0].total) == (4, 6), "those of earlier count"
    assert again.last is not None
    assert (again.last.state, again.last.done) == ("over", 6)
    assert {bot.bot: bot.games for bot in again.last.bots} == {"easy": 6, "normal": 6}
    assert sum(bot.points for bot in again.last.bots) == 6
    assert all(bot.plan is not None for bot in again.last.bots), "times of earlier games too"


# -- the block ---------------------------------------------------------------------------------


def status_with(bots: int = 2, *, test: bool = False, fault: bool = False) -> RunStatus:
    names = ["easy", "Wörter-Bot", "機械の棋士", *(f"the bot number {at}" for at in range(bots))]
    return RunStatus(
        run="a-run-of-the-night-with-a-name-that-is-longer-than-others",
        ruleset="weltendaemmerung",
        format="round-robin",
        state="running",
        done=1234,
        total=40_000,
        faults=3 if fault else 0,
        elapsed=4000.0,
        rate=13.25,
        left=2900.0,
        bots=tuple(
            BotStatus(name, 1000 + at, 500.5, 0.4987, 0.0213, 0.4, at)
            for at, name in enumerate(names)
        )[:bots],
        test=SprtStatus(0, 10, "normalized", 0.83, -2.944, 2.944, 617, 20_000, 340.0, 680.0)
        if test
        else None,
        fault=FaultStatus("3f9a12cd", "easy", "exit", "it said bye " * 20, "41", "logs/3f9a-1.txt")
        if fault
        else None,
    )


def text_of(lines: Sequence[StyledLine]) -> list[str]:
    return ["".join(text for text, _ in line) for line in lines]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (160, 50), (60, 12), (40, 16), (20, 3)])
@pytest.mark.parametrize("bots", [1, 3, 60])
def test_block_fits_into_its_window(columns: int, rows: int, bots: int) -> None:
    for test, fault in ((False, False), (True, False), (True, True)):
        status = status_with(bots, test=test, fault=fault)
        style = BlockStyle(columns - 1, rows - 1, RICH)
        screen = Screen(columns)
        lines = block(status, style, run_keys(status))
        TerminalBlock(screen, has_colours=True).draw(lines, columns, rows)
        assert screen.y < rows, "the cursor is below the block"


def test_default_window_shows_everything() -> None:
    status = status_with(3, test=True, fault=True)
    told = "\n".join(text_of(block(status, BlockStyle(79, 23, RICH), run_keys(status))))
    for word in (
        "running",
        "1:06:40",
        "機械の棋士",
        "1,234",
        "about 48:20 left",
        "13.2 games a second",
    ):
        assert word in told
    for word in (
        "+0.83",
        "-2.94",
        "about 340 left",
        "617",
        "3f9a12cd",
        "logs/3f9a-1.txt",
        "q stops",
    ):
        assert word in told
    many = text_of(block(status_with(60), BlockStyle(79, 23, RICH)))
    assert many[-1] == "and 43 more with fewer points"


def test_plain_terminal_gets_ascii_without_colour() -> None:
    plain = detect({"TERM": "xterm", "NO_COLOR": "1"}, lambda name: 8, "ISO-8859-1")
    style = style_for(plain, 80, 24)
    told = text_of(block(status_with(3, test=True, fault=True), style, ()))
    assert not style.has_colours
    assert "".join(told).isascii()
    screen = io.StringIO()
    lines = block(status_with(3), style)
    TerminalBlock(screen, has_colours=style.has_colours).draw(lines, 80, 24)
    assert "\x1b" not in screen.getvalue()


def test_redraw_writes_only_the_changes() -> None:
    screen = Screen(80)
    shown = TerminalBlock(screen, has_colours=True)
    chance = random.Random(1)  # noqa: S311
    status, style = status_with(3, test=True), BlockStyle(79, 23, RICH)
    sizes = []
    for at in range(40):
        bots = tuple(
            BotStatus(
                bot.bot,
                bot.games + at,
                bot.points + chance.randrange(at + 1) / 2,
                chance.uniform(0.45, 0.55),
                bot.plan,
                bot.longest,
                bot.faults,
            )
            for bot in status.bots
        )
        fresh = RunStatus(
            **{
                **{name: getattr(status, name) for name in RunStatus.__struct_fields__},
                "done": status.done + at,
                "elapsed": 4000.0 + at / 4,
                "bots": bots,
            }
        )
        before = shown.written
        lines = block(fresh, style, run_keys(fresh))
        shown.draw(lines, 80, 24)
        sizes.append(shown.written - before)
        shown.draw(lines, 80, 24)
        assert shown.written == before + sizes[-1], "nothing has changed"
        assert screen.lines[: len(lines)] == [text.rstrip() for text in text_of(lines)]
    assert max(sizes[1:]) < 500 < sizes[0]


def test_lines_stay_above_the_block_when_the_window_changes() -> None:
    screen = Screen(80)
    shown = TerminalBlock(screen, has_colours=True)
    lines = (("one", "title"),), (("two", ""),)
    shown.draw(lines, 80, 24)
    shown.above(["banneret lab: worker local 2 is used no more"])
    shown.draw(lines, 60, 24)
    shown.draw((*lines, (("三", "bar"),)), 60, 24)
    assert screen.lines == ["banneret lab: worker local 2 is used no more", "one", "two", "三"]


# -- lines -------------------------------------------------------------------------------------


def test_without_a_terminal_one_line_is_written_a_minute() -> None:
    stream = io.StringIO()
    display = LineDisplay(stream, None, seconds=60.0)
    for second in range(200):
        display.show(status_with, float(second), at_once=False)
    assert stream.getvalue().count("\n") == 3
    display.show(status_with, 200.0, at_once=True)
    assert stream.getvalue().count("\n") == 4
    assert stream.getvalue().splitlines()[0] == sentence(status_with())


def test_progress_line_gives_all_numbers() -> None:
    status = status_with(2, fault=True)
    assert sentence(status) == (
        "running: 1234 of 40000 games, 13.2 games a second, 48 minutes left;"
        " easy 49.9%, Wörter-Bot 49.9%; 3 broken off"
    )
    assert "LLR 0.83 of -2.94 to 2.94 after 617 pairs, about 340 pairs left" in sentence(
        status_with(test=True)
    )


def test_json_progress_is_one_line_every_two_seconds() -> None:
    stream = io.StringIO()
    display = JsonDisplay(stream)
    for quarter in range(17):
        display.show(status_with, quarter / 4, at_once=False)
    rows = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [row["done"] for row in rows] == [1234] * 3


def test_broken_off_game_is_reported_with_its_log() -> None:
    tally = RunTally(("a", "b"), "forfeit")
    fault = GameFault(1, "exit", "it said bye", "17")
    result = GameResult(
        "3f9a12cd00", "ford", ("b", "a"), 1, (), "fault", 18, 2, (0, 0), "", fault=fault
    )
    times = (SeatTime(0.5, 10, 0.2), SeatTime(0.1, 1, 0.1))
    for _ in range(2):
        tally.add_played(ReportedGame(result, times, said={"1": "Traceback"}))
    assert tally.fault == FaultStatus(
        "3f9a12cd", "a", "exit", "it said bye", "17", "logs/3f9a12cd00-1.txt"
    )
    assert tally.bots() == (
        BotStatus("a", 1, 0.0, 0.0, 0.1, 0.1, 1),
        BotStatus("b", 1, 1.0, 1.0, 0.05, 0.2, 0),
    )


# -- a real terminal ---------------------------------------------------------------------------

PROGRAM = """
import sys, time
from study.lab.terminal_block import KeyTerminal
with KeyTerminal(0, sys.stderr) as own:
    print("begun", flush=True)
    while True:
        time.sleep(0.01)
        for key in own.pressed():
            print(f"[{key}]", flush=True)
            if key == "x":
                raise SystemExit(3)
            if key == "e":
                1 / 0
"""

USUAL = (True, True, True)


@pytest.mark.parametrize(
    ("how", "code"), [("x", 3), ("e", 1), ("\x03", -signal.SIGINT), ("TERM", -signal.SIGTERM)]
)
def test_terminal_is_restored_at_exit(how: str, code: int) -> None:
    with OwnTerminal(sys.executable, "-c", PROGRAM) as own:
        own.until("begun")
        assert own.modes == (False, False, False)
        if how == "TERM":
            own.send(signal.SIGTERM)
        else:
            own.press(how)
        ended = own.wait()
        assert ended in {code, 1 if how == "\x03" else code}
        assert own.modes == USUAL
    assert own.text.rindex("\x1b[?25h") > own.text.rindex("\x1b[?25l"), "the cursor is there again"


SHELL = """
set -m
"$0" -c "$1"
echo "stopped $?"
read line
fg > /dev/null
echo "ended $?"
"""


@needs("bash")
def test_suspended_program_releases_and_retakes_the_terminal() -> None:
    with OwnTerminal("bash", "-c", SHELL, sys.executable, PROGRAM) as own:
        own.until("begun")
        own.press("\x1b[A\x1a")
        own.until("stopped 148")
        assert own.modes == USUAL
        assert own.text.rindex("\x1b[?25h") > own.text.rindex("\x1b[?25l")
        own.press("\n")
        own.until("\x1b[?25l")
        own.press("y")
        own.until("[y]")
        assert own.modes == (False, False, False)
        own.press("x")
        own.until("ended 3")
        assert own.modes == USUAL
    assert "[A]" not in own.text, "an arrow is no letter"
