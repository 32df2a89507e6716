"""The file of a host: orders, limits, faults, threads, earlier and later versions."""

from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from host.server import database
from host.server.database import StoreFault
from host.server.people import KeyInfo
from host.server.store import Store
from tests.host.stores import enrol, key


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


def test_limits_are_stored_and_reset(store: Store) -> None:
    assert store.set_limits("games", "7").games == 7
    assert store.set_limits("chat", "3+9").chat.a_minute == 9
    for name, value in (("games", "many"), ("nonsense", "1"), ("nonsense", "")):
        with pytest.raises(ValueError, match=name):
            store.set_limits(name, value)
    assert store.limits().games == 7
    assert store.set_limits("games", "").games == 1000


def test_limit_of_another_version_is_ignored(store: Store) -> None:
    with sqlite3.connect(store.path) as db:
        db.execute("INSERT INTO limits VALUES ('wizards', '3'), ('games', 'x'), ('sessions', '5')")
    db.close()
    assert store.limits().sessions == 5
    assert store.limits().games == 1000


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


def test_new_file_can_be_created_by_several_at_once(tmp_path: Path) -> None:
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


def test_files_are_private(store: Store) -> None:
    enrol(store, "Ann")
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in store.path.parent.iterdir()}
    assert set(modes) >= {"host.sqlite3", "host.sqlite3-wal"}
    assert set(modes.values()) == {0o600}


def test_contents_survive_reopening(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a")
    enrol(store, "Ann")
    store.close()
    again = Store.open(tmp_path / "a")
    assert [account.person.name for account in again.people()] == ["Ann"]
    again.close()


@pytest.mark.parametrize("content", [b"not a database" * 100, b"SQLite format 3\0" + b"x" * 5000])
def test_foreign_file_is_one_line_and_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "host.sqlite3"
    path.write_bytes(content)
    with pytest.raises(StoreFault, match="damaged") as fault:
        Store.open(path)
    assert "\n" not in str(fault.value)
    assert path.read_bytes() == content


def test_file_with_a_torn_page_is_damaged(tmp_path: Path) -> None:
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


def test_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE mail (text)")
    db.close()
    with pytest.raises(StoreFault, match="another program"):
        Store.open(path)


def test_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreFault):
        Store.open(tmp_path)


def test_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "host.sqlite3"
    Store.open(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreFault, match="later version"):
        Store.open(path)


def test_older_file_is_upgraded_completely_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "host.sqlite3"
    store = Store.open(path)
    enrol(store, "Ann")
    store.close()
    today = database.UPGRADES
    more = ("ALTER TABLE people ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",)
    monkeypatch.setattr(database, "UPGRADES", (*today, (*more, "CREATE NONSENSE")))
    with pytest.raises(StoreFault):
        Store.open(path)
    monkeypatch.setattr(database, "UPGRADES", today)
    Store.open(path).close()
    monkeypatch.setattr(database, "UPGRADES", (*today, more))
    lifted = Store.open(path)
    assert lifted.called("Ann") is not None
    lifted.close()
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name, colour FROM people").fetchall() == [("Ann", "red")]
        assert db.execute("PRAGMA user_version").fetchone() == (len(today) + 1,)
    db.close()


def test_disk_fault_changes_nothing_and_is_one_line(store: Store) -> None:
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
