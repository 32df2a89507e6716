"""Rate limits of a host: the limits in force, and the buckets that count against them.

A bucket is one number, the time at which it will be full again, so it takes as little space for
millions of bytes as for ten connections. Times are whole nanoseconds: nothing is lost to rounding.
"""

from __future__ import annotations

import ipaddress
import math
import re
import time
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from engine.core.record import Record, replace
from engine.tabletop.english import many

RateKind: TypeAlias = Literal["connection", "auth", "session", "exec", "line", "chat"]
"""Kinds of requests that are limited per minute."""

KINDS: Final[tuple[RateKind, ...]] = get_args(RateKind)

Cap: TypeAlias = Literal[
    "sessions", "sessions_a_person", "games", "games_a_person", "watchers_a_game", "save_bytes"
]
"""Names of limits on quantities."""

PoolName: TypeAlias = Literal["account", "guest", "newcomer"]
"""Kinds of sessions: of people with accounts, of guests, and of keys without an account."""

SHARE: Final = 5
"""Divisor of account limits: guests and newcomers each get a fifth of them in addition."""

LARGEST: Final = 10**9
"""Maximum value of a limit."""


class BadLimit(ValueError):
    """The limit, or its value, does not exist; the text is one line for people."""


class Taken(NamedTuple):
    """Numbers of sessions that a pool has already."""

    pool: PoolName
    total: int
    own: int
    """Sessions of the same person."""
    near: int
    """Sessions from the same network."""


class Rate(Record, frozen=True):
    """Rate with a burst; written ``burst+a_minute``.

    Allows at most ``burst + t * a_minute`` in any span of t minutes.
    """

    burst: int
    a_minute: int

    def __str__(self) -> str:
        return f"{self.burst}+{self.a_minute}"


class HostLimits(Record, frozen=True):
    """Limits of a host. Rates apply to each address and to each key."""

    connection: Rate = Rate(20, 60)
    """Connections."""
    auth: Rate = Rate(10, 10)
    """Failed authentications and wrong invitation codes."""
    session: Rate = Rate(20, 30)
    """Sessions opened."""
    exec: Rate = Rate(30, 60)
    """Commands given to ``ssh``."""
    line: Rate = Rate(300, 1200)
    """Lines of play, including those of bots."""
    chat: Rate = Rate(10, 30)
    """Lines of talk."""
    sessions: int = 200
    """Concurrent sessions of people with accounts; guests and newcomers have a fifth each."""
    sessions_a_person: int = 8
    """Concurrent sessions of one person."""
    games: int = 1000
    """Unfinished games; a fifth as many games of guests are allowed in addition."""
    games_a_person: int = 20
    """Unfinished games that one person began, or all guests of one network."""
    watchers_a_game: int = 50
    """Spectators of one game with accounts; as many guests may watch in addition."""
    save_bytes: int = 64_000_000
    """Bytes of one game's save."""

    def rate(self, kind: RateKind) -> Rate:
        """Return the rate limit of a kind of request."""
        rate: Rate = getattr(self, kind)
        return rate

    def full(self, cap: Cap, have: int) -> str:
        """Return why there can be no more than the present ``have``, or an empty text."""
        most: int = getattr(self, cap)
        return "" if have < most else _FULL[cap].format(most)

    def full_session(self, taken: Taken) -> str:
        """Return why a pool can have no further session, or an empty text.

        Pools do not count each other's sessions. One network gets at most half of the places of
        guests or newcomers.
        """
        if taken.pool == "account":
            return self.full("sessions", taken.total) or self.full("sessions_a_person", taken.own)
        most = max(1, self.sessions // SHARE)
        if taken.total < most and taken.near < max(1, most // 2):
            return ""
        return _FULL_POOL[taken.pool]

    def full_guest_games(self, total: int, near: int) -> str:
        """Return why a guest may begin no further game, or an empty text.

        Args:
            total: unfinished games that guests began.
            near: those that guests of the same network began.
        """
        if total >= max(1, self.games // SHARE):
            return "Guests have begun too many games here already. Finish one first."
        return self.full("games_a_person", near)

    def texts(self) -> dict[str, str]:
        """Return all limits by name, as ``changed`` reads them."""
        return {name: str(getattr(self, name)) for name in self.__struct_fields__}

    def changed(self, name: str, value: str) -> HostLimits:
        """Return these limits with one of them changed.

        Args:
            name: name of a field.
            value: a burst and a rate a minute, such as ``20+60``, or a whole number.

        Raises:
            BadLimit: the name is unknown, or the value is invalid.
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


_FULL_POOL: Final[dict[PoolName, str]] = {
    "guest": "The host has as many guests as it takes. Come back later.",
    "newcomer": "Too many newcomers are at the door. Come back in a minute.",
}


def _rate(value: str) -> Rate | None:
    """Parse a rate of two numbers from 1 on, so that no person is locked out; None if wrong."""
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
"""Maximum number of buckets that are not full; further sources share a few buckets."""

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
    """Counts requests, and refuses those above a rate. For one thread."""

    def __init__(
        self,
        limits: HostLimits,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        most: int = MOST_BUCKETS,
    ) -> None:
        """Start with full buckets.

        Args:
            limits: the limits to enforce.
            clock: returns nanoseconds that never go back.
            most: maximum number of buckets.
        """
        self.limits = limits
        self._clock = clock
        self._most = most
        self._full_at: dict[_Source, int] = {}
        self._shared: dict[tuple[RateKind, int], int] = {}
        self._swept = clock()

    def __len__(self) -> int:
        """Return the number of buckets that are kept."""
        return len(self._full_at) + len(self._shared)

    def hold_to(self, limits: HostLimits) -> None:
        """Change the limits; kinds whose rate has changed start again with full buckets."""
        same = {kind for kind in KINDS if limits.rate(kind) == self.limits.rate(kind)}
        self._full_at = {who: at for who, at in self._full_at.items() if who[0] in same}
        self._shared = {who: at for who, at in self._shared.items() if who[0] in same}
        self.limits = limits

    def ask(self, kind: RateKind, address: str, fingerprint: str = "", amount: int = 1) -> str:
        """Count a request; return the reason and the wait if it is refused, or an empty text.

        A connection is also refused while its address has had its share of failures. Refused
        requests are not counted, so that waiting for the reported time is enough.

        Args:
            kind: kind of the request.
            address: address of its source; IPv6 counts by /64, which is what one customer has.
                Empty if only the key counts.
            fingerprint: fingerprint of the key, if known, or another name of the person.
            amount: number of requests at once; above the burst it is never allowed.
        """
        now = self._clock()
        sources: list[_Source] = []
        if address or not fingerprint:
            sources.append((kind, network(address)))
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
            return f"Too many {_NAMES[kind]}. Try again in {many(seconds, 'second')}."
        for source in sources:
            self._count(source, amount * _cost(rate), now)
        return ""

    def _wait(self, source: _Source, rate: Rate, amount: int, now: int) -> int:
        """Return the nanoseconds until an amount is allowed; 0 or less if it is allowed now."""
        return self._level(source, now) + (amount - rate.burst) * _cost(rate) - now

    def _level(self, source: _Source, now: int) -> int:
        """Return the time at which the bucket of a source is full again; ``now`` if it is full.

        A source without a bucket has the level of the shared one: it may have used that when no
        bucket was free, and must not count as unused once one is.
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
        """Return whether another bucket fits; once a second, remove the full ones for it."""
        if len(self._full_at) >= self._most and now - self._swept >= _SECOND:
            self._swept = now
            self._full_at = {who: full for who, full in self._full_at.items() if full > now}
        return len(self._full_at) < self._most


def network(address: str) -> str:
    """Return the network of an address: the IPv4 address, or the /64 of an IPv6 address."""
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
    """Return the nanoseconds in which a bucket gains one request, rounded up."""
    return -(-_MINUTE // rate.a_minute)


def _share(source: _Source) -> tuple[RateKind, int]:
    """Return the shared bucket of a source; outsiders cannot predict it (hashes are salted)."""
    return source[0], hash(source[1]) % _SHARED
