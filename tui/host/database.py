"""The file that a host's accounts are in: SQLite, opened with care and changed in transactions."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from tui.host import schema

PATIENCE = 5.0
"""Seconds to wait for another process that is writing."""


class StoreFault(Exception):
    """The file cannot be read or written; the text is one line for the operator."""


class Missing(LookupError):
    """There is nothing and nobody of that number or name; the text is one line for people."""


class Database:
    """One connection behind a lock, so that any thread may use it, one transaction at a time.

    Other processes may use the same file at the same time: the operator's commands do while the
    server runs. What a method has returned from is on the disk.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, clock: Callable[[], float]) -> None:
        """``open`` makes one."""
        self.path = path
        self._db = db
        self._clock = clock
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], float] = time.time) -> Self:
        """Open the file, made if there is none, and bring it up to this version.

        Args:
            path: of the file; it is private to its owner, as its folder is if it has to be made.
            clock: seconds since 1970.

        Raises:
            StoreFault: it is damaged, of a later version, of another program, or out of reach.
        """
        db: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # The files that SQLite puts beside it get the same permissions.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            path.chmod(0o600)
            db = sqlite3.connect(
                path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            _prepare(db)
        except (OSError, sqlite3.Error, _Strange) as wrong:
            if db is not None:
                db.close()
            raise StoreFault(f"{path}: {_told(wrong)}") from wrong
        return cls(path, db, clock)

    def close(self) -> None:
        """Close the file. Nothing is lost without it."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it or, if anything is raised, nothing."""
        with self._faults():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        """The answers to a question, all of one moment."""
        with self._faults():
            return self._db.execute(question, values).fetchall()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as wrong:
                raise StoreFault(f"{self.path}: {_told(wrong)}") from wrong


class _Strange(Exception):
    """A file that SQLite can read and this program cannot use."""


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("BEGIN")  # both as they are at one moment: another process may be making the tables
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = db.execute("PRAGMA application_id").fetchone()
    db.execute("COMMIT")
    if application != schema.APPLICATION and tables:
        raise _Strange("it belongs to another program")
    db.execute("PRAGMA journal_mode = WAL")
    (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if sound != "ok":
        raise _Strange("it is damaged; put back a copy of it, or take it away to begin anew")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(schema.UPGRADES):
        raise _Strange("it was written by a later version of the program")
    if version < len(schema.UPGRADES):
        _upgrade(db)


def _upgrade(db: sqlite3.Connection) -> None:
    """Lift the tables to this version, in one transaction with the number of the version."""
    db.execute("BEGIN IMMEDIATE")
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for step in schema.UPGRADES[version:]:
            for statement in step:
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {schema.APPLICATION}")
        db.execute(f"PRAGMA user_version = {len(schema.UPGRADES)}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _told(wrong: Exception) -> str:
    """What went wrong, in one line."""
    text = str(wrong)
    if isinstance(wrong, sqlite3.OperationalError) and "locked" in text:
        return "another process is using it"
    if isinstance(wrong, sqlite3.DatabaseError) and "malformed" in text:
        return "it is damaged; put back a copy of it, or take it away to begin anew"
    if isinstance(wrong, sqlite3.DatabaseError) and "not a database" in text:
        return "it is damaged or no file of accounts at all"
    if isinstance(wrong, OSError):
        return wrong.strerror or text
    return " ".join(text.split())
