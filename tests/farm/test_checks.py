"""Checks of workers by comparing results: a faulty worker is named, and its results are voided."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.core.codec import encode
from study.farm.checks import Agreements, Checks, Spool, proofs_of
from study.farm.protocol import Failed, Finished
from study.farm.runs import Done, Lost, Void
from study.farm.supervisor import Farm, FarmFault
from tests.farm import works
from tests.farm.works import Order

SEEDS = range(1000, 1300)
RIGHT = {number: works.throws(0)(seed) for number, seed in enumerate(SEEDS)}
PROOFS = proofs_of(works.throws, 1000, (1, 1001, 1002))


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make one worker throw wrong dice."""
    monkeypatch.setenv(works.FLIP, str(tmp_path / "flip"))


class Ledger:
    """Results as a caller keeps them: removed when voided, added again when redone."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self.voids: list[Void[int]] = []
        self.results: dict[int, Any] = {}

    def strike(self, void: Void[int]) -> None:
        self.voids.append(void)
        assert self.results.pop(void.number, None) is not None
        assert void.piece == SEEDS[void.number]

    def play(self, workers: int, *, ordered: bool = True, **checks: Any) -> None:
        own: Checks[int] = Checks(local=True, void=self.strike, **checks)
        with Farm(
            works.throws, 1000, workers=workers, checks=own, notice=self.notices.append
        ) as farm:
            for result in farm.run(SEEDS, ordered=ordered):
                assert isinstance(result, Done)
                assert result.number not in self.results
                self.results[result.number] = result.value


def test_worker_failing_a_proof_is_named_and_not_used(faulty: None) -> None:
    ledger = Ledger()
    ledger.play(2, proofs=PROOFS)
    assert ledger.results == RIGHT
    (line,) = ledger.notices
    assert line.startswith("worker local ")
    assert line.endswith(": piece 1 of the proofs came out otherwise")


def test_local_workers_need_a_proof_only_on_request() -> None:
    wrong = ((1, encode("wrong")),)
    with Farm(works.throws, 0, workers=1, checks=Checks(proofs=wrong)) as farm:
        assert [each.number for each in farm.run([5])] == [0]
    checks = Checks(proofs=wrong, local=True)
    with (
        Farm(works.throws, 0, workers=1, checks=checks) as farm,
        pytest.raises(FarmFault, match="worker local 1: piece 0 of the proofs came out otherwise"),
    ):
        list(farm.run([5]))


def test_proof_that_kills_the_worker_ends_the_attempts(tmp_path: Path) -> None:
    checks = Checks(proofs=((Order("leave"), b""),), local=True)
    with (
        Farm(works.deeds, str(tmp_path), workers=1, checks=checks) as farm,
        pytest.raises(FarmFault, match="workers end before they begin: exit code 3"),
    ):
        list(farm.run([Order("")]))


def test_worker_with_another_greeting_is_not_used() -> None:
    checks: Checks[int] = Checks(greet=works.same_greeting, local=True)
    with Farm(works.squares, 0, workers=1, checks=checks) as farm:
        assert [each.number for each in farm.run([5])] == [0]
    checks = Checks(greet=works.other_greeting, local=True)
    with (
        Farm(works.squares, 0, workers=1, checks=checks) as farm,
        pytest.raises(
            FarmFault, match=r"worker local 1: it has other versions: process \d+; here: process"
        ),
    ):
        list(farm.run([5]))


@pytest.mark.parametrize(("workers", "twice", "ordered"), [(3, 5, True), (2, 1, False)])
def test_results_of_a_faulty_worker_are_voided_and_redone(
    workers: int, twice: int, ordered: bool, faulty: None
) -> None:
    ledger = Ledger()
    ledger.play(workers, ordered=ordered, twice=twice)
    assert ledger.results == RIGHT
    (line,) = ledger.notices
    assert "came out otherwise than on local " in line
    assert {void.worker for void in ledger.voids} <= {line.split(": ")[0].removeprefix("worker ")}


def test_single_worker_gets_a_second_for_repeated_pieces() -> None:
    """Two agreeing workers are also checked by ``tests/lab/test_machines.py``."""
    ledger = Ledger()
    ledger.play(1, twice=10)
    assert (ledger.results, ledger.notices, ledger.voids) == (RIGHT, [], [])


def test_piece_with_different_results_everywhere_blames_no_worker() -> None:
    notices: list[str] = []
    checks: Checks[int] = Checks(twice=1, local=True)
    with Farm(works.process, None, workers=2, checks=checks, notice=notices.append) as farm:
        (lost,) = farm.run([1])
    assert isinstance(lost, Lost)
    assert lost.kind == "differs"
    assert sorted(lost.cause.removeprefix("it came out otherwise on each of ").split(", ")) == [
        "local 1",
        "local 2",
        "local judge 1",
    ]
    assert notices == []


def test_losses_are_the_same_when_pieces_run_twice(tmp_path: Path) -> None:
    pieces = [Order(deed, number) for number, deed in enumerate(["", "raise", "leave", ""])]
    checks: Checks[Order] = Checks(twice=1, local=True)
    with Farm(works.deeds, str(tmp_path), workers=2, checks=checks) as farm:
        first, raised, died, last = farm.run(pieces)
    assert (first.number, last.number) == (0, 3)
    assert {type(first), type(last)} == {Done}
    assert isinstance(raised, Lost)
    assert raised.kind == "raised"
    assert isinstance(died, Lost)
    assert (died.kind, died.cause) == ("died", "the process died: exit code 3")


def test_result_counts_even_if_other_workers_die_over_the_piece(tmp_path: Path) -> None:
    checks: Checks[Order] = Checks(twice=1, local=True)
    with Farm(works.deeds, str(tmp_path), workers=2, checks=checks) as farm:
        (done,) = farm.run([Order("then-leave", 4)])
    assert isinstance(done, Done)
    assert done.value == 4


# -- the parts ---------------------------------------------------------------------------------


def test_about_one_piece_in_the_given_number_runs_twice() -> None:
    chosen = [number for number in range(20_000) if Agreements(100).concerns(number)]
    assert 150 < len(chosen) < 250
    assert 0.3 < Counter(number % 2 for number in chosen)[0] / len(chosen) < 0.7


def test_two_equal_answers_outvote_the_third() -> None:
    agreements = Agreements(1)
    right, wrong = Finished(7, b"a", 0.1), Finished(7, b"b", 0.1)
    assert agreements.vote("one", wrong) is None
    assert agreements.vote("two", right) is None
    assert agreements.voters(7) == ("one", "two")
    assert agreements.vote("three", right) == (right, ("two", "three"), ("one",))
    assert agreements.vote("one", Failed(8, "why", 0.1)) is None
    assert agreements.vote("two", Failed(8, "why", 0.9)) == (
        Failed(8, "why", 0.9),
        ("one", "two"),
        (),
    )


def test_spool_returns_the_noted_pieces() -> None:
    spool = Spool()
    for number in range(3):
        spool.add(number, encode(number * 7), was_done=number != 1)
    assert spool.count == 3
    assert list(spool.pieces(len)) == [(0, 1, True), (1, 1, False), (2, 1, True)]
    spool.clear()
    assert list(spool.pieces(len)) == []
    spool.close()
