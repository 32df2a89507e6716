"""The debugger on one game: its line, the present place, marks, and the viewer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.core.archive import Archive, Opened
from engine.core.codec import encode_json
from engine.core.feed import knows_all
from engine.core.ids import REFEREE, Viewer
from engine.core.notation import write
from engine.core.record import Record, replace, tag
from engine.core.registry import find
from engine.core.scenarios import names_in
from engine.debug.history import Followed, followed
from engine.debug.line import GameLine, NoPlace, NumberedEvent, seat_line
from engine.debug.paths import NoPath
from engine.debug.tracing import EventTrace, event_trace
from engine.tabletop.presenter import presenter_of
from tui.console.exits import Wrong
from tui.play.seats import seat_name
from tui.replay.query import BadQuery, Query, parse
from tui.replay.timeline import Story

_LONGEST_ROUND: Final = 10
"""Maximum characters of a round as a place."""


class Answer(Record, frozen=True):
    """One line of a verb's answer; ``json`` has the same as data.

    ``place`` is the place that the line is about, in the form that any verb takes.
    """

    text: str
    place: str = ""
    data: dict[str, Any] = {}  # noqa: RUF012 - a default of a frozen record

    def json(self) -> str:
        """Return the answer as a line of JSON."""
        where = {"place": self.place} if self.place else {}
        return encode_json({**where, **(self.data or {"text": self.text})}).decode()


class Debugger:
    """A cursor on one line of a game, as one viewer sees it.

    A *step* is a number of events of the line, from 0; a *place* is its name for people.
    """

    def __init__(
        self,
        opened: Opened,
        viewer: Viewer = REFEREE,
        head: int | None = None,
        *,
        archive: Archive | None = None,
        is_running: bool = False,
    ) -> None:
        """Start at the end of a line.

        Args:
            opened: the game.
            viewer: the viewer.
            head: the last entry of the line; None for that of the log.
            archive: for other saves and the marks; None if no files may be used.
            is_running: True if others are still playing this game, so that verbs which examine
                its dice or orders are refused, even if the viewer knows the position.

        Raises:
            BrokenLog: an event of the log cannot be applied.
        """
        self.opened = opened
        self.rules = find(opened.header.ruleset)
        self.presenter = presenter_of(self.rules)
        self.viewer = viewer
        self.is_running = is_running
        self.ascii_only = False
        """True if answers have ASCII only."""
        self._archive = archive
        self.head = opened.log.head if head is None else head
        self.line: GameLine = seat_line(self.rules, opened.log, viewer, self.head)
        self.seats: Sequence[str] = names_in(self.rules, opened.log)
        self.at = len(self.line)
        self.last_asked: tuple[str, int] | None = None
        """Path of the latest ``last``, and the step to which it went."""
        self.leads: list[tuple[str, int]] = []
        """Path and step of each numbered line in the latest answer of ``why``."""
        self._story: Story | None = None
        self._rounds: dict[int, int] = {}
        self._commands: dict[int, str] = {}
        """Commands in notation by the numbers of their entries."""
        self._closing = [
            index
            for index, entry in enumerate(self.line.entries)
            if not index or any(event.ends_phase for event in entry.events)
        ]
        """Positions of the set-up and of the entries that end a phase."""
        self._places = dict(archive.marks(opened, self.eyes)) if archive is not None else {}
        self.marks: dict[str, int] = dict(self._kept_marks())

    @property
    def archive(self) -> Archive:
        """The archive of saves.

        Raises:
            Wrong: it is missing, as over SSH.
        """
        if self._archive is None:
            raise Wrong("no other files are read or written here")
        return self._archive

    def branch(self, head: int) -> Debugger:
        """Return a debugger on the line of the same game that ends with entry ``head``."""
        return Debugger(self.opened, self.viewer, head, archive=self._archive)

    @property
    def may_change_eyes(self) -> bool:
        """True if the viewer may be changed to any seat."""
        return not self.is_running

    @property
    def has_archive(self) -> bool:
        """True if other saves can be read and written."""
        return self._archive is not None

    def next_eyes(self) -> Debugger:
        """Return a debugger on the same line as the next seat, or after the last as the referee."""
        following = {REFEREE: 0}.get(self.viewer, self.viewer + 1)
        viewer = following if following < len(self.opened.header.players) else REFEREE
        return Debugger(self.opened, viewer, self.head, archive=self._archive)

    @property
    def knows_all(self) -> bool:
        """True if no part of the game is hidden from the viewer."""
        return knows_all(self.rules, self.viewer)

    @property
    def eyes(self) -> str:
        """Name of the viewer's seat; empty for the referee."""
        return "" if self.viewer == REFEREE else seat_name(self.seats, self.viewer) or "public"

    @property
    def state(self) -> Any:
        """State, or view of the seat, at the present step."""
        return self.line.state(self.at)

    def view(self, step: int) -> Any:
        """Return the view of the viewer after a step."""
        state = self.line.state(step)
        is_view = not self.knows_all
        return state if is_view else self.rules.view(state, self.viewer)

    @property
    def story(self) -> Story:
        """Facts, rounds and statistics of the whole line; entries are numbered along this line."""
        if self._story is None:
            entries = self.opened.log.line(self.head)
            story = Story(self.rules, entries, self.viewer, own_numbers=not self.knows_all)
            for _ in story.walk():
                pass
            self._story = story
        return self._story

    # -- places ----------------------------------------------------------------------------------

    def step_at(self, text: str) -> int:
        """Return the step of a place in any form, including queries and marks.

        Raises:
            Wrong: the place does not exist.
        """
        text = text.strip()
        behind = len(text) - len(text.rstrip("^"))
        try:
            if text[:1] in {"r", "@", "?", "."} or text == "^":
                step = self._named(text.rstrip("^") or ".")
                return max(0, step - behind)
            return self.line.step_at(text)
        except NoPlace as problem:
            raise Wrong(str(problem)) from None

    def _named(self, text: str) -> int:
        if text == ".":
            return self.at
        if text.startswith("@"):
            return self._marked(text[1:])
        if text.startswith("?"):
            return self.next_match(text[1:], -1 if self.at == len(self.line) else self.at)
        if not text[1:].isdecimal() or len(text) > _LONGEST_ROUND:
            raise NoPlace(f"{text[:40]!r} is no place; a round is written r7")
        return self._start_of_round(int(text[1:]))

    def _start_of_round(self, number: int) -> int:
        """Return the first step of a round, which is inside an entry."""
        index = self.story.start_of_round(number)
        if index is None:
            raise Wrong(f"there is no round {number} in this game")
        first = self.line.step_from(index)
        entry = self.line.span(self.line.index_at(first)) if first <= len(self.line) else ()
        return next((step for step in entry if self.round_at(step) == number), first)

    def place(self, step: int | None = None) -> str:
        """Return the place of a step, of the present one by default."""
        return self.line.place(self.at if step is None else step)

    def round_at(self, step: int) -> int:
        """Return the number of the round in play at a step."""
        known = self._last_turn(step) if self.knows_all else step
        if known not in self._rounds:
            self._rounds[known] = self.presenter.status(self.view(known)).round
        return self._rounds[known]

    def _last_turn(self, step: int) -> int:
        """Return the last step up to this one at which the round can change, to share the cache."""
        at = bisect_right(self._closing, self.line.index_at(step)) - 1
        return min(step, self.line.starts[self._closing[at] + 1]) if at >= 0 else step

    # -- marks -----------------------------------------------------------------------------------

    def mark(self, name: str) -> None:
        """Name the present place, for this session and later ones.

        Raises:
            SaveFault: the name is only valid for this session, for the reason in the text.
        """
        self.marks[name] = self.at
        self._places[name] = self.place()
        if self._archive is not None:
            self._archive.keep_marks(self.opened, self.eyes, self._places)

    def _marked(self, name: str) -> int:
        if name in self.marks:
            return self.marks[name]
        if name in self._places:
            raise Wrong(f"@{name} is {self._places[name]}, which is not on this line")
        known = ", ".join(f"@{mark}" for mark in self.marks) or "none yet"
        raise Wrong(f"there is no mark @{name[:40]}; known: {known}")

    def _kept_marks(self) -> Iterator[tuple[str, int]]:
        """Yield the marks of earlier sessions that are places of this line."""
        for name, place in self._places.items():
            try:
                yield name, self.line.step_at(place)
            except NoPlace:
                continue

    # -- queries ---------------------------------------------------------------------------------

    def query(self, text: str) -> Query:
        """Parse a query in the language of the replay.

        Raises:
            Wrong: it cannot be read; the text gives the column.
        """
        numbers = self.rules.statistics(self.rules.empty()) if self.knows_all else {}
        try:
            return parse(text, self.seats, tuple(numbers))
        except BadQuery as bad:
            raise Wrong(str(bad)) from None

    def matches(self, text: str) -> list[int]:
        """Return the steps whose events match a query, in order.

        Raises:
            Wrong: the query cannot be read.
        """
        found = {
            self.line.step_from(moment.index, moment.event)
            for moment in self.query(text).search(self.story)
        }
        return sorted(found)

    def next_match(self, text: str, after: int) -> int:
        """Return the first step after ``after`` whose event matches a query.

        Raises:
            Wrong: the query cannot be read, or no such step exists.
        """
        found = next((step for step in self.matches(text) if step > after), None)
        if found is None:
            where = f"after {self.place(after)}" if after >= 0 else "in this game"
            raise Wrong(f"nothing {where} fits {text}")
        return found

    # -- values ----------------------------------------------------------------------------------

    def followed(self, text: str) -> Followed:
        """Return the value at a path, or a statistic, along the line, as the viewer may know it.

        Raises:
            Wrong: it does not exist; the text names the nearest.
            BrokenLog: an event cannot be applied.
        """
        seats = self.seats if self.knows_all else ()
        try:
            return followed(self.rules, self.line.states(), text, seats)
        except NoPath as problem:
            raise Wrong(str(problem)) from None

    # -- lines of text ---------------------------------------------------------------------------

    def rules_of(self, step: int) -> Sequence[str]:
        """Return the ids of the rules behind the event before a step, the innermost first."""
        found = self.event_trace(step)
        return found.rules if found is not None else ()

    def event_trace(self, step: int) -> EventTrace | None:
        """Return the trace of the event before a step, or None.

        For an end, the rule of that end is first.

        A rule of the game may keep several ends apart; the sentence for this one names its rule.
        """
        trace = event_trace(self.line, step)
        if trace is None or not self.is_end(step):
            return trace
        after = self.rules.view(self.line.state(step), REFEREE)
        told = self.presenter.tell(self.line.step(step).event, after)
        first = tuple(dict.fromkeys(line.rule for line in told if line.rule))[:1]
        rest = (rule for rule in trace.rules if rule not in first)
        used = tuple(rule for rule in trace.used if rule not in first)
        return replace(trace, rules=(*first, *rest), used=used)

    def is_end(self, step: int) -> bool:
        """Return whether the event before a step decided the game."""
        before, after = map(self.rules.outcome, map(self.line.state, (step - 1, step)))
        return before is None and after is not None

    def heading(self, step: int, *, rules: bool = True) -> str:
        """Return the event before a step in one line: place, round, seat, command, event, rule.

        Finding the rule requires deciding the entry again; pass ``rules=False`` to skip it.
        """
        if step == 0:
            return f"{self.line.place(0)}  before the first event"
        at = self.line.step(step)
        parts = [self.line.place(step), self._when(at), self._command(at), tag(at.event)]
        known = self.rules_of(step)[:1] if rules else ()
        return "  ".join(filter(None, [*parts, *known]))

    def log_line(self, step: int) -> str:
        """Return a line like ``heading``, without the rule; the command is last, to be cut off."""
        if step == 0:
            return self.heading(0)
        at = self.line.step(step)
        parts = [self.line.place(step), self._when(at), tag(at.event), self._command(at)]
        return "  ".join(filter(None, parts))

    def event_data(self, step: int, *, rules: bool = True) -> dict[str, Any]:
        """Return the event before a step as data: round, seat, command, event, all its rules."""
        if step == 0:
            return {}
        at = self.line.step(step)
        row: dict[str, Any] = {"round": self.round_at(step)}
        if at.entry.command is not None:
            row |= {
                "seat": seat_name(self.seats, at.entry.seat),
                "command": self._command(at),
            }
        row["event"] = at.event
        return row | ({"rules": found} if rules and (found := self.rules_of(step)) else {})

    def _when(self, at: NumberedEvent) -> str:
        who = seat_name(self.seats, at.entry.seat) if at.entry.command is not None else ""
        return f"r{self.round_at(at.number)} {who}".rstrip()

    def _command(self, at: NumberedEvent) -> str:
        """Return the command of an entry in notation; empty for the set-up."""
        if at.entry.command is None:
            return ""
        if at.entry.seq not in self._commands:
            self._commands[at.entry.seq] = write(at.entry.command)
        return self._commands[at.entry.seq]
