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
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from engine.core.record import Record, replace

RateKind: TypeAlias = Literal["connection", "auth", "session", "exec", "line", "chat"]
"""Kinds of requests that are counted over time."""

KINDS: Final[tuple[RateKind, ...]] = get_args(RateKind)

Cap: TypeAlias = Literal[
    "sessions", "sessions_a_person", "games", "games_a_person", "watchers_a_game", "save_bytes"
]
"""Quantities that are capped."""

PoolName: TypeAlias = Literal["account", "guest", "newcomer"]
"""Kinds of sessions: of people with accounts, of guests, and of keys without an account."""

SHARE: Final = 5
"""Guests and newcomers each have a fifth of what people with accounts have, beside it."""

LARGEST: Final = 10**9
"""Highest value of a limit."""


class BadLimit(ValueError):
    """No such limit, or no such value of it; the text is one line for people."""


class Taken(NamedTuple):
    """Open sessions of a pool, without the one that is asked for."""

    pool: PoolName
    total: int
    own: int
    """Those of the same person."""
    near: int
    """Those from the same network."""


class Rate(Record, frozen=True):
    """Rate with a burst; written ``burst+a_minute``.

    Allows at most ``burst + t * a_minute`` in any span of t minutes.
    """

    burst: int
    a_minute: int

    def __str__(self) -> str:
        return f"{self.burst}+{self.a_minute}"


class HostLimits(Record, frozen=True):
    """Limits of a host. Rates hold for each address and for each key."""

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
    """Sessions of people with accounts open at once; guests and newcomers have a fifth each."""
    sessions_a_person: int = 8
    """Sessions of one person open at once."""
    games: int = 1000
    """Games that are not finished; guests may have begun a fifth as many beside them."""
    games_a_person: int = 20
    """Unfinished games that one person began, or all guests of one network."""
    watchers_a_game: int = 50
    """People with accounts who watch one game; as many guests may watch beside them."""
    save_bytes: int = 64_000_000
    """Bytes of one game's save."""

    def rate(self, kind: RateKind) -> Rate:
        """Rate of a kind of request."""
        rate: Rate = getattr(self, kind)
        return rate

    def full(self, cap: Cap, have: int) -> str:
        """Reason why there cannot be one more when there are ``have``; empty if there can."""
        most: int = getattr(self, cap)
        return "" if have < most else _FULL[cap].format(most)

    def full_session(self, taken: Taken) -> str:
        """Reason why a pool cannot have one more session; empty if it can.

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
        """Reason why a guest cannot begin one more game; empty if the guest can.

        Args:
            total: unfinished games that guests began.
            near: those that guests of the same network began.
        """
        if total >= max(1, self.games // SHARE):
            return "Guests have begun too many games here already. Finish one first."
        return self.full("games_a_person", near)

    def texts(self) -> dict[str, str]:
        """All limits by name, as ``changed`` reads them."""
        return {name: str(getattr(self, name)) for name in self.__struct_fields__}

    def changed(self, name: str, value: str) -> HostLimits:
        """These limits with one of them changed.

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


_FULL_POOL: Final[dict[PoolName, str]] = {
    "guest": "The host has as many guests as it takes. Come back later.",
    "newcomer": "Too many newcomers are at the door. Come back in a minute.",
}


def _rate(value: str) -> Rate | None:
    """Rate of a text; both numbers at least 1, so that nobody is locked out for good."""
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
"""Most buckets that are not full; requests from more sources share a few buckets."""

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
    """Rate limiter: counts requests and refuses those above a rate. For one thread."""

    def __init__(
        self,
        limits: HostLimits,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        most: int = MOST_BUCKETS,
    ) -> None:
        """Begin with full buckets.

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
        """Number of buckets that are kept."""
        return len(self._full_at) + len(self._shared)

    def hold_to(self, limits: HostLimits) -> None:
        """Change the limits. Kinds whose rate has changed are counted from nothing."""
        same = {kind for kind in KINDS if limits.rate(kind) == self.limits.rate(kind)}
        self._full_at = {who: at for who, at in self._full_at.items() if who[0] in same}
        self._shared = {who: at for who, at in self._shared.items() if who[0] in same}
        self.limits = limits

    def ask(self, kind: RateKind, address: str, fingerprint: str = "", amount: int = 1) -> str:
        """Count a request; returns the reason and the wait if it is refused, else an empty text.

        A connection is refused, too, while its address has had its share of failures. What is
        refused is not counted, so who waits as long as told gets in.

        Args:
            kind: what it is.
            address: where it comes from; IPv6 counts by /64, which is what one customer has. Empty
                if only the key counts.
            fingerprint: of the key, where one is known; or another name of the person.
            amount: how much at once; above the burst it is never allowed.
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
            plural = "" if seconds == 1 else "s"
            return f"Too many {_NAMES[kind]}. Try again in {seconds} second{plural}."
        for source in sources:
            self._count(source, amount * _cost(rate), now)
        return ""

    def _wait(self, source: _Source, rate: Rate, amount: int, now: int) -> int:
        """Nanoseconds until an amount is allowed; 0 or less if it is."""
        return self._level(source, now) + (amount - rate.burst) * _cost(rate) - now

    def _level(self, source: _Source, now: int) -> int:
        """Time at which the bucket of a source is full again; now, if it is.

        A source without a bucket has the level of the shared one: it may have been used a moment
        ago for want of room, and must not count as unused because there is room again.
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
        """True if another bucket can be kept; removes the full ones for it, once a second."""
        if len(self._full_at) >= self._most and now - self._swept >= _SECOND:
            self._swept = now
            self._full_at = {who: full for who, full in self._full_at.items() if full > now}
        return len(self._full_at) < self._most


def network(address: str) -> str:
    """Network of an address: the IPv4 address, or the /64 of an IPv6 address."""
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
    """Nanoseconds until a bucket gets one more; rounded up, so that it is never too much."""
    return -(-_MINUTE // rate.a_minute)


def _share(source: _Source) -> tuple[RateKind, int]:
    """Shared bucket of a source; nobody outside can tell which (hashes are salted)."""
    return source[0], hash(source[1]) % _SHARED
