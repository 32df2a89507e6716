"""Hosted game with the people who look at it, and what each of them may know."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

from engine.core.archive import Header, Opened, SeatPlayer
from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import Reply
from engine.core.log import AnyEntry, EventLog
from engine.core.record import replace
from engine.core.refused import Denied
from engine.core.replay import BrokenLog, Cursor, Keyframes
from engine.core.ruleset import AnyRuleset, Outcome
from engine.tabletop.presenter import presenter_of
from host.server.cleaning import clean
from host.server.clocks import Terms, in_words
from host.server.feed_hub import HostLink, ViewerFeed
from host.server.gamebook import Resumed, StoredGame
from host.server.people import Person
from host.server.played_game import LONGEST_TALK, PlayedGame
from host.server.ports import Services
from tui.play.chronicle import Chronicle
from tui.play.table import Table
from tui.replay.losses_table import NO_ENTRY

EVERY: Final = 1024
"""Events between two keyframes: folding this many takes some two milliseconds."""

SILENT: Final = "Guests who watch are silent."

NEAR: Final = 64
"""Number of new entries below which folding needs no thread."""


class Past:
    """Keyframes along the log of one game, which make looking back quick."""

    def __init__(self, table: Table, every: int = EVERY) -> None:
        self.keyframes: Keyframes[Any] = Keyframes(every)
        self._table = table
        self._reached = 0
        """Number of entries at the latest keyframe."""

    @property
    def is_far(self) -> bool:
        """True if folding the new entries takes a while."""
        return len(self._table.game.log) - self._reached > NEAR

    def look_back(self) -> None:
        """Add keyframes up to the latest entry; the game must not change in the meantime."""
        log = self._table.game.log
        self._reached = len(log)
        cursor: Cursor[Any, Any, Any] = Cursor(self._table.rules, log.line(), self.keyframes)
        with contextlib.suppress(BrokenLog):  # a reader of the log reports it
            cursor.seek(self._reached)


class HostedGame(PlayedGame):
    """A game that people play and watch. It lives in the event loop, except for ``in_thread``."""

    def __init__(self, number: int, table: Table, game_server: Services, resumed: Resumed) -> None:
        """Resume a game where it was left."""
        self.past = Past(table)
        """Keyframes along the log."""
        self._left: dict[tuple[int, Viewer], int] = {}
        """Number of entries when a person stopped looking, by person and viewer."""
        self._going_on: dict[Seat, tuple[int, bool]] = {}
        """Whether a seat has turns to come, with the number of entries at which that was so."""
        self._by_guest = resumed.stored.by_guest
        self.consents: dict[Seat, int] = dict(resumed.stored.consents)
        """Seats as which others may watch, with the delay in rounds."""
        super().__init__(number, table, game_server, resumed)

    @property
    def stored(self) -> StoredGame:
        """Data to store beside the save."""
        consents = tuple(sorted(self.consents.items()))
        return StoredGame(
            self.terms, consents, self.info, peeped=self.seating.peeped, by_guest=self._by_guest
        )

    def agree(self, by: Person, terms: Terms) -> None:
        """Change the clock from each seat's next turn on, and report that to everyone."""
        self._timing.agree(terms)
        self.terms = terms
        words = terms.in_words or "no clock any more"
        whose = self.game_server.current_name(by)
        self.report(f"{whose} has changed the times, from the next turn of each: {words}.")
        self._changed()

    def say(self, person: Person, text: str) -> str:
        """Say something to all players and spectators; return why that is refused, or ""."""
        words = clean(text, LONGEST_TALK)
        if not words:
            return "There is nothing to say in that."
        if person.is_guest and not self.seats_of(person):
            return SILENT
        self._notice("talk", name=self.game_server.current_name(person), text=words)
        return ""

    # -- times and absences ----------------------------------------------------------------------

    def times(self, person: Person) -> tuple[str, ...]:
        """Return sentences on the clock: the terms, this person's time, awaited people's time."""
        clock = self._timing.clock
        if self.is_over or not clock.runs:
            return ()
        own = self.seats_of(person)
        words = self.terms.in_words or "none"
        said = [f"The clock: {words}{', from the next turn of each' if clock.before else ''}."]
        for one in self.info.seats:
            if one.seat in own:
                left = self.time_of(one.seat)
                said += [f"Your time as {one.name}: {in_words(left)}."] if left is not None else []
            elif one.left is not None:
                said.append(f"{one.person} ({one.name}) has {in_words(one.left)} left.")
        return tuple(said)

    def time_of(self, seat: Seat) -> float | None:
        """Return the seconds left to a seat now or in its next turn.

        None without a clock, while a computer plays it, and for a seat that is out of the game.
        """
        left = None if self.stand_in(seat) or self.is_over else self.left(seat)
        is_timed = left is not None and (seat in self.waited_for or self._goes_on(seat))
        return left if is_timed else None

    def _goes_on(self, seat: Seat) -> bool:
        """Return whether a seat has turns to come: it was asked lately, and has a share."""
        entries, goes_on = self._going_on.get(seat, (-1, False))
        if entries != self._status.entries:
            presenter = presenter_of(self.rules)
            numbers = presenter.numbers(self.table.game.view(seat)).get(presenter.lead, ())
            has_share = seat < len(numbers) and (numbers[seat] or 0) > 0
            goes_on = has_share and self.attendance.is_asked(seat)
            self._going_on[seat] = self._status.entries, goes_on
        return goes_on

    def absent_turns(self, person: Person, *, late_only: bool = False) -> tuple[str, ...]:
        """Return which turns a computer player has played for a person since they last played.

        ``late_only``: True for those alone in which the person's clock ran out.
        """
        own = self.seats_of(person)
        return tuple(
            told
            for seat in own
            for told in self.absences.told(
                seat, self.seating.called(seat) if len(own) > 1 else "", late_only=late_only
            )
        )

    # -- who looks -------------------------------------------------------------------------------

    def may_watch(self, person: Person) -> str:
        """Return why a person may not watch; empty if it is allowed, and for all players."""
        if self.seats_of(person):
            return ""
        if not self.terms.watched and not self.is_over and not self.consents:
            return "Nobody may watch this game."
        alike = [one for one in self._watchers if one.is_guest == person.is_guest]
        return self.game_server.limits().full("watchers_a_game", len(alike))

    def place(self, person: Person) -> Participant:
        """Return a participant: this person at the game, until its ``leave``."""
        made = Participant(self, person)
        self.watching[made] = person
        return made

    def feed_of(self, viewer: Viewer, rounds: int = 0) -> ViewerFeed:
        """Return the feed of a viewer, with a delay in rounds if wanted."""
        return self.feeds.get(viewer, rounds)

    async def prepare(self, viewer: Viewer | None = None) -> None:
        """Read the past of the game, for a viewer if given, which takes a while.

        After that, ``feed_of`` and chronicles answer at once.
        """
        rounds = self.consents.get(viewer, 0) if viewer is not None else 0
        if self.past.is_far or (viewer is not None and self.feeds.lacks(viewer, rounds)):
            async with self.lock:  # the game must not change meanwhile
                await self.in_thread(self._look_back, viewer, rounds)

    def _look_back(self, viewer: Viewer | None, rounds: int) -> None:
        self.past.look_back()
        if viewer is not None:
            self.feeds.prepare(viewer, rounds)

    def opened(self) -> Opened:
        """Return the whole save of a finished game.

        Raises:
            PermissionError: the game is not over.
        """
        if not self.is_over:
            raise PermissionError("the game is not over; its log would tell what is hidden")
        return Opened(self.info.name, self.header, self.table.game.log)

    def remember_left(self, person: Person, viewer: Viewer) -> None:
        """Store how many entries there are, as a person stops looking as ``viewer``."""
        self._left[person.number, viewer] = self._status.entries

    def left_at(self, person: Person, viewer: Viewer) -> int | None:
        """Return how many entries there were when a person stopped looking, or None; forget it."""
        return self._left.pop((person.number, viewer), None)

    def left_by(self, place: Participant) -> None:
        """Remove a participant who has left."""
        self.watching.pop(place, None)
        self.feeds.close_unused()
        self.goes(place)


class HostedChronicle(Chronicle):
    """Chronicle that can also be dumped as a whole."""

    def __init__(self, game: HostedGame, viewer: Viewer, feed: ViewerFeed | None = None) -> None:
        """Present a game to one viewer, limited to what ``feed`` has reported if it is delayed."""
        super().__init__(game.rules, game.table.game.log, viewer, game.past.keyframes)
        self.numbered = game.is_over or not game.rules.traits.hidden
        self._game = game
        self._feed = feed

    def as_text(self) -> Iterator[str]:
        """Return a dump of the game in lines."""
        return self._game.game_server.ports.dump(self._opened(), self.viewer)

    def as_json(self) -> Iterator[str]:
        """Return a dump of the game as JSON lines."""
        return self._game.game_server.ports.dump_json(self._opened(), self.viewer)

    def recorded(self) -> Opened:
        """Return a copy of the game as reported so far; it has the seed only after the end."""
        log: EventLog[Any, Any] = EventLog()
        line = self._line()
        for entry in self._game.table.game.log.entries[: line[-1].seq + 1]:
            log.append(entry)
        log.go(line[-1].seq)
        found = replace(self._opened(), log=log)
        if self._game.is_over:
            return found
        return replace(found, header=replace(found.header, seed=b""))

    def _line(self) -> tuple[AnyEntry, ...]:
        line = super()._line()
        if self._feed is None:
            return line
        return tuple(entry for entry in line if entry.seq < self._feed.told)

    def _opened(self) -> Opened:
        game = self._game
        header = replace(game.header, players=game.players)
        return Opened(game.info.name, header, game.table.game.log)


class Participant:
    """A person at a hosted game: a table for screens and line mode that hides secrets.

    Requests for anything that the person must not know are refused.
    """

    plays_computers: ClassVar[bool] = False
    file: ClassVar[None] = None

    def __init__(self, game: HostedGame, person: Person) -> None:
        """Take part; use ``HostedGame.place`` to make one."""
        self.game_of = game
        self.person = person
        self.rules: AnyRuleset = game.rules
        self.number = game.number
        self.ask: Callable[[], str] = lambda: ""
        """Returns why a further line of play would exceed the rate limit, or an empty text."""
        self._granted: dict[Viewer, int] = {}
        """Viewers as whom the person looks, with the delay in rounds."""

    # -- what the person may know ----------------------------------------------------------------

    @property
    def header(self) -> Header:
        """Header of the log, without the seed, which predicts the dice, until the game is over."""
        header = replace(self.game_of.header, players=self.players)
        return header if self.is_over else replace(header, seed=b"")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that this person plays; empty for a spectator."""
        game = self.game_of
        return tuple(seat for seat in game.seats_of(self.person) if not game.stand_in(seat))

    @property
    def own_seats(self) -> tuple[Seat, ...]:
        """Seats of this person, even those that a computer plays now."""
        return self.game_of.seats_of(self.person)

    @property
    def players(self) -> tuple[SeatPlayer, ...]:
        """Players by seat."""
        return self.game_of.players

    def player(self, seat: Seat) -> SeatPlayer:
        """Return the player of a seat."""
        return next(player for player in self.players if player.seat == seat)

    def side_name(self, seat: Seat) -> str:
        """Return the name of a seat: its person's, or the game's while a computer plays it."""
        player, seating = self.player(seat), self.game_of.seating
        return seating.called(seat) if player.bot else player.name

    def is_here(self, seat: Seat) -> bool:
        """Return whether this person plays a seat."""
        return seat in self.seats

    def absent_turns(self, *, late_only: bool = False) -> tuple[str, ...]:
        """Return which turns a computer player has played for this person, in sentences."""
        return self.game_of.absent_turns(self.person, late_only=late_only)

    def times(self) -> tuple[str, ...]:
        """Return sentences on the clock: the terms, this person's time, awaited people's time."""
        return self.game_of.times(self.person)

    def to_act(self) -> Seat | None:
        """Return a seat that must act, this person's if possible; None if the game is over."""
        owes = self.game_of.owes
        return min(owes.intersection(self.seats) or owes, default=None)

    @property
    def owes(self) -> frozenset[Seat]:
        """Seats that the game waits for."""
        return self.game_of.owes

    @property
    def is_over(self) -> bool:
        """True if the game is over, so that everything may be known."""
        return self.game_of.is_over

    @property
    def now(self) -> int:
        """Number of the log's last entry; -1 if this person may not know it."""
        return self.game_of.table.game.head if self._tells_all else NO_ENTRY

    @property
    def has_begun(self) -> bool:
        """True if any player has acted."""
        return len(self.game_of.table.game.log) > 1

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game; None while it is in progress."""
        return self.game_of.table.outcome()

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """Return the statistics, name to one number per seat; {} while they reveal secrets."""
        return self.game_of.table.numbers() if self._tells_all else {}

    @property
    def _tells_all(self) -> bool:
        return self.is_over or not self.rules.traits.hidden

    # -- with whose eyes -------------------------------------------------------------------------

    def viewers(self) -> tuple[Viewer, ...]:
        """Return the viewers as whom this person may look now; the first is the default."""
        own = self.own_seats
        if self.is_over:
            return (*own, PUBLIC, *(p.seat for p in self.players if p.seat not in own))
        if own and self.rules.traits.hidden:
            return own
        public = (PUBLIC,) if own or self.game_of.terms.watched else ()
        lent = () if own else tuple(sorted(self.game_of.consents))
        return (*own, *public, *lent)

    def link(self, viewer: Viewer) -> HostLink:
        """Return a link for a viewer.

        Raises:
            PermissionError: this person may not look as this viewer.
        """
        self._check(viewer)
        game = self.game_of
        own = viewer in game.seats_of(self.person)
        rounds = 0 if own or viewer == PUBLIC or self.is_over else game.consents[viewer]
        self._granted[viewer] = rounds
        if viewer != PUBLIC and not own and not self.is_over:
            game.seating.note_peeping(self.person, viewer)

        async def submit(line: str) -> Reply:
            if full := self.ask():
                return Reply(ok=False, code=str(Denied.NOT_YOUR_TURN), text=full)
            return await game.submit(self.person, viewer, line)

        return HostLink(game.feed_of(viewer, rounds), submit if own else None, game.loop)

    def chronicle(self, viewer: Viewer) -> HostedChronicle:
        """Return the game's log as ``viewer`` may know it.

        Raises:
            PermissionError: this person may not look as this viewer.
        """
        game = self.game_of
        if self.is_over:
            return HostedChronicle(game, viewer)
        if viewer not in self._granted:
            self.link(viewer)
        rounds = self._granted[viewer]
        return HostedChronicle(game, viewer, game.feed_of(viewer, rounds) if rounds else None)

    def _check(self, viewer: Viewer) -> None:
        if viewer not in self.viewers():
            raise PermissionError("you may not look with these eyes")

    # -- doing -----------------------------------------------------------------------------------

    def submit(self, seat: Seat, line: str) -> Reply:
        """Submit a line for a seat and wait for the reply; not in the event loop's thread."""
        return self.link(seat).answer(line)

    def look(self) -> None:
        """Count this person as looking; a paused game resumes for a person who has a seat."""
        self.game_of.comes(self, self.person)

    def look_away(self) -> None:
        """Stop counting this person as looking, for example when the connection has dropped."""
        self.game_of.goes(self)

    def leave(self) -> None:
        """Leave the game; this ends the participation."""
        self.game_of.left_by(self)
