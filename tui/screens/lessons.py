"""Which lesson to take."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.widgets import OptionList

from engine.tabletop.lesson import Lesson
from tui.play import progress
from tui.play.lessons import known
from tui.screens.dialog import option
from tui.screens.menu import MenuScreen
from tui.settings import keys

Chosen = tuple[str, str, bool]
"""Ruleset, name of the lesson, and whether to begin anew."""


class LessonsScreen(MenuScreen[Chosen]):
    """Ends with the lesson to take."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.LESSONS)
    heading = "Learn to play"
    keys_text = (
        "Enter: take the lesson   {key:lessons.anew}: from its start   {key:lessons.leave}: back"
    )

    def on_mount(self) -> None:
        """List the lessons with how far they were taken."""
        super().on_mount()
        self._found: list[tuple[str, str, Lesson]] = list(known())
        reached = progress.load()
        rows = []
        for name, title, lesson in self._found:
            place = reached.get(f"{name}/{lesson.name}", progress.Reached())
            rows.append(f"{title}: {lesson.title:<40.40} {place.words}".rstrip())
        self.choices.add_options([option(row) for row in rows])
        undone = [
            number
            for number, (name, _, lesson) in enumerate(self._found)
            if not reached.get(f"{name}/{lesson.name}", progress.Reached()).is_done
        ]
        if self._found:
            self.choices.highlighted = (undone or [0])[0]
        else:
            self.fault("No game here has lessons.")
        self.choices.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """What it teaches, and how long it is."""
        lesson = self._found[event.option_index][2]
        self.note(f"{lesson.about}\n{len(lesson.steps)} steps. Leave at any time and come back.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take that one, from where it was left."""
        self._take(event.option_index, anew=False)

    def action_anew(self) -> None:
        """Take it from its first step."""
        if self.choices.highlighted is not None and self._found:
            self._take(self.choices.highlighted, anew=True)

    def _take(self, at: int, *, anew: bool) -> None:
        name, _, lesson = self._found[at]
        self.dismiss((name, lesson.name, anew))
