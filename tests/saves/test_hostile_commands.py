"""Run fifty hostile files through all commands: the short form of ``hostile.py``."""

from __future__ import annotations

import pytest

from tests.saves import hostile, mutations

SEED, FILES = 8, 50


def test_hostile_files_crash_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    code = hostile.main(["--count", str(FILES), "--seed", str(SEED)])
    told = capsys.readouterr().out
    assert code == 0, told
    assert told.endswith(": 0 findings\n")


def test_hostile_files_go_through_every_command() -> None:
    gone = {words for number in range(FILES) for words in hostile.case(SEED, number)[2]}
    assert gone == {*hostile.SAVES, *hostile.SCENARIOS, *hostile.FOREIGN}


def test_a_case_is_always_the_same_file() -> None:
    assert hostile.case(3, 5) == hostile.case(3, 5)
    assert len({hostile.case(3, number)[1] for number in range(40)}) > 35


@pytest.mark.parametrize(
    ("said", "faults", "code", "what"),
    [
        ("fine\n", "", 0, []),
        ("a\x1b[2J", "", 0, ["control characters"]),
        ("", "banneret: no\n", 3, []),
        ("", "banneret: no\nmore\n", 3, ["fault"]),
        ("", "Traceback", 2, ["fault"]),
        ("", "", 99, ["exit code"]),
        ("", "banneret: entry 1: MemoryError: \n", 3, ["memory"]),
    ],
)
def test_faults_of_an_answer_are_found(said: str, faults: str, code: int, what: list[str]) -> None:
    assert [found for found, _ in hostile._wrong(said, faults, code)] == what


def test_every_kind_of_file_is_included() -> None:
    kinds = {(one.kind, one.suffix) for one in (*mutations.saves(), *mutations.scenarios())}
    assert kinds == {("save", ".bnr"), ("scenario", ".json"), ("scenario", ".toml")}
    assert {one.ruleset for one in mutations.saves()} >= {name for name, _, _ in mutations.GAMES}
