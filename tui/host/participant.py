"""What one person has of one game: seats to play, or a chair to watch from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from engine.core.archive import Header, Opened, Player
from engine.core.ids import PUBLIC, Seat, Viewer
from engine.core.link import Reply
from engine.core.log import AnyEntry
from engine.core.record import replace
from engine.core.refused import Denied
from engine.core.ruleset import AnyRuleset, Outcome
from tui.host.feed_hub import Ear, HostLink
from tui.host.people import Person
from tui.play.chronicle import Chronicle
from tui.replay.losses_table import NO_ENTRY

if TYPE_CHECKING:
    from tui.host.hosted import HostedGame


class Account(Chronicle):
    """A chronicle that can also be written down whole."""

    def __init__(self, game: HostedGame, viewer: Viewer, ear: Ear | None = None) -> None:
        """Tell a game to one viewer, as far as an ear has told it if one is given."""
        super().__init__(game.rules, game.table.game.log, viewer, game.past.keyframes)
        self.numbered = game.is_over or not game.rules.traits.hidden
        self._game = game
        self._ear = ear

    def as_text(self) -> Iterator[str]:
        """The whole game in lines."""
        return self._game.house.ports.dump(self._opened(), self.viewer)

    def as_json(self) -> Iterator[str]:
        """The same as JSON lines."""
        return self._game.house.ports.dump_json(self._opened(), self.viewer)

    def _line(self) -> tuple[AnyEntry, ...]:
        line = super()._line()
        if self._ear is None:
            return line
        return tuple(entry for entry in line if entry.seq < self._ear.told)

    def _opened(self) -> Opened:
        game = self._game
        header = replace(game.header, players=game.players)
        return Opened(game.info.name, header, game.table.game.log)


class Place:
    """Somebody at a table of a host. Has what screens and line mode use of a ``Table``.

    Nothing here tells what the person must not know; what would is refused.
    """

    plays_computers: ClassVar[bool] = False
    file: ClassVar[None] = None

    def __init__(self, game: HostedGame, person: Person) -> None:
        """Come to a game; ``HostedGame.place`` does it."""
        self.game_of = game
        self.person = person
        self.rules: AnyRuleset = game.rules
        self.number = game.number
        self.ask: Callable[[], str] = lambda: ""
        """Why one more line of play is too many now; empty if it is not."""
        self._granted: dict[Viewer, int] = {}
        """With whose eyes the person looks, and how many rounds later."""

    # -- what is known ---------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        """What the log is the log of; the seed, which foretells the dice, only at the end."""
        header = replace(self.game_of.header, players=self.players)
        return header if self.is_over else replace(header, seed=b"")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Those this person plays; empty for who only watches."""
        game = self.game_of
        return tuple(seat for seat in game.seats_of(self.person) if not game.stand_in(seat))

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits where now."""
        return self.game_of.players

    def player(self, seat: Seat) -> Player:
        """Who sits on a seat."""
        return next(player for player in self.players if player.seat == seat)

    def is_here(self, seat: Seat) -> bool:
        """Whether this person plays a seat."""
        return seat in self.seats

    def to_act(self) -> Seat | None:
        """One of this person's seats that owes something, else the lowest that does; None: over."""
        owes = self.game_of.owes
        return min(owes.intersection(self.seats) or owes, default=None)

    @property
    def owes(self) -> frozenset[Seat]:
        """The seats that the game waits for."""
        return self.game_of.owes

    @property
    def is_over(self) -> bool:
        """Whether the game is over, so that everything may be known."""
        return self.game_of.is_over

    @property
    def now(self) -> int:
        """The entry of the log that was made last, as far as it may be known."""
        return self.game_of.table.game.head if self._tells_all else NO_ENTRY

    @property
    def has_begun(self) -> bool:
        """Whether anybody has done anything."""
        return len(self.game_of.table.game.log) > 1

    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game_of.table.outcome()

    def numbers(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers of all seats; none while they would tell what is hidden."""
        return self.game_of.table.numbers() if self._tells_all else {}

    @property
    def _tells_all(self) -> bool:
        return self.is_over or not self.rules.traits.hidden

    # -- with whose eyes -------------------------------------------------------------------------

    def viewers(self) -> tuple[Viewer, ...]:
        """With whose eyes this person may look now; the first is the usual one."""
        own = self.game_of.seats_of(self.person)
        if self.is_over:
            return (*own, PUBLIC, *(p.seat for p in self.players if p.seat not in own))
        if own and self.rules.traits.hidden:
            return own
        public = (PUBLIC,) if own or self.game_of.terms.watched else ()
        lent = () if own else tuple(sorted(self.game_of.consents))
        return (*own, *public, *lent)

    def link(self, viewer: Viewer) -> HostLink:
        """An end of the game.

        Raises:
            PermissionError: this person may not look with these eyes.
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

        return HostLink(game.ear(viewer, rounds), submit if own else None, game.loop)

    def chronicle(self, viewer: Viewer) -> Account:
        """How the game went.

        Raises:
            PermissionError: this person may not look with these eyes.
        """
        game = self.game_of
        if self.is_over:
            return Account(game, viewer)
        if viewer not in self._granted:
            self.link(viewer)
        rounds = self._granted[viewer]
        return Account(game, viewer, game.ear(viewer, rounds) if rounds else None)

    def _check(self, viewer: Viewer) -> None:
        if viewer not in self.viewers():
            raise PermissionError("you may not look with these eyes")

    # -- doing -----------------------------------------------------------------------------------

    def submit(self, seat: Seat, line: str) -> Reply:
        """Carry out a line, for other threads than the loop's."""
        return self.link(seat).answer(line)

    def leave(self) -> None:
        """Go away."""
        self.game_of.left_by(self)
