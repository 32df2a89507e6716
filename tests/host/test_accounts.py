"""Accounts: keys, bans, names, terminals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host.server.cleaning import BadName
from host.server.people import Enrolment, Person
from host.server.store import Store
from tests.host.stores import Clock, enrol, key


def test_banned_person_is_unknown_until_the_ban_is_lifted(store: Store) -> None:
    ann = enrol(store, "Ann")
    code = store.invite(0, person=ann.number)
    store.ban(ann.number, "cheats\x1b[2J at dice")
    assert store.person_of(key("A").fingerprint) is None
    assert store.ban_of(key("A").fingerprint) == "cheats at dice"
    with pytest.raises(Enrolment):
        store.add_key(code, key("b"))
    with pytest.raises(Enrolment):
        store.enrol(store.invite(0), "Anna", key("A"))
    store.unban(ann.number)
    assert store.person_of(key("A").fingerprint) == ann
    assert store.ban_of(key("A").fingerprint) == ""


def test_ban_without_a_reason_is_a_ban(store: Store) -> None:
    store.ban(enrol(store, "Ann").number, " ")
    assert store.ban_of(key("A").fingerprint)


def test_changes_refuse_an_unknown_person(store: Store) -> None:
    changes: list[Callable[[], object]] = [
        lambda: store.ban(7, "x"),
        lambda: store.unban(7),
        lambda: store.set_admin(7),
        lambda: store.rename(7, "Bob"),
        lambda: store.remove_key("SHA256:none"),
    ]
    for change in changes:
        with pytest.raises(LookupError):
            change()
    assert store.ban_of("SHA256:none") == ""


def test_rename_refuses_another_persons_name(store: Store) -> None:
    ann = enrol(store, "Ann")
    enrol(store, "Bob")
    with pytest.raises(BadName):
        store.rename(ann.number, "BOB")
    assert store.rename(ann.number, "ANN").name == "ANN"
    assert store.rename(ann.number, "Cleo").number == ann.number
    assert store.called("cleo") == Person(ann.number, "Cleo")
    assert store.called("Ann") is None
    assert store.enrol(store.invite(0), "Ann", key("a")).number == 3


def test_administrators_are_made_and_unmade(store: Store) -> None:
    ann = enrol(store, "Ann")
    store.set_admin(ann.number)
    assert store.has_admin()
    store.set_admin(ann.number, is_admin=False)
    assert not store.has_admin()
    code = store.invite(0, person=ann.number, admin=True)
    assert store.add_key(code, key("b")).is_admin


def test_last_visit_is_noted_with_the_key(store: Store, clock: Clock) -> None:
    ann = enrol(store, "Ann")
    assert store.people()[0].seen == clock.now
    clock.now += 60
    store.seen(ann.number, key("A").fingerprint)
    account = store.people()[0]
    assert account.seen == account.keys[0].used == clock.now


def test_removed_key_grants_no_access(store: Store) -> None:
    ann = enrol(store, "Ann")
    store.remember_terminal(key("A").fingerprint, "xterm", "16m", "box")
    store.remove_key(key("A").fingerprint)
    assert store.person_of(key("A").fingerprint) is None
    assert store.terminal(key("A").fingerprint, "xterm") is None
    store.add_key(store.invite(0, person=ann.number), key("A"))
    assert store.person_of(key("A").fingerprint) == ann


def test_terminal_is_known_by_key_and_name(store: Store) -> None:
    store.remember_terminal("SHA256:a", "xterm", "256", "box")
    store.remember_terminal("SHA256:a", "xterm", "16m", "rich")
    found = store.terminal("SHA256:a", "xterm")
    assert found is not None
    assert (found.depth, found.glyphs) == ("16m", "rich")
    assert store.terminal("SHA256:a", "linux") is None
    assert store.terminal("SHA256:b", "xterm") is None


def test_number_of_remembered_terminals_is_bounded(store: Store) -> None:
    for count in range(40):
        store.remember_terminal("SHA256:a", f"term{count}", "16", "ascii")
    assert store.terminal("SHA256:a", "term39") is not None
    assert store.terminal("SHA256:a", "term0") is None
