"""Invitations: access by code, and no half-done enrolment."""

from __future__ import annotations

import threading

import pytest

from host.server.cleaning import BadName
from host.server.people import Enrolment, KeyInfo, Person
from host.server.store import Store
from tests.host.stores import Clock, enrol, key


def test_code_makes_an_account_once(store: Store) -> None:
    code = store.invite(0)
    ann = store.enrol(code, " Ann ", key("a"))
    assert ann == Person(1, "Ann")
    assert store.person_of(key("a").fingerprint) == ann
    with pytest.raises(Enrolment):
        store.enrol(code, "Bob", key("b"))
    assert store.person_of(key("b").fingerprint) is None


def test_code_is_read_as_people_type_it(store: Store) -> None:
    code = store.invite(0)
    typed = f" {code.lower().replace('-', ' ').replace('0', 'o').replace('1', 'l')}\r\n"
    assert store.enrol(typed, "Ann", key("a")).name == "Ann"


def test_code_is_long_and_stored_only_as_a_hash(store: Store) -> None:
    code = store.invite(0)
    signs = code.replace("-", "")
    assert len(signs) * 5 >= 80
    assert len(set(code.split("-"))) == 5
    for path in store.path.parent.iterdir():
        assert signs.encode() not in path.read_bytes()
        assert code.encode() not in path.read_bytes()


def test_code_expires(store: Store, clock: Clock) -> None:
    code = store.invite(0, hours=2)
    clock.now += 7199
    assert store.invited(code).person is None
    assert len(store.invites()) == 1
    clock.now += 1
    assert store.invites() == ()
    with pytest.raises(Enrolment):
        store.invited(code)
    with pytest.raises(Enrolment):
        store.enrol(code, "Ann", key("a"))
    with pytest.raises(Enrolment):
        store.add_key(code, key("a"))


def test_withdrawn_code_is_refused(store: Store) -> None:
    code = store.invite(0)
    store.withdraw(store.invites()[0].number)
    with pytest.raises(Enrolment):
        store.enrol(code, "Ann", key("a"))
    with pytest.raises(LookupError):
        store.withdraw(7)


@pytest.mark.parametrize("hours", [0, -1, 1e9, float("nan")])
def test_lifetime_of_a_code_is_bounded(store: Store, hours: float) -> None:
    with pytest.raises(ValueError, match="hours"):
        store.invite(0, hours=hours)


@pytest.mark.parametrize("name", ["", "ann", "\uff21nn", "Admin", "x" * 30])
def test_bad_name_does_not_use_up_a_code(store: Store, name: str) -> None:
    enrol(store, "Ann")
    code = store.invite(0)
    with pytest.raises(BadName):
        store.enrol(code, name, key("b"))
    assert store.enrol(code, "Bob", key("b")).number == 2


def test_known_key_makes_no_second_account(store: Store) -> None:
    enrol(store, "Ann")
    code = store.invite(0)
    with pytest.raises(Enrolment, match="belongs to an account"):
        store.enrol(code, "Bob", key("A"))
    assert len(store.people()) == 1
    assert store.invited(code).person is None


def test_code_for_a_person_adds_a_key_and_makes_no_account(store: Store) -> None:
    ann = enrol(store, "Ann")
    code = store.invite(0, person=ann.number)
    assert store.invited(code).person == ann
    with pytest.raises(Enrolment):
        store.enrol(code, "Bob", key("b"))
    assert store.add_key(code, key("b")) == ann
    assert store.person_of(key("b").fingerprint) == ann
    assert [row.key for row in store.people()[0].keys] == [key("A"), key("b")]
    with pytest.raises(Enrolment):
        store.add_key(code, key("c"))


def test_code_for_a_new_account_adds_no_key(store: Store) -> None:
    enrol(store, "Ann")
    code = store.invite(0)
    with pytest.raises(Enrolment):
        store.add_key(code, key("b"))
    assert store.enrol(code, "Bob", key("b")).name == "Bob"


def test_code_for_an_unknown_person_is_refused(store: Store) -> None:
    with pytest.raises(LookupError):
        store.invite(0, person=7)


def test_only_the_latest_first_code_counts_and_makes_an_administrator(store: Store) -> None:
    stale, code = store.first_invite(), store.first_invite()
    with pytest.raises(Enrolment):
        store.enrol(stale, "Eve", key("e"))
    assert store.enrol(code, "Ann", key("a")).is_admin
    assert store.first_invite() == ""


def test_banned_only_administrator_can_be_replaced(store: Store) -> None:
    ann = store.enrol(store.first_invite(), "Ann", key("a"))
    store.ban(ann.number, "left")
    assert store.first_invite()


def test_code_used_twice_at_once_admits_exactly_one(store: Store) -> None:
    codes = [store.invite(0) for _ in range(10)]
    other = Store.open(store.path)
    start, won = threading.Barrier(2), []

    def come(through: Store, sign: str) -> None:
        for count, code in enumerate(codes):
            start.wait()
            try:
                won.append(
                    (count, through.enrol(code, f"{sign}{count}", KeyInfo(f"{sign}{count}")))
                )
            except Enrolment:
                continue

    threads = [threading.Thread(target=come, args=who) for who in ((store, "a"), (other, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert sorted(count for count, _ in won) == list(range(10))
    assert len(store.people()) == len(store.keyring()) == 10
    assert store.invites() == ()
