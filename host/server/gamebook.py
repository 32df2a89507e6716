"""Game book: the games of a host, their seats, and the last position of each person."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from engine.core.archive import Notice
from engine.core.codec import decoder
from engine.core.ids import Seat, Viewer
from engine.core.record import Record, replace
from host.server.clocks import Terms
from host.server.database import Database, Missing, expendable
from host.server.ports import LOST, GameInfo, until_back

_ROW = "SELECT number, save, owner, terms, made, is_finished FROM games "


UNOPENED = "Its save is missing or damaged; the operator can restore it."
"""Status of a game whose save cannot be opened."""


class GameRow(Record, frozen=True):
    """Row of a game."""

    number: int
    """Number of the game, never reused."""
    save: str
    """Name of its save."""
    owner: int
    """Number of the person who began it."""
    terms: bytes
    """``StoredGame`` as JSON; this table does not read it."""
    made: float
    """Time at which it began, in seconds since 1970."""
    is_finished: bool


class StoredGame(Record, frozen=True):
    """Stored data of a game outside its save: terms, consents, and its latest listing."""

    terms: Terms = Terms()
    consents: tuple[tuple[Seat, int], ...] = ()
    info: GameInfo | None = None
    is_away: bool = False
    """True if the operator has removed the game, so that it cannot be opened."""
    peeped: tuple[tuple[int, Seat], ...] = ()
    """(person, seat of another person whose secrets the person has seen)."""
    by_guest: bool = False
    """True if a guest began it; such a game is deleted once it has no player."""

    def seen(self, here: Collection[str]) -> GameInfo | None:
        """Return the latest listing of a game that is not open, without spectators, or None.

        People named in ``here`` are shown as connected.
        """
        if self.info is None:
            return None
        seats = tuple(replace(one, is_here=one.person in here) for one in self.info.seats)
        return replace(self.info, seats=seats, watchers=0)

    def unopened(self, number: int, save: str) -> GameInfo:
        """Return the listing of a game whose save cannot be opened."""
        info = self.info or GameInfo(number, save, "", save, "running", "", ())
        seats = tuple(replace(one, owes=False, is_here=False, left=None) for one in info.seats)
        return replace(
            info,
            stage="running",
            status=UNOPENED,
            seats=seats,
            clock="",
            paused="",
            watchers=0,
            round=LOST,
        )

    def renamed(self, seats: Collection[Seat], name: str) -> StoredGame:
        """Return the data with another name for the person who has these seats."""
        info = self.info
        if info is None:
            return self
        rows = tuple(replace(one, person=name) if one.seat in seats else one for one in info.seats)
        paused = until_back(one.person for one in rows if one.person) if info.paused else ""
        return replace(self, info=replace(info, seats=rows, paused=paused))


class Resumed(NamedTuple):
    """What a game is resumed from, besides its table."""

    people: Mapping[Seat, int]
    """Numbers of the people by seat."""
    stored: StoredGame
    notices: tuple[Notice, ...] = ()
    """What happened at the table so far."""
    is_awaited: bool = False
    """True if none of the people has been back since the host started."""


def stored_in(terms: bytes) -> StoredGame:
    """Decode the stored data of a game; return the defaults if another version wrote it."""
    try:
        found: StoredGame = decoder(StoredGame).decode(terms)
    except ValueError:
        return StoredGame()
    return found


class PlaceRow(Record, frozen=True):
    """Where a person was last: game, viewer and cursor."""

    game: int
    seat: Viewer
    x: int
    """Column of the cursor, in the ruleset's own cells; ``y`` is the row."""
    y: int


class Gamebook(Database):
    """Tables of games and seats. Games and people are identified by number."""

    def add_game(self, save: str, owner: int, terms: bytes) -> int:
        """Add a game; return its number.

        Raises:
            ValueError: another game has that save.
        """
        with self._change() as db:
            if db.execute("SELECT 1 FROM games WHERE save = ?", (save,)).fetchone():
                raise ValueError(f"There is a game with the save {save} already.")
            number = db.execute(
                "INSERT INTO games (save, owner, terms, made) VALUES (?, ?, ?, ?)",
                (save, owner, terms, self._clock()),
            ).lastrowid
            return number or 0

    def games(self) -> tuple[GameRow, ...]:
        """Return all games, earliest first."""
        rows = self._rows(_ROW + "ORDER BY number")
        return tuple(
            GameRow(number, save, owner, terms, made, bool(is_finished))
            for number, save, owner, terms, made, is_finished in rows
        )

    def set_terms(self, number: int, terms: bytes) -> None:
        """Replace the stored data of a game.

        Raises:
            Missing: no game has that number.
        """
        self._on_game("UPDATE games SET terms = ?2 WHERE number = ?1", number, terms)

    def finish_game(self, number: int) -> None:
        """Store that a game is over.

        Raises:
            Missing: no game has that number.
        """
        self._on_game("UPDATE games SET is_finished = 1 WHERE number = ?1", number)

    def remove_game(self, number: int) -> None:
        """Delete a game and its seats; its save is kept.

        Raises:
            Missing: no game has that number.
        """
        self._on_game("DELETE FROM games WHERE number = ?1", number)

    def seat(self, game: int, seat: Seat, person: int | None) -> None:
        """Give a seat to a person, or free it with None.

        Raises:
            Missing: the game or the person does not exist.
        """
        with self._change() as db:
            db.execute("DELETE FROM chairs WHERE game = ? AND seat = ?", (game, seat))
            if (
                person is not None
                and not db.execute(
                    "INSERT INTO chairs (game, seat, person) SELECT g.number, ?, p.number"
                    " FROM games AS g, people AS p WHERE g.number = ? AND p.number = ?",
                    (seat, game, person),
                ).rowcount
            ):
                raise Missing("There is no such game or person.")

    def seats(self, game: int) -> dict[Seat, int]:
        """Return the people of a game by seat; free seats are missing."""
        return dict(self._rows("SELECT seat, person FROM chairs WHERE game = ?", game))

    def all_seats(self) -> dict[int, dict[Seat, int]]:
        """Return the people by seat, of all games; games without people are missing."""
        found: dict[int, dict[Seat, int]] = {}
        for game, seat, person in self._rows("SELECT game, seat, person FROM chairs"):
            found.setdefault(game, {})[seat] = person
        return found

    def keep_place(self, person: int, game: int, seat: Viewer, x: int, y: int) -> None:
        """Store the position of a person.

        Do nothing if the person or the game no longer exists, or if the disk is full.
        """
        with expendable(), self._change() as db:
            # Delete and insert it, so that it becomes the last row.
            db.execute("DELETE FROM places WHERE person = ? AND game = ?", (person, game))
            db.execute(
                "INSERT INTO places (person, game, seat, x, y) SELECT p.number, g.number, ?, ?, ?"
                " FROM people AS p, games AS g WHERE p.number = ? AND g.number = ?",
                (seat, x, y, person, game),
            )

    def place_of(self, person: int, game: int | None = None) -> PlaceRow | None:
        """Return the last position of a person, in one game if given, or None."""
        rows = self._rows(
            "SELECT game, seat, x, y FROM places WHERE person = ?1 AND (?2 IS NULL OR game = ?2)"
            " ORDER BY place DESC LIMIT 1",
            person,
            game,
        )
        return PlaceRow(*rows[0]) if rows else None

    def _on_game(self, statement: str, number: int, *values: bytes) -> None:
        with self._change() as db:
            if not db.execute(statement, (number, *values)).rowcount:
                raise Missing("There is no game of that number.")
