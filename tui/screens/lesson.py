"""A lesson: the game's screen with a panel that says what to do, step by step."""

from __future__ import annotations

import textwrap
from functools import partial

from textual.app import ComposeResult

from engine.tabletop.board import Line, Mark, Overlay
from engine.tabletop.lesson import Step
from engine.tabletop.roles import Sign, Tone
from tui.play import progress
from tui.play.lesson_steps import LessonTable, Played, Tutor
from tui.screens.game import GameScreen
from tui.settings.key_names import spelt
from tui.widgets.jobs import begin
from tui.widgets.panels import Row, Rows

_MOST_ROWS = 6
"""Rows of the panel: a heading, and a text that should not be longer than the others."""

_LOW = 30
"""Rows of the screen below which the panel takes room from the log."""

_SPELT_OUT = str.maketrans({"↑": "up", "↓": "down", "←": "left", "→": "right"})

_Pointed = tuple[tuple[Mark, ...], tuple[int, int], tuple[Mark, ...]]
"""Marks of the game, the cell the step speaks of, and what is laid over the board for both."""


class LessonScreen(GameScreen):
    """Ends with ``next``, ``again``, ``game`` or ``left``."""

    def __init__(self, table: LessonTable, *, last: bool = True) -> None:
        super().__init__(table)
        self.tutor: Tutor = table.tutor
        self.lesson_panel = Rows(id="lesson")
        self._is_last = last
        self._begun = -1
        """The step that was shown last."""
        self._seen: list[Played] | None = None
        """What was played by itself in this step and waits to be confirmed."""
        self._told_end = False
        self._pointed: _Pointed = ((), (-1, -1), ())

    def compose(self) -> ComposeResult:
        """The panel stands above the hint, where the eye goes after a key."""
        for part in super().compose():
            if part is self.hint:
                yield self.lesson_panel
            yield part

    # -- the panel -------------------------------------------------------------------------------

    def dress(self) -> None:
        """The panel takes the colours of the others."""
        self.lesson_panel.dress(self.shell.palette)
        super().dress()

    def share_room(self) -> None:
        """The panel takes its rows, on a low screen partly from the log."""
        super().share_room()
        width, height = self.app.size
        texts = [self._words(step) for step in self.tutor.lesson.steps]
        longest = max((len(self._rows_of(text, width)) for text in texts), default=1)
        self.lesson_panel.styles.height = min(1 + longest, _MOST_ROWS)
        if height < _LOW:
            self.log_view.styles.height = 2

    def sync(self) -> None:
        """Draw what has changed, the panel too."""
        super().sync()
        self._show_step()

    def _show_step(self) -> None:
        tutor, palette, width = self.tutor, self.shell.palette, self.app.size.width
        step = tutor.step
        if step is None:
            head, text = f" {tutor.lesson.title}: done", "That was the whole lesson."
        else:
            head, text = f" {tutor.lesson.title}: {tutor.place}", self._words(step)
        asked = "" if not self._waits else f"{self._key('game.fire')}: go on "
        gap = max(1, width - len(head) - len(asked))
        rows: list[Row] = [(head + " " * gap + asked, palette.heading)]
        self.lesson_panel.put([*rows, *self._rows_of(text, width)])
        if self._waits and not self.session.note:
            self.hint.put(asked.strip(), "", palette.line(Tone.GOOD, -1))

    def marks(self, overlay: Overlay) -> tuple[Mark, ...]:
        """What is laid over the board, and the cell that the step speaks of."""
        step, below = self.tutor.step, super().marks(overlay)
        if step is None or step.at is None:
            return below
        if self._pointed[0] is not below or self._pointed[1] != step.at:
            loud = {(mark.x, mark.y) for mark in below if mark.sign is not Sign.IDLE}
            here = () if step.at in loud else (Mark(*step.at, Sign.TARGET),)
            self._pointed = below, step.at, (*below, *here)
        return self._pointed[2]

    def _rows_of(self, text: str, width: int) -> list[Row]:
        """A text as rows with a margin."""
        style = self.shell.palette.line(Tone.STRONG, -1)
        return [(f" {row}", style) for row in textwrap.wrap(text, max(8, width - 2))]

    def _words(self, step: Step) -> str:
        return spelt(step.text, self._keys())

    def _keys(self) -> dict[str, str]:
        names = self.key_names()
        if self.shell.glyphs == "ascii":
            names = {name: key.translate(_SPELT_OUT) for name, key in names.items()}
        return names

    def _key(self, name: str) -> str:
        return self._keys().get(name, "?")

    # -- going on --------------------------------------------------------------------------------

    @property
    def _waits(self) -> bool:
        """Whether the button goes on."""
        return self.tutor.is_reading or self._seen is not None

    async def action_fire(self) -> None:
        """Go on when there is only something to read; else the button of the game."""
        if not self._waits:
            await super().action_fire()
            return
        played, self._seen = self._seen or [], None
        self.tutor.go_on(played)
        self.session.note = ""
        self._after()

    def _go_on(self) -> None:
        """The next step, where other games have the next player."""
        tutor = self.tutor
        if self.session.note and not tutor.is_over:
            self.session.note = spelt(self.session.note, self._keys())
        if self._begun == tutor.number or self._busy:
            return
        self._begun = tutor.number
        self._remember()
        step = tutor.step
        if step is not None and self.shell.settings.reader == "on":
            self.log_view.say([Line(self._words(step), Tone.STRONG)])
        if step is None:
            self._end()
        elif step.auto:
            self._busy = True
            begin(self, partial(self._play_step, step), "computer")
        else:
            if step.lines and step.seat == self.session.person_next:
                self.session.hand_over()
            if step.at is not None:
                self.board.reveal(*step.at)
        self.sync()

    async def _play_step(self, step: Step) -> None:
        """Play what the lesson plays by itself."""
        self._skip.clear()
        played: list[Played] = []
        table = self.tutor_table
        try:
            for line in step.lines:
                reply = table.play(step.seat, line)
                if not reply.ok:
                    self.session.note = f"The lesson does not fit the rules any more: {reply.text}"
                    break
                played.append((step.seat, line))
                await self._played(line, reply)
        finally:
            self._busy = False
        if step.text:
            self._seen = played
            self.sync()
        else:
            self.tutor.go_on(played)
            self._after()

    @property
    def tutor_table(self) -> LessonTable:
        """The table, as a lesson needs it."""
        assert isinstance(self.table, LessonTable)  # noqa: S101 - it was made with one
        return self.table

    def _remember(self) -> None:
        tutor = self.tutor
        steps = len(tutor.lesson.steps)
        reached = progress.Reached(tutor.number, steps, tuple(tutor.played))
        progress.keep(f"{tutor.rules.name}/{tutor.lesson.name}", reached)

    def _end(self) -> None:
        """What next?"""
        from engine.tabletop.ask import Choice  # noqa: PLC0415 - not before the end
        from tui.screens.ask import ChooseOne  # noqa: PLC0415 - not before the end

        if self._told_end:
            return
        self._told_end = True
        title = f"You have finished “{self.tutor.lesson.title}”. What next?"
        if self.shell.glyphs == "ascii":
            title = title.replace("“", '"').replace("”", '"')
        ways = [] if self._is_last else [Choice("next", "The next lesson")]
        ways += [
            Choice("game", "A game of your own"),
            Choice("again", "This lesson again"),
            Choice("left", "Back to the title"),
        ]

        def chosen(value: str | None) -> None:
            self.dismiss(value or "left")

        self.app.push_screen(ChooseOne(title, ways), chosen)

    def action_summary(self) -> None:
        """What the lesson is about, then how the game stands."""
        self.log_view.say([Line(self.tutor.lesson.about, Tone.QUIET)])
        super().action_summary()
