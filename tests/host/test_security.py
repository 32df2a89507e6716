"""The security log: its contents, its omissions, and its bounded size."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from host.server.people import KeyInfo
from host.server.security import FILES, FREQUENT, SPARSE, SecurityLog
from host.server.store import Store
from tests.host.stores import Clock


@pytest.fixture
def log(tmp_path: Path, clock: Clock) -> SecurityLog:
    return SecurityLog(tmp_path / "security.log", clock=clock)


def lines(log: SecurityLog) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.path.read_text().splitlines()]


def test_line_has_person_event_time_and_address(log: SecurityLog) -> None:
    log.note(
        "enrolled", "with a code", address="192.0.2.7", fingerprint="SHA256:x", person=3, name="Ann"
    )
    assert lines(log) == [
        {
            "time": "2023-11-14T22:13:20Z",
            "what": "enrolled",
            "address": "192.0.2.7",
            "key": "SHA256:x",
            "person": 3,
            "name": "Ann",
            "text": "with a code",
        }
    ]
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


def test_outside_text_is_cleaned_and_short(log: SecurityLog) -> None:
    log.note(
        "auth-failed", "a\x1b[2J\nb" + "c " * 9999, address="\x1b]0;x\x07y" * 99, name="\u202eeve"
    )
    text = log.path.read_text()
    assert text.count("\n") == 1
    assert text.isascii()
    assert len(text) < 500
    assert lines(log)[0]["name"] == "eve"


def test_log_holds_neither_codes_nor_keys(log: SecurityLog, tmp_path: Path) -> None:
    store = Store.open(tmp_path / "host.sqlite3")
    code = store.invite(0)
    store.close()
    key = "AAAAC3NzaC1lZDI1NTE5AAAAI" + "Qx" * 22
    fingerprint = "SHA256:" + "Ab3+" * 10 + "xyz"
    for typed in (code, code.lower(), code.replace("-", ""), code.replace("-", " ")):
        log.note("admin", f"typed {typed} twice", name=typed)
    log.note("admin", f"remove-key {fingerprint} of ssh-ed25519 {key}")
    text = log.path.read_text()
    signs = code.replace("-", "").lower()
    assert signs[:8] not in text.lower().replace("-", "").replace(" ", "")
    assert text.count("typed (code) twice") == 4
    assert key not in text
    assert lines(log)[-1]["text"] == f"remove-key {fingerprint} of ssh-ed25519 (key)"


@pytest.mark.parametrize("what", ["auth-failed", "limit-hit", "slow reader"])
def test_repeated_event_is_one_line_a_second_with_a_count(
    log: SecurityLog, clock: Clock, what: str
) -> None:
    for _ in range(50):
        log.note(what, address="2001:db8::1")
        log.note(what, address="2001:db8::2")  # the same place
    log.note(what, address="192.0.2.7")
    clock.now += 1
    log.note(what, address="2001:db8::1")
    assert [(line["address"], line.get("missed", 0)) for line in lines(log)] == [
        ("2001:db8::1", 0),
        ("192.0.2.7", 0),
        ("2001:db8::1", 99),
    ]


@pytest.mark.parametrize("what", sorted(SPARSE))
def test_rare_events_are_never_left_out(log: SecurityLog, what: str) -> None:
    for _ in range(3):
        log.note(what, address="192.0.2.7")
    assert len(lines(log)) == 3


def test_kinds_are_distinguished_but_not_by_spelling(log: SecurityLog) -> None:
    for what in ("limit hit", "limit-hit", "auth failed"):
        log.note(what, address="192.0.2.7")
    assert [line["what"] for line in lines(log)] == ["limit-hit", "auth-failed"]


def test_manual_lists_exactly_the_events_that_the_host_notes() -> None:
    root = Path(__file__).parents[2]
    noted = {
        kind.replace(" ", "-")
        for path in [
            *(root / "host" / "ssh").glob("*.py"),
            *(root / "host" / "server").glob("*.py"),
        ]
        for kind in re.findall(r'\.(?:note|say)\(\s*"([a-z -]+)"', path.read_text("utf-8"))
    }
    assert noted == SPARSE | FREQUENT
    manual = (root / "docs" / "hosting.md").read_text(encoding="utf-8")
    part = manual.partition("`what` is one of these")[2].partition("`key` is a")[0]
    rows = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    assert set(re.findall("`([a-z-]+)`", " ".join(rows))) - {"what"} == SPARSE | FREQUENT


def test_made_up_addresses_fill_neither_memory_nor_disk(log: SecurityLog, clock: Clock) -> None:
    for _ in range(2):
        clock.now += 1
        for count in range(3000):
            log.note("limit-hit", address=f"10.0.{count // 250}.{count % 250}")
    assert len(log._quiet) <= 1000 + 1
    assert len(lines(log)) <= 2 * (1000 + 1)


def test_long_log_is_rotated_and_the_oldest_file_is_deleted(tmp_path: Path) -> None:
    log = SecurityLog(tmp_path / "log" / "security.log", most_bytes=1000)
    log.path.parent.mkdir()
    for count in range(200):
        log.note("enrolled", f"number {count}")
    files = sorted(log.path.parent.iterdir())
    assert len(files) == FILES
    assert all(file.stat().st_size <= 1000 for file in files)
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    assert lines(log)[-1]["text"] == "number 199"
    kept = [line for file in reversed(files) for line in file.read_text().splitlines()]
    numbers = [int(json.loads(line)["text"].split()[1]) for line in kept]
    assert numbers == list(range(200 - len(numbers), 200))


def test_unwritable_log_stops_nothing_and_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    SecurityLog(tmp_path / "nowhere" / "security.log").note("began")
    assert len(caplog.messages) == 1
    assert "nowhere" in caplog.messages[0]


def test_moved_log_is_started_again(log: SecurityLog) -> None:
    log.note("began")
    log.path.rename(log.path.with_name("elsewhere"))
    log.note("ended")
    assert [line["what"] for line in lines(log)] == ["ended"]


def test_stored_key_is_a_fingerprint() -> None:
    assert KeyInfo.__struct_fields__ == ("fingerprint", "algorithm", "comment")
