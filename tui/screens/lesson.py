"""Lessons: games with a panel that explains each step, and the list of them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import OptionList

from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.focus import NOTHING
from engine.tabletop.lesson import Lesson, Step
from engine.tabletop.roles import Tone
from tui.play.lessons import (
    LessonTable,
    PlayedLine,
    Reached,
    Tutor,
    keep_progress,
    known,
    load_progress,
)
from tui.screens.ask import ChooseOne
from tui.screens.dialog import option
from tui.screens.menu import MenuScreen
from tui.screens.turns import GameParts, TurnFlow
from tui.settings import keys
from tui.settings.keymap import spelt
from tui.widgets.board_rows import GoalLight
from tui.widgets.jobs import begin
from tui.widgets.panels import Rows, StyledRow

_MOST_ROWS = 6
"""Maximum rows of the panel: a heading, and a text as long as those of the other steps."""

_LOW = 30
"""Minimum rows of a screen on which the panel takes none from the log."""

_SPELT_OUT = str.maketrans({"↑": "up", "↓": "down", "←": "left", "→": "right"})

_GLOW = 0.6
"""Seconds for which the highlighted goal stays bright, and then faint."""


class LessonTurns(TurnFlow):
    """Turns of a lesson: explains each step, and plays the steps that play automatically.

    Its screen closes with ``next``, ``again``, ``game`` or ``left``.
    """

    def __init__(self, parts: GameParts, *, table: LessonTable, last: bool = True) -> None:
        """Play the lesson of ``table``; ``last`` is True if no other lesson follows."""
        super().__init__(parts)
        self.tutor: Tutor = table.tutor
        self.panel = Rows(id="lesson")
        self._lesson_table = table
        self._is_last = last
        self._begun = -1
        """The step that was begun last."""
        self._seen: list[PlayedLine] | None = None
        """Commands that the lesson played automatically in this step, until the player confirms."""
        self._told_end = False
        self._is_lit = True
        """True while the glow is bright."""

    def begin(self) -> None:
        """Start the glow of the goal."""
        self.screen.set_interval(_GLOW, self.glow)

    def above_hint(self) -> Iterable[Widget]:
        """Return the panel of the lesson, which is shown above the hint."""
        return (self.panel,)

    # -- the panel -------------------------------------------------------------------------------

    def dress(self) -> None:
        """Apply the chosen colours to the panel."""
        self.panel.dress(self.screen.shell.palette)

    def share_room(self) -> None:
        """Set the height of the panel; on a low screen, shrink the log."""
        width, height = self.screen.app.size
        texts = [self._words(step) for step in self.tutor.lesson.steps]
        longest = max((len(self._rows_of(text, width)) for text in texts), default=1)
        self.panel.styles.height = min(1 + longest, _MOST_ROWS)
        if height < _LOW:
            self.screen.log_view.styles.height = 2

    def drawn(self) -> None:
        """Draw the step in the panel, and its place on the map."""
        self._point()
        tutor, palette, width = self.tutor, self.screen.shell.palette, self.screen.app.size.width
        step = tutor.step
        if step is None:
            head, text = f" {tutor.lesson.title}: done", "That was the whole lesson."
        else:
            head, text = f" {tutor.lesson.title}: {tutor.place}", self._words(step)
        asked = "" if not self._waits else f"{self._keys().get('game.fire', '?')}: go on "
        gap = max(1, width - len(head) - len(asked))
        rows: list[StyledRow] = [(head + " " * gap + asked, palette.heading)]
        self.panel.put([*rows, *self._rows_of(text, width)])
        if self._waits and not self.session.note:
            self.screen.hint.put(asked.strip(), "", palette.line(Tone.GOOD, -1))

    def _point(self) -> None:
        """Highlight the place of the step: first the piece that acts, then its goal."""
        step, screen = self.tutor.step, self.screen
        at = None if step is None or self.shows.is_on else step.at
        if step is not None and at is not None and self._seen is None:
            is_held = self.session.focus.held != NOTHING or self.asking.pick is not None
            at = at if is_held or step.source is None else step.source
        light: GoalLight = "bright" if self._is_lit else "faint"
        screen.board.show_goal(at, "steady" if self.shows.is_still else light)

    def glow(self) -> None:
        """Make the glow brighter or fainter."""
        self._is_lit = not self._is_lit
        self._point()

    def _rows_of(self, text: str, width: int) -> list[StyledRow]:
        """Wrap a text into rows with a margin."""
        style = self.screen.shell.palette.line(Tone.STRONG, -1)
        return [(f" {row}", style) for row in textwrap.wrap(text, max(8, width - 2))]

    def _words(self, step: Step) -> str:
        return spelt(step.text, self._keys())

    def _spoken(self, step: Step) -> str:
        """Return the text of a step with coordinates, for players who cannot see the glow.

        Boards of characters need none: their boxes have names in the text.
        """
        if step.at is None or self.session.board.narrow:
            return self._words(step)
        way = [at for at in (step.source, step.at) if at is not None]
        return f"{self._words(step)} At {', then '.join(f'{x},{y}' for x, y in way)}."

    def _keys(self) -> dict[str, str]:
        names = self.screen.key_names()
        if self.screen.shell.glyphs == "ascii":
            names = {name: key.translate(_SPELT_OUT) for name, key in names.items()}
        return names

    # -- continuation ----------------------------------------------------------------------------

    @property
    def _waits(self) -> bool:
        """True if the button continues the lesson."""
        return self.tutor.is_reading or self._seen is not None

    def fire(self) -> bool:
        """Go to the next step if this one is only to be read; return False otherwise."""
        if not self._waits:
            return False
        played, self._seen = self._seen or [], None
        self.tutor.go_on(played)
        self.session.note = ""
        self.after()
        return True

    def go_on(self) -> None:
        """Begin the next step; a lesson has this in place of the next player's turn."""
        tutor = self.tutor
        if self.session.note and not tutor.is_over:
            self.session.note = spelt(self.session.note, self._keys())
        if self._begun == tutor.number or self.is_busy:
            return
        self._begun = tutor.number
        self._remember()
        step = tutor.step
        if step is not None and self.screen.shell.settings.reader == "on":
            self.screen.log_view.say([Line(self._spoken(step), Tone.STRONG)])
        if step is None:
            self._end()
        elif step.auto:
            self.is_busy = True
            begin(self.screen, partial(self._play_step, step), "computer")
        else:
            if step.lines and step.seat == self.session.person_next:
                self.session.hand_over()
            if step.at is not None:
                self.screen.board.reveal(*step.at)
        self.screen.sync()

    async def _play_step(self, step: Step) -> None:
        """Play a step that the lesson plays automatically."""
        self.skip.clear()
        played: list[PlayedLine] = []
        table = self._lesson_table
        try:
            for line in step.lines:
                reply = table.play(step.seat, line)
                if not reply.ok:
                    self.session.note = f"The lesson does not fit the rules any more: {reply.text}"
                    break
                played.append((step.seat, line))
                await self.show_move(line, reply)
        finally:
            self.is_busy = False
        if step.text:
            self._seen = played
            self.screen.sync()
        else:
            self.tutor.go_on(played)
            self.after()

    def _remember(self) -> None:
        tutor = self.tutor
        steps = len(tutor.lesson.steps)
        reached = Reached(tutor.number, steps, tuple(tutor.played))
        keep_progress(f"{tutor.rules.name}/{tutor.lesson.name}", reached)

    def _end(self) -> None:
        """Ask what to do next, once."""
        if self._told_end:
            return
        self._told_end = True
        title = f"You have finished “{self.tutor.lesson.title}”. What next?"
        if self.screen.shell.glyphs == "ascii":
            title = title.replace("“", '"').replace("”", '"')
        ways = [] if self._is_last else [Choice("next", "The next lesson")]
        ways += [
            Choice("game", "A game of your own"),
            Choice("again", "This lesson again"),
            Choice("left", "Back to the title"),
        ]

        def chosen(value: str | None) -> None:
            self.screen.dismiss(value or "left")

        self.screen.app.push_screen(ChooseOne(title, ways), chosen)

    def tell_summary(self) -> None:
        """Write the subject of the lesson to the log."""
        self.screen.log_view.say([Line(self.tutor.lesson.about, Tone.QUIET)])


# -- the list ------------------------------------------------------------------------------------

Chosen = tuple[str, Lesson, bool]
"""(name of the ruleset, lesson, whether to start at its first step)."""


class LessonsScreen(MenuScreen[Chosen]):
    """List of the lessons. It closes with the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("lessons")
    heading = "Learn to play"
    keys_text = (
        "Enter: take the lesson   {key:lessons.anew}: from its start   {key:lessons.leave}: back"
    )

    def on_mount(self) -> None:
        """List the lessons with the player's progress."""
        super().on_mount()
        self._found: list[tuple[str, str, Lesson]] = list(known())
        reached, undone = load_progress(), list[int]()
        for number, (name, title, lesson) in enumerate(self._found):
            place = reached.get(f"{name}/{lesson.name}", Reached())
            row = f"{title}: {lesson.title:<40.40} {place.words}".rstrip()
            self.choices.add_option(option(row))
            undone += [] if place.is_done else [number]
        if self._found:
            self.choices.highlighted = (undone or [0])[0]
        else:
            self.fault("No game here has lessons.")
        self.choices.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show the subject and length of the lesson under the cursor."""
        lesson = self._found[event.option_index][2]
        self.note(f"{lesson.about}\n{len(lesson.steps)} steps. Leave at any time and come back.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the lesson, to be continued at its saved step."""
        self._take(event.option_index, anew=False)

    def action_anew(self) -> None:
        """Close with the lesson, to be started at its first step."""
        if self.choices.highlighted is not None and self._found:
            self._take(self.choices.highlighted, anew=True)

    def _take(self, at: int, *, anew: bool) -> None:
        name, _, lesson = self._found[at]
        self.dismiss((name, lesson, anew))
