"""Rate limits: never more than a limit in any span of time, and in bounded memory."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.record import replace
from host.server.rate_limits import KINDS, LARGEST, HostLimits, Rate, RateKind, RateLimiter, network

SECOND = 10**9
MINUTE = 60 * SECOND


class Clock:
    """A clock in nanoseconds that tests move."""

    def __init__(self) -> None:
        self.now = 5 * MINUTE

    def __call__(self) -> int:
        return self.now


def rate_limiter(clock: Clock, most: int = 1000, **rates: Rate) -> RateLimiter:
    return RateLimiter(replace(HostLimits(), **rates), clock=clock, most=most)


ASKED = st.lists(
    st.tuples(
        st.integers(min_value=0, max_value=30 * SECOND),
        st.sampled_from(["10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"]),
        st.sampled_from(["", "SHA256:a", "SHA256:b"]),
        st.integers(min_value=1, max_value=4),
    ),
    max_size=80,
)


@given(
    ASKED,
    st.integers(min_value=1, max_value=9),
    st.integers(min_value=1, max_value=200),
    st.sampled_from([1, 2, 1000]),
)
def test_no_span_of_time_admits_more_than_the_limit(
    asked: list[tuple[int, str, str, int]], burst: int, a_minute: int, most: int
) -> None:
    clock = Clock()
    rate = Rate(burst, a_minute)
    door = rate_limiter(clock, most, line=rate)
    let_in: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for later, address, fingerprint, amount in asked:
        clock.now += later
        if not door.ask("line", address, fingerprint, amount):
            let_in[network(address)].append((clock.now, amount))
            let_in[fingerprint].append((clock.now, amount))
    let_in.pop("", None)  # without a key only the address counts
    for times in let_in.values():
        for first in range(len(times)):
            total = 0
            for now, amount in times[first:]:
                total += amount
                assert (total - burst) * MINUTE <= (now - times[first][0]) * a_minute


@given(ASKED, st.integers(min_value=1, max_value=9), st.integers(min_value=1, max_value=200))
def test_client_is_admitted_after_the_stated_wait_and_not_much_earlier(
    asked: list[tuple[int, str, str, int]], burst: int, a_minute: int
) -> None:
    clock = Clock()
    door = rate_limiter(clock, line=Rate(burst, a_minute))
    for later, address, fingerprint, amount in asked:
        clock.now += later
        refused = door.ask("line", address, fingerprint, amount)
        told = re.search(r"again in ([0-9]+) second", refused)
        if told is None:
            assert (not refused) == (amount <= burst)
            continue
        clock.now += (int(told[1]) - 1) * SECOND
        assert int(told[1]) == 1 or door.ask("line", address, fingerprint, amount)
        clock.now += SECOND
        assert not door.ask("line", address, fingerprint, amount)


@given(
    st.lists(
        st.tuples(st.integers(min_value=0, max_value=2 * SECOND), st.integers(0, 2**128 - 1)),
        max_size=200,
    )
)
def test_made_up_addresses_do_not_fill_the_memory(asked: list[tuple[int, int]]) -> None:
    clock = Clock()
    door = rate_limiter(clock, most=10)
    for later, address in asked:
        clock.now += later
        door.ask("connection", f"{address >> 112:x}:{address & 0xFFFF:x}::", f"SHA256:{address}")
        assert len(door) <= 10 + 64


def test_old_entries_are_dropped_after_some_time() -> None:
    clock = Clock()
    door = rate_limiter(clock, most=5, connection=Rate(1, 60))
    for count in range(5):
        assert not door.ask("connection", f"10.0.0.{count}")
    assert len(door) == 5
    clock.now += 2 * SECOND
    assert not door.ask("connection", "10.0.1.1")
    assert len(door) == 1


def test_each_kind_is_counted_separately() -> None:
    door = RateLimiter(replace(HostLimits(), **dict.fromkeys(KINDS, Rate(2, 1))), clock=Clock())
    for kind in KINDS:
        assert not door.ask(kind, "10.0.0.1")
        assert not door.ask(kind, "10.0.0.2")


@pytest.mark.parametrize("kind", KINDS)
def test_refusal_is_one_line_with_a_time(kind: RateKind) -> None:
    door = RateLimiter(replace(HostLimits(), **{kind: Rate(1, 2)}), clock=Clock())
    assert not door.ask(kind, "10.0.0.1")
    refused = door.ask(kind, "10.0.0.1")
    assert re.fullmatch(r"Too many [a-z ]+\. Try again in 30 seconds\.", refused)


def test_key_is_counted_from_every_address() -> None:
    door = rate_limiter(Clock(), session=Rate(2, 1))
    assert not door.ask("session", "10.0.0.1", "SHA256:a")
    assert not door.ask("session", "10.0.0.2", "SHA256:a")
    assert door.ask("session", "10.0.0.3", "SHA256:a")
    assert not door.ask("session", "10.0.0.3", "SHA256:b")


def test_request_refused_for_its_key_is_not_counted_for_its_address() -> None:
    door = rate_limiter(Clock(), session=Rate(1, 1))
    assert not door.ask("session", "10.0.0.1", "SHA256:a")
    assert door.ask("session", "10.0.0.2", "SHA256:a")
    assert not door.ask("session", "10.0.0.2", "SHA256:b")


def test_address_with_many_failed_logins_cannot_connect_for_a_while() -> None:
    clock = Clock()
    door = rate_limiter(clock, auth=Rate(2, 6))
    for _ in range(2):
        assert not door.ask("connection", "10.0.0.1")
        assert not door.ask("auth", "10.0.0.1")
    assert "10 seconds" in door.ask("connection", "10.0.0.1")
    assert not door.ask("connection", "10.0.0.2")
    clock.now += 10 * SECOND
    assert not door.ask("connection", "10.0.0.1")


def test_changed_limits_apply_at_once() -> None:
    door = rate_limiter(Clock(), chat=Rate(1, 1), line=Rate(1, 1))
    for kind in ("chat", "line"):
        assert not door.ask(kind, "10.0.0.1")
        assert door.ask(kind, "10.0.0.1")
    door.hold_to(replace(door.limits, chat=Rate(1000, 60_000)))
    assert not door.ask("chat", "10.0.0.1")
    assert door.ask("line", "10.0.0.1")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("/run/socket", "elsewhere"),
        ("", "elsewhere"),
    ],
)
def test_addresses_are_grouped_by_network(address: str, place: str) -> None:
    assert network(address) == place


def test_limits_are_read_as_they_are_written() -> None:
    limits = HostLimits()
    for name, text in limits.texts().items():
        assert HostLimits().changed(name, text) == limits
    changed = limits.changed("games", "3").changed("line", "7+8")
    assert (changed.games, changed.line) == (3, Rate(7, 8))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("wizards", "1"),
        ("full", "1"),
        ("__class__", "1"),
        ("games", ""),
        ("games", "-1"),
        ("games", "1.5"),
        ("games", "²"),
        ("games", str(LARGEST + 1)),
        ("games", "9" * 5000),
        ("line", "5"),
        ("line", "5+"),
        ("line", "0+5"),
        ("line", "5+0"),
        ("line", "5+5+5"),
        ("line", "\x1b[2J"),
    ],
)
def test_wrong_limit_is_one_line(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=re.escape(name)) as wrong:
        HostLimits().changed(name, value)
    assert str(wrong.value).isprintable()


def test_caps_say_when_they_are_reached() -> None:
    limits = HostLimits(games_a_person=2)
    assert limits.full("games_a_person", 1) == ""
    assert "2 games" in limits.full("games_a_person", 2)
    for cap in ("sessions", "sessions_a_person", "games", "watchers_a_game", "save_bytes"):
        assert limits.full(cap, 10**9)
        assert not limits.full(cap, 0)


def test_every_limit_is_in_the_manual_with_its_default() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `([0-9+]+)` \|", manual, re.MULTILINE)
    assert dict(rows) == HostLimits().texts()
