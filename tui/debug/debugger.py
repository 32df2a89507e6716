"""The debugger's hold on one game: its line, the present place, marks, and whose eyes it uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.archive import Archive, Opened
from engine.core.codec import encode_json
from engine.core.feed import knows_all
from engine.core.ids import REFEREE, Viewer
from engine.core.notation import write
from engine.core.record import Record, tag
from engine.core.registry import find
from engine.core.scenarios import names_in
from engine.debug.line import GameLine, NoPlace, NumberedEvent, seat_line
from tui.console.exits import Wrong
from tui.play.seats import seat_name
from tui.replay.query import BadQuery, Query, parse
from tui.replay.timeline import Story


class Answer(Record, frozen=True):
    """One line of a verb's answer, with the same as data for ``--json``.

    ``place`` is the place the line speaks of, as it can be given to any other verb.
    """

    text: str
    place: str = ""
    data: dict[str, Any] = {}  # noqa: RUF012 - a default of a frozen record

    def json(self) -> str:
        """The answer as a line of JSON."""
        where = {"place": self.place} if self.place else {}
        return encode_json({**where, **(self.data or {"text": self.text})}).decode()


class Debugger:
    """One line of a game, looked at through the eyes of a viewer; stands at a step of it."""

    def __init__(
        self,
        opened: Opened,
        viewer: Viewer = REFEREE,
        head: int | None = None,
        archive: Archive | None = None,
    ) -> None:
        """Stand at the end of a line.

        Args:
            opened: the save.
            viewer: whose eyes are used.
            head: last entry of the line; by default the save's.
            archive: where other saves are read and new ones written; None: nowhere.

        Raises:
            BrokenLog: an event of the log cannot be applied.
        """
        self.opened = opened
        self.rules = find(opened.header.ruleset)
        self.viewer = viewer
        self.head = opened.log.head if head is None else head
        self.line: GameLine = seat_line(self.rules, opened.log, viewer, self.head)
        self.seats: Sequence[str] = names_in(self.rules, opened.log)
        self.at = len(self.line)
        self.marks: dict[str, int] = {}
        self._archive = archive
        self._story: Story | None = None

    @property
    def archive(self) -> Archive:
        """The archive of saves.

        Raises:
            Wrong: there is none, as over SSH.
        """
        if self._archive is None:
            raise Wrong("no files are read or written here")
        return self._archive

    @property
    def knows_all(self) -> bool:
        """True if nothing of the game is hidden from the viewer."""
        return knows_all(self.rules, self.viewer)

    @property
    def state(self) -> Any:
        """State, or view of the seat, at the present step."""
        return self.line.state(self.at)

    @property
    def story(self) -> Story:
        """Facts, rounds and numbers of the whole line."""
        if self._story is None:
            story = Story(self.rules, self.opened.log.line(self.head), self.viewer)
            for _ in story.walk():
                pass
            self._story = story
        return self._story

    # -- places ----------------------------------------------------------------------------------

    def step_at(self, text: str) -> int:
        """The step of a place in any of its forms, queries and marks included.

        Raises:
            Wrong: there is no such place.
        """
        text = text.strip()
        behind = len(text) - len(text.rstrip("^"))
        try:
            if text[:1] in {"r", "@", "?", "."}:
                step = self._named(text.rstrip("^"))
                return max(0, step - behind)
            return self.line.step_at(text)
        except NoPlace as problem:
            raise Wrong(str(problem)) from None

    def _named(self, text: str) -> int:
        if text == ".":
            return self.at
        if text.startswith("@"):
            if text[1:] not in self.marks:
                known = ", ".join(f"@{name}" for name in self.marks) or "none yet"
                raise Wrong(f"there is no mark {text}; known: {known}")
            return self.marks[text[1:]]
        if text.startswith("?"):
            found = next((step for step in self.matches(text[1:]) if step > self.at), None)
            if found is None:
                raise Wrong(f"nothing after {self.place()} fits {text[1:]}")
            return found
        if not text[1:].isdecimal():
            raise NoPlace(f"{text[:40]!r} is no place; a round is written r7")
        index = self.story.start_of_round(int(text[1:]))
        if index is None:
            raise Wrong(f"there is no round {text[1:]} in this game")
        return self.line.step_from(index)

    def place(self, step: int | None = None) -> str:
        """The place of a step; by default of the present one."""
        return self.line.place(self.at if step is None else step)

    # -- queries ---------------------------------------------------------------------------------

    def query(self, text: str) -> Query:
        """A query in the language of the replay.

        Raises:
            Wrong: it cannot be read; the text names the column.
        """
        numbers = self.rules.statistics(self.rules.empty()) if self.knows_all else {}
        try:
            return parse(text, self.seats, tuple(numbers))
        except BadQuery as bad:
            raise Wrong(str(bad)) from None

    def matches(self, text: str) -> list[int]:
        """The steps at which a query is true, in order.

        Raises:
            Wrong: the query cannot be read.
        """
        found = {
            self.line.step_from(moment.index, moment.event)
            for moment in self.query(text).search(self.story)
        }
        return sorted(found)

    # -- lines of text ---------------------------------------------------------------------------

    def heading(self, step: int) -> str:
        """The event that led to a step in one line: place, round, seat, command, event."""
        if step == 0:
            return f"{self.line.place(0)}  before the first event"
        at = self.line.step(step)
        parts = [self.line.place(step), *self._whose(at)]
        return "  ".join([*parts, tag(at.event)])

    def _whose(self, at: NumberedEvent) -> Iterator[str]:
        if at.entry.command is not None:
            yield seat_name(self.seats, at.entry.seat)
            yield write(at.entry.command)
