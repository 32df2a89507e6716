"""Verifying a save: the log decided again, the marks compared."""

from __future__ import annotations

from engine.core.archive import Opened
from engine.core.record import Record
from engine.core.registry import find
from engine.core.replay import Verdict, verify
from saves.reader import Reading
from saves.stamp import engine_version, rules_hash


class Checked(Record, frozen=True):
    """A verdict, and remarks that explain it."""

    verdict: Verdict
    remarks: tuple[str, ...]


def check(opened: Opened) -> Checked:
    """Decide every command of a save again with the recorded throws."""
    rules = find(opened.header.ruleset)
    verdict = verify(rules, opened.log)
    remarks = list(opened.remarks)
    if isinstance(opened, Reading) and opened.writer.rules_hash not in ("", rules_hash(rules)):
        remarks.append(
            f"written by version {opened.writer.engine} with other rules than this"
            f" {engine_version()}"
        )
    if verdict.not_comparable:
        remarks.append(f"{verdict.not_comparable} marks are of another layout: not comparable")
    return Checked(verdict, tuple(remarks))
