"""Watch: a saved game at one moment, as one viewer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, Final

from engine.core import registry
from engine.core.archive import Opened
from engine.core.feed import AnyChange, RedactedEvent, knows_all, recorded
from engine.core.ids import PUBLIC, ROOT, Viewer
from engine.core.log import AnyEntry
from engine.core.record import tag
from engine.core.replay import Cursor, Keyframes, apply
from engine.core.scenarios import names_in
from engine.core.soundness import check_seats, log_faults
from engine.tabletop.board import Board, Line, Status
from engine.tabletop.fact import EventMoment, Fact
from engine.tabletop.presenter import presenter_of
from tui.replay.query import per_cent
from tui.replay.timeline import Story
from tui.replay.viewers import is_secret, viewer_name, viewers_of

WHOLE: Final = -1
"""Value of ``part`` that means all events of an entry."""

_PLACE: Final = re.compile(
    r"(?P<round>r(?:ound)? *)?#?(?P<number>\d{1,9})(?:(?P<percent>%)|\.(?P<event>\d{1,9}))?"
)


class Watch:
    """A moment of a line of the log, and what the viewer knows there.

    ``index`` is the position of the entry in the line, ``part`` the number of its events that have
    happened.
    """

    def __init__(
        self,
        opened: Opened,
        remembered: Mapping[int, Any] | None = None,
        seated: Viewer | None = None,
    ) -> None:
        """Begin at the start of the line in play; ``remembered`` are states by entry, to save time.

        ``seated`` is the viewer who plays this game now, and may watch as that seat.

        Raises:
            BrokenLog: an event of the log cannot be applied.
            SaveFault: the header does not name the players.
        """
        self.opened = opened
        self.rules = registry.find(opened.header.ruleset)
        with log_faults(self.rules, opened.log):
            self._begin(remembered, seated)

    def _begin(self, remembered: Mapping[int, Any] | None, seated: Viewer | None) -> None:
        opened = self.opened
        self.presenter = presenter_of(self.rules)
        self.zoom = self.presenter.zooms[0]
        self.keyframes: Keyframes[Any] = Keyframes()
        self.keyframes.states.update(remembered or {})
        self.line: tuple[AnyEntry, ...] = ()
        first = opened.log.line()[0]
        check_seats(self.rules, opened.header, apply(self.rules, self.rules.empty(), first))
        self.seats = names_in(self.rules, opened.log)
        self.is_secret = is_secret(self.rules, opened)
        self.viewers = viewers_of(opened, secret=self.is_secret)
        if self.is_secret and seated is not None:
            self.viewers = tuple(dict.fromkeys((seated, PUBLIC)))
        self.viewer: Viewer = self.viewers[0]
        self.index = self.part = 0
        self.state: Any = self.rules.empty()
        self.told: list[RedactedEvent] = []
        self._change: AnyChange | None = None
        self._follow(opened.log.head)
        self.seek(0)

    # -- viewer ----------------------------------------------------------------------------------

    def name_of(self, viewer: Viewer) -> str:
        """Return the name of a viewer."""
        return viewer_name(viewer, self.seats)

    def look_as(self, viewer: Viewer) -> None:
        """Switch to another viewer; do nothing if that is not allowed."""
        if viewer in self.viewers and viewer != self.viewer:
            self.viewer = viewer
            self._tell_anew()
            self.seek(self.index, self.part)

    @property
    def may_count(self) -> bool:
        """True if this viewer may know the numbers of all seats."""
        return knows_all(self.rules, self.viewer)

    # -- position --------------------------------------------------------------------------------

    @property
    def entry(self) -> AnyEntry:
        """Current entry."""
        return self.line[self.index]

    @property
    def before(self) -> Any:
        """State before the current entry, regardless of the viewer."""
        return self._change_at(self.index).states[0]

    @property
    def last(self) -> int:
        """Last position of the line; positions count from 0."""
        return len(self.line) - 1

    @property
    def is_between(self) -> bool:
        """True if some events of the entry have not happened yet."""
        return self.part < len(self.entry.events)

    def seek(self, index: int, part: int = WHOLE) -> None:
        """Go to the entry at a position, after ``part`` of its events.

        Raises:
            BrokenLog: an event before that cannot be applied.
        """
        index = max(0, min(index, self.last))
        entry = self.line[index]
        whole = len(entry.events)
        part = whole if part == WHOLE else min(max(1, part), whole)
        change = self._change_at(index)
        self.told = [told for told in change.events(self.viewer) if told.number < part]
        self.index, self.part, self.state = index, part, change.states[part]
        self.view = change.view(self.viewer, part)
        self._draw()

    def _change_at(self, index: int) -> AnyChange:
        """Return the change made by an entry of the line; the latest one is cached."""
        entry = self.line[index]
        if self._change is None or self._change.entry is not entry:
            self._change = recorded(self.rules, self._cursor.seek(index - 1), entry)
        return self._change

    def step(self, by: int) -> None:
        """Move by some entries; entries hidden from the viewer are skipped."""
        index, way = self.index, 1 if by > 0 else -1
        for _ in range(abs(by)):
            index += way
            while 0 < index < self.last and not self._is_seen(index):
                index += way
        self.seek(index)

    def step_event(self, by: int) -> None:
        """Move by one event, into the next or previous entry at the ends of this one."""
        part = self.part + by
        if 1 <= part <= len(self.entry.events):
            self.seek(self.index, part)
        elif by > 0 and self.index < self.last:
            self.step(1)
            self.seek(self.index, 1)
        elif by < 0 and self.index > 0:
            self.step(-1)

    def play_on(self) -> None:
        """Go to the next entry; in simultaneous games to the next event with a message."""
        if not self.rules.traits.simultaneous:
            self.step(1)
            return
        while True:
            self.step_event(1)
            if not self.is_between or self._is_telling():
                return

    def _is_telling(self) -> bool:
        """Return whether the latest event has a message."""
        last = self.told[-1] if self.told else None
        if last is None or last.number != self.part - 1:
            return False
        return bool(self.presenter.tell(last.event, last.after))

    def step_phase(self, by: int) -> None:
        """Go to the next or previous entry that ends a phase."""
        index = self.index + by
        while 0 < index < self.last and not any(e.ends_phase for e in self.line[index].events):
            index += by
        self.seek(index)

    def step_round(self, by: int) -> None:
        """Go to the start of the next round or the previous one."""
        here = self.status.round
        if by < 0 and (known := self.story.start_of_round(here - 1)) is not None:
            self.seek(known)
            return
        while True:
            self.step_phase(by)
            if self.status.round != here or not 0 < self.index < self.last:
                return

    def follow(self, head: int) -> None:
        """Switch to the line that ends with entry number ``head``, where it leaves this line."""
        known = {entry.seq: place for place, entry in enumerate(self.opened.log.line(head))}
        here = self.entry
        while here.seq not in known and here.parent != ROOT:
            here = self.opened.log[here.parent]
        self._follow(head)
        self.seek(known.get(here.seq, 0))

    def _follow(self, head: int) -> None:
        self.line = tuple(self.opened.log.line(head))
        self._cursor: Cursor[Any, Any, Any] = Cursor(self.rules, self.line, self.keyframes)
        self._tell_anew()

    def _tell_anew(self) -> None:
        self.story = Story(self.rules, self.line, self.viewer, self.keyframes)

    def _is_seen(self, index: int) -> bool:
        """Return whether the viewer sees anything of an entry; False only in games with secrets."""
        if self.may_count or self.line[index].seat == self.viewer:
            return True
        return bool(self._change_at(index).events(self.viewer))

    def place_named(self, text: str) -> tuple[int, int] | None:
        """Parse ``12``, ``#12``, ``12.3``, ``r3``, ``round 3`` or ``50%`` into (position, part).

        Entries have the numbers of the log; for an entry of another line, return the last one
        before it. None if the text is no place.
        """
        found = _PLACE.fullmatch(text.strip().casefold())
        if found is None:
            return None
        number = int(found["number"])
        if found["round"]:
            return self._start_of_round(number), WHOLE
        if found["percent"]:
            return min(self.last, round(self.last * number / 100)), WHOLE
        index = self.index_of(number)
        is_there = self.line[index].seq == number
        return index, int(found["event"]) if found["event"] and is_there else WHOLE

    def index_of(self, number: int) -> int:
        """Return the position of the entry with a number, or of the last one before it."""
        return max(0, bisect_right(self.line, number, key=lambda entry: entry.seq) - 1)

    def _start_of_round(self, number: int) -> int:
        """Return the entry at which a round begins: from the story if read, or else by search."""
        known = self.story.start_of_round(number)
        if known is not None or self.story.is_whole:
            return known if known is not None else self.last
        here, part = self.index, self.part
        self.seek(0)
        while self.status.round < number and self.index < self.last:
            self.step_round(1)
        found = self.index
        self.seek(here, part)
        return found

    def twin(self) -> Watch:
        """Return another watch at the same moment, which moves independently."""
        other = Watch(self.opened, self.keyframes.states)
        other.follow(self.line[-1].seq)
        other.look_as(self.viewer)
        other.seek(self.index, self.part)
        return other

    def ending(self, head: int) -> str:
        """Return how the line to entry number ``head`` ends: its outcome or its round, in words."""
        line = self.opened.log.line(head)
        state = Cursor(self.rules, line, self.keyframes).seek(len(line) - 1)
        status = self.presenter.status(self.rules.view(state, self.viewer))
        return status.text if status.over else status.round_text

    # -- drawing ---------------------------------------------------------------------------------

    def _draw(self) -> None:
        self.board: Board = self.presenter.board(self.view, self.zoom)
        self.status: Status = self.presenter.status(self.view)

    def next_zoom(self) -> None:
        """Switch to the next zoom of the board."""
        zooms = self.presenter.zooms
        self.zoom = zooms[(zooms.index(self.zoom) + 1) % len(zooms)]
        self._draw()

    def said(self) -> list[Line]:
        """Return the messages of the events shown at this moment."""
        return [line for told in self.told for line in self.presenter.tell(told.event, told.after)]

    def facts(self) -> list[Fact]:
        """Return the facts of the events shown at this moment."""
        return [
            fact
            for told in self.told
            for fact in self.presenter.facts(told.event, told.before, told.after)
        ]

    def latest(self, since: int = 0) -> tuple[list[Fact], list[EventMoment], Board]:
        """Return (facts, moments, board before) of this entry's events from number ``since`` on."""
        told = [told for told in self.told if told.number >= since]
        facts = [f for t in told for f in self.presenter.facts(t.event, t.before, t.after)]
        moments = [m for t in told for m in self.presenter.moments(t.event, t.before)]
        if not told or self.board.narrow:
            return facts, moments, self.board
        return facts, moments, self.presenter.board(told[0].before, self.zoom)

    def command(self) -> str:
        """Return the acting seat and its command in words, or "hidden" as the command."""
        entry = self.entry
        if entry.command is None:
            return "The game begins."
        if not self.may_count and entry.seat != self.viewer:
            return f"{self.name_of(entry.seat)}: hidden"
        name, said = self.name_of(entry.seat), [line.text for line in self.said()]
        if said and said[0].startswith(name):
            return said[0]
        if not said or any(fact.kind == "phase" for fact in self.facts()):
            return f"{name}: {tag(entry.command).replace('-', ' ')}"  # a phase tells of the next
        return f"{name}: {said[0]}"

    def luck(self) -> list[str]:
        """Return the chances decided by the events shown at this moment, a text each."""
        return [text for fact in self.facts() for text in _luck(fact)]

    def comment(self) -> str:
        """Return the latest comment at this entry, or an empty text."""
        return self.comments().get(self.entry.seq, "")

    def comments(self) -> dict[int, str]:
        """Return the latest comment of each entry, by entry number, without deleted ones."""
        latest = {comment.seq: comment.text for comment in self.opened.comments}
        return {seq: text for seq, text in latest.items() if text}

    def comment_between(self, leaves: int, head: int) -> str:
        """Return the last comment after position ``leaves`` of the line to ``head``, or ""."""
        remarks = self.comments()
        own = self.opened.log.line(head)[leaves + 1 :] if remarks else []
        return next((remarks[e.seq] for e in reversed(own) if e.seq in remarks), "")


def _luck(fact: Fact) -> list[str]:
    parts = []
    if fact.chance is not None and fact.won is not None:
        known = " with all that was hidden" if fact.in_hindsight else ""
        parts.append(f"chance {per_cent(fact.chance)}{known}: {'won' if fact.won else 'lost'}")
    if fact.amount is not None and fact.odds is not None and len(fact.odds.values) > 1:
        parts.append(f"{fact.amount} ({float(fact.odds.mean):.1f} expected)")
    return parts
