"""How much anybody may ask of a host: every number of it, in one record."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias, get_args

from engine.core.record import Record, replace

Kind: TypeAlias = Literal["connection", "auth", "session", "exec", "line", "chat"]
"""What is counted over time."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

Cap: TypeAlias = Literal[
    "sessions", "sessions_a_person", "games", "games_a_person", "watchers_a_game", "save_bytes"
]
"""What there is only so much of."""

LARGEST: Final = 10**9
"""No limit can be set higher."""


class BadLimit(ValueError):
    """There is no such limit, or it cannot be that; the text is one line for people."""


class Rate(Record, frozen=True):
    """So many at once, and so many more with every minute; written ``burst+a_minute``.

    In any span of t minutes that makes at most ``burst + t * a_minute``.
    """

    burst: int
    a_minute: int

    def __str__(self) -> str:
        return f"{self.burst}+{self.a_minute}"


class Limits(Record, frozen=True):
    """What a host puts up with. Rates hold for each address and for each key."""

    connection: Rate = Rate(20, 60)
    """Connections."""
    auth: Rate = Rate(10, 10)
    """Failed authentications and wrong invitation codes."""
    session: Rate = Rate(20, 30)
    """Sessions opened."""
    exec: Rate = Rate(30, 60)
    """Commands given to ``ssh``."""
    line: Rate = Rate(300, 1200)
    """Lines of play, a bot's too."""
    chat: Rate = Rate(10, 30)
    """Lines of talk."""
    sessions: int = 200
    """Sessions open at once."""
    sessions_a_person: int = 8
    """Sessions of one person open at once."""
    games: int = 1000
    """Games that are not finished."""
    games_a_person: int = 20
    """Games that one person began and that are not finished."""
    watchers_a_game: int = 50
    """People who watch one game."""
    save_bytes: int = 64_000_000
    """Bytes of one game's save."""

    def rate(self, kind: Kind) -> Rate:
        """The rate of a kind."""
        rate: Rate = getattr(self, kind)
        return rate

    def full(self, cap: Cap, have: int) -> str:
        """Why there cannot be one more when there are ``have``; empty if there can."""
        most: int = getattr(self, cap)
        return "" if have < most else _FULL[cap].format(most)

    def texts(self) -> dict[str, str]:
        """All limits as ``changed`` reads them, by name."""
        return {name: str(getattr(self, name)) for name in self.__struct_fields__}

    def changed(self, name: str, value: str) -> Limits:
        """The same with one of them changed.

        Args:
            name: of a field.
            value: a rate such as ``20+60``, or a whole number.

        Raises:
            BadLimit: there is no such limit, or it cannot be that.
        """
        if name not in self.__struct_fields__:
            raise BadLimit(f"There is no limit called {name}.")
        now: Rate | int = getattr(self, name)
        new = _rate(value) if isinstance(now, Rate) else _number(value)
        if new is None:
            how = "two numbers such as 20+60" if isinstance(now, Rate) else "a whole number"
            raise BadLimit(f"{name} is {how}, at most {LARGEST}.")
        return replace(self, **{name: new})


_FULL: Final[dict[Cap, str]] = {
    "sessions": "The host is full: {} sessions are open. Come back later.",
    "sessions_a_person": "You have {} sessions open already. Close one first.",
    "games": "The host has {} games already. Finish one first.",
    "games_a_person": "You have begun {} games that are not finished. Finish one first.",
    "watchers_a_game": "{} people watch this game already.",
    "save_bytes": "The save of this game has reached {} bytes, and may not become longer.",
}


def _rate(value: str) -> Rate | None:
    """Both numbers at least 1, so that nobody is kept out for good."""
    burst, _, a_minute = value.partition("+")
    numbers = _number(burst), _number(a_minute)
    return Rate(numbers[0], numbers[1]) if numbers[0] and numbers[1] else None


def _number(value: str) -> int | None:
    if not re.fullmatch(r"[0-9]{1,10}", value):
        return None
    number = int(value)
    return number if number <= LARGEST else None
