"""Rate limits of a host: the limits in force, and the buckets that count against them.

A bucket is one number, the time at which it will be full again, so it takes as little room for
millions of bytes as for ten connections. Times are whole nanoseconds: nothing is lost to rounding.
"""

from __future__ import annotations

import ipaddress
import math
import re
import time
from collections.abc import Callable
from typing import Final, Literal, TypeAlias, get_args

from engine.core.record import Record, replace

RateKind: TypeAlias = Literal["connection", "auth", "session", "exec", "line", "chat"]
"""What is counted over time."""

KINDS: Final[tuple[RateKind, ...]] = get_args(RateKind)

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


class HostLimits(Record, frozen=True):
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

    def rate(self, kind: RateKind) -> Rate:
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

    def changed(self, name: str, value: str) -> HostLimits:
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


# -- buckets ---------------------------------------------------------------------------------------


MOST_BUCKETS: Final = 20_000
"""Buckets that are not full; whoever comes beyond them shares one of a few."""

_SHARED: Final = 64
_MINUTE: Final = 60 * 10**9
_SECOND: Final = 10**9

_NAMES: Final[dict[RateKind, str]] = {
    "connection": "connections",
    "auth": "failed attempts",
    "session": "sessions",
    "exec": "commands",
    "line": "lines",
    "chat": "lines of talk",
}

_Source = tuple[RateKind, str]


class RateLimiter:
    """Counts what is asked and says when it is too much. For one thread, as in an event loop."""

    def __init__(
        self,
        limits: HostLimits,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        most: int = MOST_BUCKETS,
    ) -> None:
        """Count from nothing.

        Args:
            limits: to hold everybody to.
            clock: nanoseconds that never go back.
            most: buckets to remember.
        """
        self.limits = limits
        self._clock = clock
        self._most = most
        self._full_at: dict[_Source, int] = {}
        self._shared: dict[tuple[RateKind, int], int] = {}
        self._swept = clock()

    def __len__(self) -> int:
        """Buckets that are kept."""
        return len(self._full_at) + len(self._shared)

    def hold_to(self, limits: HostLimits) -> None:
        """Go by other limits from now on. Of kinds whose rate has changed nothing counts so far."""
        same = {kind for kind in KINDS if limits.rate(kind) == self.limits.rate(kind)}
        self._full_at = {who: at for who, at in self._full_at.items() if who[0] in same}
        self._shared = {who: at for who, at in self._shared.items() if who[0] in same}
        self.limits = limits

    def ask(self, kind: RateKind, address: str, fingerprint: str = "", amount: int = 1) -> str:
        """Count something, unless it is too much; empty if it may be, else why not and how long.

        A connection is refused, too, while its address has had its share of failures. What is
        refused is not counted, so who waits as long as told gets in.

        Args:
            kind: what it is.
            address: where it comes from; IPv6 counts by /64, which is what one customer has.
            fingerprint: of the key, where one is known.
            amount: how much at once; above the burst it is never allowed.
        """
        now = self._clock()
        sources: list[_Source] = [(kind, network(address))]
        if fingerprint:
            sources.append((kind, fingerprint))
        rate = self.limits.rate(kind)
        if amount > rate.burst:
            return f"That is too much at once: at most {rate.burst} {_NAMES[kind]}."
        wait = max(self._wait(source, rate, amount, now) for source in sources)
        if wait <= 0 and kind == "connection":
            kind = "auth"
            wait = self._wait((kind, network(address)), self.limits.auth, 1, now)
        if wait > 0:
            seconds = math.ceil(wait / _SECOND)
            plural = "" if seconds == 1 else "s"
            return f"Too many {_NAMES[kind]}. Try again in {seconds} second{plural}."
        for source in sources:
            self._count(source, amount * _cost(rate), now)
        return ""

    def _wait(self, source: _Source, rate: Rate, amount: int, now: int) -> int:
        """Nanoseconds until there is room for as much; 0 or less if there is."""
        return self._level(source, now) + (amount - rate.burst) * _cost(rate) - now

    def _level(self, source: _Source, now: int) -> int:
        """When the bucket of a source is full again; now, if it is.

        Who has no bucket has what the shared one has: perhaps it was used a moment ago for want of
        another, and must not count as unused because there is room again.
        """
        full_at = self._full_at.get(source)
        if full_at is None:
            full_at = self._shared.get(_share(source), now)
        return max(full_at, now)

    def _count(self, source: _Source, cost: int, now: int) -> None:
        full_at = self._level(source, now) + cost
        if source in self._full_at or self._has_room(now):
            self._full_at[source] = full_at
        else:
            self._shared[_share(source)] = full_at

    def _has_room(self, now: int) -> bool:
        """Whether another bucket can be kept; forgets the full ones for it, once a second."""
        if len(self._full_at) >= self._most and now - self._swept >= _SECOND:
            self._swept = now
            self._full_at = {who: full for who, full in self._full_at.items() if full > now}
        return len(self._full_at) < self._most


def network(address: str) -> str:
    """What counts as one place: an IPv4 address, or the /64 that an IPv6 address is in."""
    try:
        where = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "elsewhere"
    if isinstance(where, ipaddress.IPv6Address):
        if where.ipv4_mapped is None:
            return str(ipaddress.IPv6Network((int(where) >> 64 << 64, 64)))
        where = where.ipv4_mapped
    return str(where)


def _cost(rate: Rate) -> int:
    """Nanoseconds in which a bucket gets one more; rounded up, so that it is never too much."""
    return -(-_MINUTE // rate.a_minute)


def _share(source: _Source) -> tuple[RateKind, int]:
    """Which of the shared buckets a source has; nobody outside can tell (hashes are salted)."""
    return source[0], hash(source[1]) % _SHARED
