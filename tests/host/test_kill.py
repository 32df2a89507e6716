"""A host killed in the middle of enrolments leaves no half-enrolled person."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host.server.people import Enrolment
from host.server.store import Store

HOME = Path(__file__).parents[2]

ENROL = """
import sys
from pathlib import Path
from host.server.people import KeyInfo
from host.server.store import Store

store = Store.open(Path(sys.argv[1]))
while True:
    code = store.invite(0)
    print("made", code, flush=True)
    person = store.enrol(code, "x" + code[:9], KeyInfo("SHA256:" + code[:9]))
    print("enrolled", code, flush=True)
    store.add_key(store.invite(0, person=person.number), KeyInfo("SHA256:" + code[10:]))
    print("added", code, flush=True)
"""


def until_killed(path: Path, lines: int, more: float) -> list[list[str]]:
    """Enrol people in a process and kill it a moment after ``lines`` lines; return all its
    lines.
    """
    with subprocess.Popen(
        [sys.executable, "-c", ENROL, path], cwd=HOME, text=True, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(lines)]
        time.sleep(more)  # nobody knows in the middle of what it will be
        process.kill()
        told += process.stdout.readlines()
    return [line.split() for line in told if line.endswith("\n")]


def check(path: Path, told: list[list[str]]) -> None:
    """Check that everything acknowledged is stored, and nothing is half done."""
    store = Store.open(path)
    numbers = {account.person.name: account.person.number for account in store.people()}
    keys = {row.key.fingerprint: row.person for row in store.keyring()}
    assert all(account.keys for account in store.people())
    for what, code in told:
        number = numbers.get(f"x{code[:9]}")
        assert what == "made" or number is not None
        assert keys.get(f"SHA256:{code[:9]}") == number
        assert what != "added" or keys[f"SHA256:{code[10:]}"] == number
        if number is None:
            assert store.invited(code).person is None
        else:
            with pytest.raises(Enrolment):
                store.invited(code)
    store.close()
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    db.close()


@pytest.mark.parametrize("times", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_killed_host_leaves_no_half_enrolled_person(tmp_path: Path, times: int) -> None:
    path = tmp_path / "host.sqlite3"
    spread = random.Random(7)  # noqa: S311 - when to kill
    told: list[list[str]] = []
    for _ in range(times):
        told += until_killed(path, spread.randrange(1, 9), spread.uniform(0, 0.02))
        check(path, told)
    assert {what for what, _ in told} == {"made", "enrolled", "added"}
