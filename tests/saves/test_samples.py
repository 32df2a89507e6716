"""Real saves of every released format always open and are never rewritten."""

from __future__ import annotations

import hashlib
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from shutil import copy
from subprocess import run
from typing import Any

import pytest

from engine.core import registry
from engine.core.codec import digest, layout
from engine.core.log import Entry
from engine.core.record import Raw
from engine.core.registry import find
from engine.core.replay import fold
from engine.core.ruleset import Upcast
from engine.rulesets.weltendaemmerung.commands import StepUnit
from saves.archive import Folder
from saves.payloads import FORMAT
from saves.reader import Reading, as_json, as_text, check, read
from tests.saves.make_sample import make, record

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "saves" / "samples"
SAMPLE = SAMPLES / "format-1.bnr"

every_sample = pytest.mark.parametrize(
    "sample", sorted(SAMPLES.glob("*.bnr")), ids=lambda path: path.stem
)


def told(sample: Path) -> dict[str, Any]:
    return tomllib.loads(sample.with_suffix(".toml").read_text(encoding="utf-8"))


def test_every_format_has_a_sample() -> None:
    formats = {told(sample)["format"] for sample in SAMPLES.glob("*.bnr")}
    assert formats == set(range(1, FORMAT + 1))


@every_sample
def test_a_sample_is_never_edited(sample: Path) -> None:
    assert hashlib.sha256(sample.read_bytes()).hexdigest() == told(sample)["sha256"]


@every_sample
def test_sample_has_the_recorded_content(sample: Path) -> None:
    found, wanted = read(sample), told(sample)
    assert found.remarks == ()
    assert found.header.ruleset == wanted["ruleset"]
    assert len(found.log) == wanted["entries"]
    assert len(found.log.line()) == wanted["line"]
    assert found.log.head == wanted["head"]
    assert [comment.text for comment in found.comments] == wanted["comments"]
    for seq, after in wanted["branches"].items():
        assert found.log.children(int(seq)) == after


@every_sample
def test_a_sample_folds_to_the_recorded_end(sample: Path) -> None:
    found, wanted = read(sample), told(sample)
    rules = find(found.header.ruleset)
    state = fold(rules, found.log.line())
    outcome = rules.outcome(state)
    assert outcome is not None
    assert outcome.reason == wanted["reason"]
    assert list(outcome.winners) == wanted["winners"]
    if layout(rules.state_type).hex() == wanted["layout"]:  # otherwise the digest says nothing
        assert digest(state).hex() == wanted["digest"]


@every_sample
def test_a_sample_verifies(sample: Path) -> None:
    found, wanted = read(sample), told(sample)
    verdict = check(found).verdict
    assert verdict.divergence is None
    assert verdict.entries == wanted["entries"]
    assert verdict.marks + verdict.not_comparable == wanted["marks"]
    if layout(find(found.header.ruleset).state_type).hex() == wanted["layout"]:
        assert verdict.not_comparable == 0


@every_sample
def test_sample_can_be_continued(sample: Path, tmp_path: Path) -> None:
    copy(sample, tmp_path)
    archive = Folder(tmp_path)
    opened = archive.open(sample.stem)
    assert opened.file is not None
    opened.file.head(0)
    opened.file.close()
    again = archive.read(sample.stem)
    assert again.log.head == 0
    assert again.log.entries == opened.log.entries == read(sample).log.entries


@every_sample
def test_a_sample_can_be_dumped(sample: Path) -> None:
    found, wanted = read(sample), told(sample)
    assert len(list(as_json(found))) == wanted["line"]
    numbered = [line for line in as_text(found) if line[0].isdecimal()]
    assert len(numbered) == wanted["line"] - 1


class Turned(type(find("weltendaemmerung"))):  # type: ignore[misc]  # the class of whatever is registered
    """The ruleset one schema later: the value ``up`` is now called ``down``."""

    schema = 2

    @property
    def upcasts(self) -> Mapping[int, Upcast]:
        return {1: _turned}


def _turned(raw: Raw) -> Raw:
    command = raw["command"]
    if command is not None and command.get("direction") == "up":
        return {**raw, "command": {**command, "direction": "down"}}
    return raw


def directions(found: Reading) -> list[str]:
    commands = [entry.command for entry in found.log.entries]
    return [command.direction for command in commands if isinstance(command, StepUnit)]


def test_sample_of_schema_1_is_upcast_to_a_later_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read(SAMPLE)
    monkeypatch.setitem(registry._registered, "weltendaemmerung", Turned())
    lifted = read(SAMPLE)
    assert directions(before) == ["up", "up", "down"]
    assert directions(lifted) == ["down", "down", "down"]
    assert [e.events for e in lifted.log.entries] == [e.events for e in before.log.entries]
    copy(SAMPLE, tmp_path)
    opened = Folder(tmp_path).open(SAMPLE.stem)
    assert opened.file is not None
    opened.file.entry(Entry(68, 67, 0, StepUnit(0, "up"), ()))
    opened.file.close()
    assert directions(read(tmp_path / SAMPLE.name)) == [*directions(lifted), "up"]


def test_make_sample_records_the_values_that_tests_need(tmp_path: Path) -> None:
    made = tmp_path / "made.bnr"
    make(made)
    wanted = tomllib.loads(record(made))
    assert set(wanted) == set(told(SAMPLE))
    assert wanted["sha256"] == hashlib.sha256(made.read_bytes()).hexdigest()
    assert wanted["branches"] == {"1": [2, 3, 4]}
    assert check(read(made)).verdict.divergence is None


def test_example_in_the_format_page_reads_the_sample(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "save-format.md").read_text(encoding="utf-8")
    script = text.split("```python\n")[1].split("```")[0]
    copy(SAMPLE, tmp_path / "game.bnr")
    ended = run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    kinds = [line.split()[0] for line in ended.stdout.splitlines()]
    assert kinds.count("entry") == 68
    assert kinds[0] == "header"
    assert {"head", "comment"} <= set(kinds)
