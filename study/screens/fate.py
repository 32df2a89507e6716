"""The window that shows when a game was decided: a curve of chances and the turning points."""

from __future__ import annotations

import asyncio
import os
from bisect import bisect_right
from typing import ClassVar, Final

import numpy as np
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.widgets import OptionList, Static

from engine.core.replay import BrokenLog
from study.debug.continuing import SearchStopped
from study.debug.debugger import Debugger
from study.debug.fate import shown, signed, what_happened
from study.debug.turning_points import (
    FateCurve,
    FateQuestion,
    TurningPoint,
    end_sought,
    fate_curve,
)
from study.farm.supervisor import FarmFault
from tui.console.exits import Stuck, Wrong
from tui.play.continuation import usual_level
from tui.play.seats import seat_name
from tui.screens.dialog import ChoiceList, Dialog, option
from tui.settings import keys
from tui.widgets.charts import ChartFrame, chart
from tui.widgets.jobs import begin

STAGES: Final = (12, 40)
"""Games played from each moment: few for a first picture, then more for a better one."""

_JOBS: Final = min(4, max(2, os.cpu_count() or 1))
"""Worker processes that play them; this process stays free for keys."""

_TELL: Final = 0.2
"""Seconds between two updates of the progress."""

_BAR: Final = 16
"""Width of the progress bar in columns."""

_WIDEST: Final = 70
_HIGHEST: Final = 16
_LEAST: Final = 6
"""Maximum columns of the chart, and its maximum and minimum rows."""

_SAMPLES: Final = 2 * _WIDEST
"""Number of values drawn, two per column of the chart."""

_OTHERS: Final = 16
"""Rows that the chart leaves to the rest of the window."""


class FateScreen(Dialog[int]):
    """Window that shows when a game was decided. It closes with the index of the entry to go to."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("fate")
    keys_text = "Enter: go to that moment   Esc: back"
    stages: ClassVar[tuple[int, ...]] = STAGES
    """Games from each moment: a first picture, then a better one."""

    def __init__(self, bench: Debugger) -> None:
        """Ask about a debugger's line, as its viewer sees it."""
        super().__init__("When was it decided?")
        self._bench = bench
        self._curve: FateCurve | None = None
        self._runs = self.stages[0]
        self._played = self._expected = 0
        self._is_left = self._is_done = False
        self._fault = ""
        self._timer: Timer | None = None

    def body(self) -> ComposeResult:
        """Yield the curve, the progress, and the list of turning points."""
        yield Static("", id="asked")
        yield Static("", id="chart")
        yield Static("", id="progress")
        yield ChoiceList()

    def on_mount(self) -> None:
        """Start playing continuations."""
        self.query_one(ChoiceList).focus()
        self._timer = self.set_interval(_TELL, self._tell)
        self._tell()
        begin(self, self._search, "fate", ends=False)

    def on_unmount(self) -> None:
        """Stop the search if it is still running."""
        self._is_left = True

    def on_resize(self) -> None:
        """Draw the chart for the new size."""
        super().on_resize()
        self._draw()

    def dress(self) -> None:
        """Draw the chart with the chosen colours and signs."""
        super().dress()
        self._draw()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the entry of the chosen turning point."""
        if self._curve is None or not self._curve.turning_points:
            return
        point = self._curve.turning_points[event.option_index].after
        self.dismiss(self._bench.line.origin(point.step)[0])

    # -- the search ------------------------------------------------------------------------------

    async def _search(self) -> None:
        """Play continuations in the background, few per moment at first, then more."""
        for runs in self.stages:
            self._runs, self._played, self._expected = runs, 0, 0
            try:
                self._curve = await asyncio.to_thread(self._curve_of, runs)
            except SearchStopped:
                return
            except (Wrong, Stuck, FarmFault, BrokenLog) as fault:
                self._fault = str(fault)
                break
            self._draw()
        self._is_done = True
        self._tell()

    def _curve_of(self, runs: int) -> FateCurve:
        """Play ``runs`` games from each moment and return the curve; called in a thread."""
        bench = self._bench
        question = FateQuestion(end_sought(bench), usual_level(bench.rules), runs)
        return fate_curve(
            bench, question, jobs=_JOBS, progress=self._note, stop=lambda: self._is_left
        )

    def _note(self, played: int, expected: int) -> None:
        self._played, self._expected = played, expected

    # -- drawing ---------------------------------------------------------------------------------

    def _tell(self) -> None:
        if not self.is_mounted:
            return
        self.query_one("#progress", Static).update(Text(self._progress()))
        if self._is_done and self._timer is not None:
            self._timer.stop()

    def _progress(self) -> str:
        if self._fault:
            return self._fault
        level = usual_level(self._bench.rules)
        if self._is_done:
            runs = self.stages[-1]
            return (
                f"So {runs} games went from each place as the computer ({level}) plays on;\n"
                "people may have seen it otherwise."
            )
        share = self._played / self._expected if self._expected else 0.0
        filled = round(share * _BAR)
        bar = "#" * filled + "." * (_BAR - filled)
        kind = "A first picture" if self._curve is None else "A better picture"
        text = f"{kind}: {bar} {100 * share:3.0f} % of {self._runs} games from each place"
        return f"{text}\nas the computer ({level}) plays on. Esc ends it."

    def _draw(self) -> None:
        """Draw the curve and list its turning points, as far as they are known."""
        curve = self._curve
        if curve is None or not self.is_mounted:
            return
        self.query_one("#asked", Static).update(
            Text(f"How likely it was that {curve.question.end.text}")
        )
        width = min(self.app.size.width - 8, _WIDEST)
        height = max(_LEAST, min(self.app.size.height - _OTHERS, _HIGHEST))
        area = self.query_one("#chart", Static)
        area.update(self._chart(curve, width, height))
        self._list(curve)
        self.call_after_refresh(self.share_rows)

    def _chart(self, curve: FateCurve, width: int, height: int) -> Text:
        shell, word = self.shell, self._bench.presenter.round_word
        if shell.settings.reader == "on":
            shares = (f"{word} {number}: {shown(share)}" for number, share in curve.by_round())
            return Text(", ".join(shares))
        values, rounds = course(self._bench, curve)
        seat = max(0, min(curve.question.end.winners, default=0))
        series = [*[list[int]()] * seat, values]
        names = [*[""] * seat, f"chance in percent, by {word}s"]
        frame = ChartFrame(0, 100, rounds)
        return chart(series, names, width, height, shell.palette, shell.glyphs, frame)

    def _list(self, curve: FateCurve) -> None:
        listed = self.query_one(ChoiceList)
        at = listed.highlighted
        listed.clear_options()
        listed.add_options([option(self._words(one)) for one in curve.turning_points])
        if curve.turning_points:
            listed.highlighted = min(at or 0, len(curve.turning_points) - 1)
        else:
            listed.add_option(option("No moment of it decided it.", reason=" "))

    def _words(self, moment: TurningPoint) -> str:
        """Describe a turning point in two lines: the event, and the parts of choice and luck."""
        before, after = moment.before, moment.after
        if after.index - before.index > 1:
            what = f"between entry {before.place} and entry {after.place}"
        else:
            what = what_happened(self._bench, moment)
            if moment.command and what.endswith(moment.command):  # no event has a message
                name = moment.command.split(maxsplit=1)[0].replace("-", " ")
                what = f"{seat_name(self._bench.seats, moment.seat)}: {name}"
        doubt = "" if moment.is_certain else " (may be chance)"
        text = f"{self._bench.presenter.round_word.capitalize()} {after.round}: {what}\n"
        text += f"  from {shown(before.share)} to {shown(after.share)}{doubt}"
        if moment.choice is not None and not moment.dice:
            text += f": the choice alone, {signed(moment.choice)}"
        elif moment.choice is not None and moment.dice is not None:
            text += f": the choice {signed(moment.choice)}, luck {signed(moment.dice)}"
        return text


def course(bench: Debugger, curve: FateCurve) -> tuple[list[int], int]:
    """Return evenly spread samples of a curve in percent, and the number of its rounds."""
    starts = [(bench.line.step_from(index), number) for index, number in bench.story.rounds]
    rounds, end = max(1, starts[-1][1]), max(len(bench.line), starts[-1][0]) + 1
    whens = []
    for point in curve.points:
        at = max(0, bisect_right(starts, point.step, key=lambda row: row[0]) - 1)
        first, number = starts[at]
        last = starts[at + 1][0] if at + 1 < len(starts) else end
        whens.append(number + max(0.0, (point.step - first) / max(1, last - first)))
    across = np.linspace(1, rounds + 1, _SAMPLES)
    shares = np.interp(across, whens, [100 * point.share for point in curve.points])
    return [round(share) for share in shares.tolist()], rounds
