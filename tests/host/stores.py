"""Shared parts of tests of a store: a clock, keys, people with accounts."""

from __future__ import annotations

from host.server.people import KeyInfo, Person
from host.server.store import Store


class Clock:
    """A clock in seconds since 1970 that tests move."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def key(sign: str) -> KeyInfo:
    return KeyInfo(f"SHA256:{sign * 43}", "ssh-ed25519", f"{sign}@home")


def enrol(store: Store, name: str) -> Person:
    return store.enrol(store.invite(0), name, key(name[0]))
