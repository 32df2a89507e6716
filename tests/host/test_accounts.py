"""Accounts: who gets in with what, and that nothing is half done."""

from __future__ import annotations

import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui.plain.hosting import schema
from tui.plain.hosting.cleaning import BadName
from tui.plain.hosting.database import StoreFault
from tui.plain.hosting.people import Enrolment, KeyInfo, Person
from tui.plain.hosting.store import Store


class Clock:
    """Seconds since 1970, as a test wants them."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def key(sign: str) -> KeyInfo:
    return KeyInfo(f"SHA256:{sign * 43}", "ssh-ed25519", f"{sign}@home")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "host" / "host.sqlite3", clock=clock)
    yield opened
    opened.close()


def enrol(store: Store, name: str) -> Person:
    return store.enrol(store.invite(0), name, key(name[0]))


def test_a_code_makes_an_account_once(store: Store) -> None:
    code = store.invite(0)
    ann = store.enrol(code, " Ann ", key("a"))
    assert ann == Person(1, "Ann")
    assert store.person_of(key("a").fingerprint) == ann
    with pytest.raises(Enrolment):
        store.enrol(code, "Bob", key("b"))
    assert store.person_of(key("b").fingerprint) is None


def test_a_code_is_read_as_people_type_it(store: Store) -> None:
    code = store.invite(0)
    typed = f" {code.lower().replace('-', ' ').replace('0', 'o').replace('1', 'l')}\r\n"
    assert store.enrol(typed, "Ann", key("a")).name == "Ann"


def test_a_code_is_long_and_is_in_the_file_only_as_a_hash(store: Store) -> None:
    code = store.invite(0)
    signs = code.replace("-", "")
    assert len(signs) * 5 >= 80
    assert len(set(code.split("-"))) == 5
    for path in store.path.parent.iterdir():
        assert signs.encode() not in path.read_bytes()
        assert code.encode() not in path.read_bytes()


def test_a_code_expires(store: Store, clock: Clock) -> None:
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


def test_a_code_that_was_withdrawn_is_no_good(store: Store) -> None:
    code = store.invite(0)
    store.withdraw(store.invites()[0].number)
    with pytest.raises(Enrolment):
        store.enrol(code, "Ann", key("a"))
    with pytest.raises(LookupError):
        store.withdraw(7)


@pytest.mark.parametrize("hours", [0, -1, 1e9, float("nan")])
def test_a_code_is_good_for_some_time_and_not_for_ever(store: Store, hours: float) -> None:
    with pytest.raises(ValueError, match="hours"):
        store.invite(0, hours=hours)


@pytest.mark.parametrize("name", ["", "ann", "\uff21nn", "Admin", "x" * 30])
def test_a_code_is_not_used_up_by_a_bad_name(store: Store, name: str) -> None:
    enrol(store, "Ann")
    code = store.invite(0)
    with pytest.raises(Enrolment):
        store.enrol(code, name, key("b"))
    assert store.enrol(code, "Bob", key("b")).number == 2


def test_a_known_key_makes_no_second_account(store: Store) -> None:
    enrol(store, "Ann")
    code = store.invite(0)
    with pytest.raises(Enrolment, match="belongs to an account"):
        store.enrol(code, "Bob", key("A"))
    assert len(store.people()) == 1
    assert store.invited(code).person is None


def test_a_code_for_somebody_adds_a_key_and_makes_no_account(store: Store) -> None:
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


def test_a_code_for_a_new_account_adds_no_key(store: Store) -> None:
    enrol(store, "Ann")
    code = store.invite(0)
    with pytest.raises(Enrolment):
        store.add_key(code, key("b"))
    assert store.enrol(code, "Bob", key("b")).name == "Bob"


def test_a_code_for_nobody_cannot_be_made(store: Store) -> None:
    with pytest.raises(LookupError):
        store.invite(0, person=7)


def test_the_first_code_makes_an_administrator_and_there_is_one_at_a_time(store: Store) -> None:
    stale, code = store.first_invite(), store.first_invite()
    with pytest.raises(Enrolment):
        store.enrol(stale, "Eve", key("e"))
    assert store.enrol(code, "Ann", key("a")).is_admin
    assert store.first_invite() == ""


def test_a_banned_administrator_can_be_followed_by_another(store: Store) -> None:
    ann = store.enrol(store.first_invite(), "Ann", key("a"))
    store.ban(ann.number, "left")
    assert store.first_invite()


def test_who_is_banned_is_nobody_until_it_is_lifted(store: Store) -> None:
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


def test_a_ban_without_words_is_a_ban(store: Store) -> None:
    store.ban(enrol(store, "Ann").number, " ")
    assert store.ban_of(key("A").fingerprint)


def test_nobody_is_unknown_to_every_change(store: Store) -> None:
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


def test_a_name_is_changed_but_not_into_anothers(store: Store) -> None:
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


def test_who_was_here_is_noted_with_the_key(store: Store, clock: Clock) -> None:
    ann = enrol(store, "Ann")
    assert store.people()[0].seen == 0
    clock.now += 60
    store.seen(ann.number, key("A").fingerprint)
    account = store.people()[0]
    assert account.seen == account.keys[0].used == clock.now


def test_a_key_that_was_taken_away_lets_nobody_in(store: Store) -> None:
    ann = enrol(store, "Ann")
    store.remember_terminal(key("A").fingerprint, "xterm", "16m", "box")
    store.remove_key(key("A").fingerprint)
    assert store.person_of(key("A").fingerprint) is None
    assert store.terminal(key("A").fingerprint, "xterm") is None
    store.add_key(store.invite(0, person=ann.number), key("A"))
    assert store.person_of(key("A").fingerprint) == ann


def test_a_terminal_is_known_by_key_and_name(store: Store) -> None:
    store.remember_terminal("SHA256:a", "xterm", "256", "box")
    store.remember_terminal("SHA256:a", "xterm", "16m", "rich")
    found = store.terminal("SHA256:a", "xterm")
    assert found is not None
    assert (found.depth, found.glyphs) == ("16m", "rich")
    assert store.terminal("SHA256:a", "linux") is None
    assert store.terminal("SHA256:b", "xterm") is None


def test_made_up_terminals_do_not_fill_the_file(store: Store) -> None:
    for count in range(40):
        store.remember_terminal("SHA256:a", f"term{count}", "16", "ascii")
    assert store.terminal("SHA256:a", "term39") is not None
    assert store.terminal("SHA256:a", "term0") is None


def test_games_and_who_sits_in_them(store: Store) -> None:
    ann, bob = enrol(store, "Ann"), enrol(store, "Bob")
    number = store.add_game("ford", ann.number, b'{"clock":1}')
    other = store.add_game("bridge", bob.number, b"{}")
    store.seat(number, 0, ann.number)
    store.seat(number, 1, bob.number)
    store.seat(other, 1, ann.number)
    assert store.seats(number) == {0: ann.number, 1: bob.number}
    store.seat(number, 0, bob.number)
    store.seat(number, 1, None)
    assert store.seats(number) == {0: bob.number}
    assert store.chairs() == {number: {0: bob.number}, other: {1: ann.number}}
    store.finish_game(number)
    store.set_terms(other, b"[]")
    assert [(row.save, row.owner, row.terms, row.is_finished) for row in store.games()] == [
        ("ford", ann.number, b'{"clock":1}', True),
        ("bridge", bob.number, b"[]", False),
    ]


def test_a_number_of_a_game_is_never_given_again(store: Store) -> None:
    ann = enrol(store, "Ann")
    number = store.add_game("ford", ann.number, b"{}")
    store.seat(number, 0, ann.number)
    store.keep_place(ann.number, number, 0, 3, 4)
    store.remove_game(number)
    assert store.add_game("ford", ann.number, b"{}") == number + 1
    assert store.seats(number) == {}
    assert store.place_of(ann.number) is None


def test_what_is_no_game_is_said_so(store: Store) -> None:
    ann = enrol(store, "Ann")
    number = store.add_game("ford", ann.number, b"{}")
    with pytest.raises(ValueError, match="ford"):
        store.add_game("ford", ann.number, b"{}")
    changes: list[Callable[[], object]] = [
        lambda: store.finish_game(7),
        lambda: store.remove_game(7),
        lambda: store.set_terms(7, b""),
        lambda: store.seat(7, 0, ann.number),
        lambda: store.seat(number, 0, 7),
    ]
    for change in changes:
        with pytest.raises(LookupError):
            change()


def test_a_seat_is_not_lost_when_it_goes_to_nobody_known(store: Store) -> None:
    ann = enrol(store, "Ann")
    number = store.add_game("ford", ann.number, b"{}")
    store.seat(number, 0, ann.number)
    with pytest.raises(LookupError):
        store.seat(number, 0, 7)
    assert store.seats(number) == {0: ann.number}


def test_people_come_back_to_where_they_were_last(store: Store) -> None:
    ann = enrol(store, "Ann")
    first, second = (store.add_game(save, ann.number, b"{}") for save in ("ford", "bridge"))
    store.keep_place(ann.number, first, 0, 1, 2)
    store.keep_place(ann.number, second, -2, 3, 4)
    store.keep_place(ann.number, 99, 0, 0, 0)
    last = store.place_of(ann.number)
    assert last is not None
    assert (last.game, last.seat, last.x, last.y) == (second, -2, 3, 4)
    store.keep_place(ann.number, first, 0, 5, 6)
    last, before = store.place_of(ann.number), store.place_of(ann.number, second)
    assert last is not None
    assert before is not None
    assert (last.game, last.x) == (first, 5)
    assert (before.game, before.x) == (second, 3)
    assert store.place_of(7) is None


def test_orders_are_taken_once_and_in_order(store: Store) -> None:
    with_another = Store.open(store.path)
    with_another.order("kick", 3)
    with_another.order("stop")
    with_another.close()
    assert [(order.kind, order.number) for order in store.take_orders()] == [
        ("kick", 3),
        ("stop", 0),
    ]
    assert store.take_orders() == ()


def test_limits_are_kept_and_given_back(store: Store) -> None:
    assert store.set_limits("games", "7").games == 7
    assert store.set_limits("chat", "3+9").chat.a_minute == 9
    for name, value in (("games", "many"), ("nonsense", "1"), ("nonsense", "")):
        with pytest.raises(ValueError, match=name):
            store.set_limits(name, value)
    assert store.limits().games == 7
    assert store.set_limits("games", "").games == 1000


def test_a_limit_of_another_version_is_passed_over(store: Store) -> None:
    with sqlite3.connect(store.path) as db:
        db.execute("INSERT INTO limits VALUES ('wizards', '3'), ('games', 'x'), ('sessions', '5')")
    db.close()
    assert store.limits().sessions == 5
    assert store.limits().games == 1000


def test_of_two_who_use_one_code_at_once_exactly_one_gets_in(store: Store) -> None:
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


def test_one_connection_serves_many_threads(store: Store) -> None:
    def come(sign: str) -> None:
        for count in range(5):
            store.enrol(store.invite(0), f"{sign}{count}", KeyInfo(f"{sign}{count}"))

    threads = [threading.Thread(target=come, args=(sign,)) for sign in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.people()) == 20


def test_a_new_file_can_be_made_by_several_at_once(tmp_path: Path) -> None:
    start, made = threading.Barrier(4), []

    def come(name: str) -> None:
        start.wait()
        store = Store.open(tmp_path / "host.sqlite3")
        made.append(store.enrol(store.invite(0), name, KeyInfo(name)).number)
        store.close()

    threads = [threading.Thread(target=come, args=(f"x{count}",)) for count in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [1, 2, 3, 4]


def test_the_files_are_private(store: Store) -> None:
    enrol(store, "Ann")
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in store.path.parent.iterdir()}
    assert set(modes) >= {"host.sqlite3", "host.sqlite3-wal"}
    assert set(modes.values()) == {0o600}


def test_everything_is_there_after_opening_it_again(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a")
    enrol(store, "Ann")
    store.close()
    again = Store.open(tmp_path / "a")
    assert [account.person.name for account in again.people()] == ["Ann"]
    again.close()


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_a_file_that_is_none_of_ours_is_one_line_and_stays_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "host.sqlite3"
    path.write_bytes(content)
    with pytest.raises(StoreFault, match="damaged") as fault:
        Store.open(path)
    assert "\n" not in str(fault.value)
    assert path.read_bytes() == content


def test_a_file_with_a_torn_page_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "host.sqlite3"
    store = Store.open(path)
    for count in range(60):
        store.add_game(f"save {count}", 0, b"x" * 500)
    store.close()
    torn = bytearray(path.read_bytes())
    for page in range(2 * 4096, len(torn), 4096):
        torn[page : page + 200] = b"\xff" * 200
    path.write_bytes(torn)
    with pytest.raises(StoreFault, match="damaged"):
        Store.open(path)


def test_another_programs_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE mail (text)")
    db.close()
    with pytest.raises(StoreFault, match="another program"):
        Store.open(path)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreFault):
        Store.open(tmp_path)


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "host.sqlite3"
    Store.open(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreFault, match="later version"):
        Store.open(path)


def test_an_older_file_is_lifted_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "host.sqlite3"
    store = Store.open(path)
    enrol(store, "Ann")
    store.close()
    today = schema.UPGRADES
    more = ("ALTER TABLE people ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",)
    monkeypatch.setattr(schema, "UPGRADES", (*today, (*more, "CREATE NONSENSE")))
    with pytest.raises(StoreFault):
        Store.open(path)
    monkeypatch.setattr(schema, "UPGRADES", today)
    Store.open(path).close()
    monkeypatch.setattr(schema, "UPGRADES", (*today, more))
    lifted = Store.open(path)
    assert lifted.called("Ann") is not None
    lifted.close()
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name, colour FROM people").fetchall() == [("Ann", "red")]
        assert db.execute("PRAGMA user_version").fetchone() == (len(today) + 1,)
    db.close()


def test_a_fault_of_the_disk_changes_nothing_and_is_one_line(store: Store) -> None:
    enrol(store, "Ann")
    code = store.invite(0)
    with sqlite3.connect(store.path) as db:
        db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON keys BEGIN SELECT RAISE(FAIL, 'full'); END"
        )
    db.close()
    with pytest.raises(StoreFault, match="full"):
        store.enrol(code, "Bob", key("b"))
    assert [account.person.name for account in store.people()] == ["Ann"]
    assert store.invited(code).person is None
