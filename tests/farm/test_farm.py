"""Farms: equal results for any number of workers, whatever happens to single pieces."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from study.farm.dispatch import MOST_BATCH
from study.farm.links import LocalMachine
from study.farm.runs import Done, FarmProgress, Lost
from study.farm.supervisor import Farm, FarmFault
from tests.farm import works
from tests.farm.works import Order
from tests.patience import PATIENCE

ENDS = {
    "raise": ("raised", "LookupError: nothing is there (works.py:"),
    "exit": ("raised", "SystemExit: 4 (works.py:"),
    "segfault": ("died", "the process died: SIGSEGV"),
    "memory": ("died", "the process died: no memory"),
    "fork": ("died", "the process died: exit code 5"),
    "close": ("died", "the process died: SIGKILL"),
    "hang": ("deadline", "longer than 4 s"),
    "burn": ("deadline", "longer than 0.15 s of processor time"),
}
"""Kind of a loss and beginning of its cause, by the deed of the piece."""


def values(results: Iterator[Any]) -> list[Any]:
    return [result.value if isinstance(result, Done) else result for result in results]


@pytest.fixture(scope="module")
def napping() -> Iterator[Farm[float, float, float]]:
    """A farm of two workers, shared by tests that leave no run open."""
    with Farm(works.naps, 0.0, workers=2) as farm:
        yield farm


@pytest.mark.parametrize("workers", [0, 1, 3])
@pytest.mark.portable
def test_results_are_equal_and_in_order_for_any_number_of_workers(workers: int) -> None:
    with Farm(works.squares, 1, workers=workers) as farm:
        assert values(farm.run(range(1000))) == [piece * piece + 1 for piece in range(1000)]


@pytest.mark.parametrize("workers", [0, 1])
def test_numbers_pieces_and_values_survive_the_round_trip(workers: int) -> None:
    pieces = [(2, "two"), (0, "none"), (3, "three")]
    with Farm(works.lists, (1, 2), workers=workers) as farm:
        results = list(farm.run(pieces))
    assert [(each.number, each.piece) for each in results] == list(enumerate(pieces))
    assert values(iter(results)) == [(5, ("two", "two")), (3, ()), (6, ("three",) * 3)]


def test_unordered_results_come_as_they_are_done(
    napping: Farm[float, float, float],
) -> None:
    results = list(napping.run([1.0, 0.0, 0.0, 0.0], ordered=False))
    assert [each.number for each in results][-1] == 0
    assert sorted(each.number for each in results) == [0, 1, 2, 3]


def test_big_pieces_and_results_go_through_the_pipes() -> None:
    with Farm(works.planes, None, workers=1) as farm:
        sides = [each.cells.width for each in values(farm.run([1500, 1, 1200]))]
    assert sides == [1500, 1, 1200]
    with Farm(works.lists, (), workers=1) as farm:
        (text,) = values(farm.run([(1, "x" * 5_000_000)]))
    assert text == (1, ("x" * 5_000_000,))


def test_empty_run_starts_no_worker() -> None:
    with Farm(works.stillborn, 1, workers=2) as farm:
        assert list(farm.run([])) == []


def test_workers_are_kept_from_run_to_run() -> None:
    with Farm(works.process, None, workers=1) as farm:
        assert len({*values(farm.run(range(3))), *values(farm.run(range(3)))}) == 1


# -- losses ------------------------------------------------------------------------------------


def test_failing_piece_costs_no_other_piece(tmp_path: Path) -> None:
    pieces = [Order(deed, number) for number, deed in enumerate(["", *ENDS, "print", ""])]
    with Farm(works.deeds, str(tmp_path), workers=2, deadline=4, processor_time=0.15) as farm:
        results = list(farm.run(pieces))
    assert [each.piece for each in results] == pieces
    lost = {each.piece.deed: each for each in results if isinstance(each, Lost)}
    assert {deed: each.kind for deed, each in lost.items()} == {d: k for d, (k, _) in ENDS.items()}
    for deed, (_, cause) in ENDS.items():
        assert lost[deed].cause.startswith(cause)
        assert "\n" not in lost[deed].cause


def test_death_is_blamed_on_the_piece_being_done(tmp_path: Path) -> None:
    pieces = [Order("leave" if number == 150 else "", number) for number in range(300)]
    with Farm(works.deeds, str(tmp_path), workers=2) as farm:
        results = list(farm.run(pieces))
    assert [each.number for each in results] == list(range(300))
    assert [each.number for each in results if isinstance(each, Lost)] == [150]


def test_piece_that_fails_once_is_retried(tmp_path: Path) -> None:
    deeds = ("once-kill", "once-hang", "once-burn", "once-memory", "")
    pieces = [Order(deed, number) for number, deed in enumerate(deeds)]
    with Farm(works.deeds, str(tmp_path), workers=1, deadline=2, processor_time=0.15) as farm:
        assert values(farm.run(pieces)) == [0, 1, 2, 3, 4]
    assert all(Path(tmp_path, f"{number}").exists() for number in range(4))


def test_exception_is_a_result_and_not_retried(tmp_path: Path) -> None:
    with Farm(works.deeds, str(tmp_path), workers=1) as farm:
        first, second = farm.run([Order("once-raise", 1), Order("once-raise", 2)])
        assert [first.number, second.number] == [0, 1]
        assert {type(first), type(second)} == {Lost}
        assert values(farm.run([Order("once-raise", 1)])) == [1]


@pytest.mark.parametrize("workers", [0, 1])
def test_result_of_a_wrong_type_is_lost_with_the_reason(workers: int) -> None:
    with Farm(works.unwritable, None, workers=workers) as farm:
        zero, one, two = values(farm.run(range(3)))
    assert (zero, two) == (0, 2)
    assert (one.kind, one.cause.split(" (")[0]) == (
        "raised",
        "NotImplementedError: object cannot be written",
    )
    with Farm(works.untrue, None, workers=workers) as farm:
        (lost,) = farm.run([5])
    assert isinstance(lost, Lost)
    assert "tests.farm.works:untrue" in lost.cause


def test_exceptions_are_reported_alike_here_and_in_workers(tmp_path: Path) -> None:
    pieces = [Order("raise"), Order("exit"), Order("")]
    told = []
    for workers in (0, 1):
        with Farm(works.deeds, str(tmp_path), workers=workers) as farm:
            told.append([each[:2] if isinstance(each, Done) else each for each in farm.run(pieces)])
    assert told[0] == told[1]


def test_piece_exceeding_the_memory_limit_is_lost(tmp_path: Path) -> None:
    pieces = [Order("swell", 0), Order("", 1)]
    with Farm(works.deeds, str(tmp_path), workers=1, memory=2 * 10**9) as farm:
        lost, done = farm.run(pieces)
    assert lost[2:] == ("memory", "more than 2000 MB of memory")
    assert isinstance(done, Done)


def test_time_of_the_caller_does_not_count_for_deadlines() -> None:
    with Farm(works.naps, 0.0, workers=1, deadline=2.0) as farm:
        results = []
        for result in farm.run([0.0, 0.5, 0.0]):
            results.append(result)
            time.sleep(2.2 if result.number == 0 else 0)
    assert values(iter(results)) == [0.0, 0.5, 0.0]


# -- batches -----------------------------------------------------------------------------------


def test_pieces_queued_after_a_long_one_go_to_other_workers(
    napping: Farm[float, float, float],
) -> None:
    pieces = [PATIENCE if number == 300 else 0.0 for number in range(600)]
    run = napping.run(pieces, ordered=False)
    numbers = [each.number for each in islice(run, 599)]
    run.close()  # type: ignore[attr-defined]  # it is a generator
    assert sorted([*numbers, 300]) == list(range(600))


def test_run_shorter_than_a_batch_is_shared() -> None:
    with Farm(works.busy_process, None, workers=2) as farm:
        list(farm.run([0.01] * 100))
        by = Counter(values(farm.run([0.01] * 20)))
    assert sorted(by.values())[0] >= 5


@pytest.mark.parametrize("workers", [0, 2])
def test_pieces_are_taken_from_their_iterator_on_demand(workers: int) -> None:
    taken = count()
    with Farm(works.naps, 0.0, workers=workers) as farm:
        pieces = ((1.0 if workers else 0.0) if next(taken) == 0 else 0.0 for _ in count())
        assert values(islice(farm.run(pieces), 1)) == [1.0 if workers else 0.0]
    assert next(taken) <= 2 * MOST_BATCH * max(1, workers)


def test_error_of_the_iterator_is_raised_and_the_farm_survives(
    napping: Farm[float, float, float],
) -> None:
    def pieces() -> Iterator[float]:
        yield 0.0
        raise OSError("no more of them")

    with pytest.raises(OSError, match="no more of them"):
        list(napping.run(pieces()))
    assert values(napping.run([0.25])) == [0.25]


def test_abandoned_run_leaves_nothing_for_the_next() -> None:
    with Farm(works.naps, 0.0, workers=2) as farm:
        for result in farm.run([0.0, 1000.0, 1000.0]):
            assert result.number == 0
            break
        assert values(farm.run([0.25, 0.0])) == [0.25, 0.0]


def test_progress_counts_done_and_lost_pieces(tmp_path: Path) -> None:
    seen: list[FarmProgress] = []
    pieces = [Order(""), Order("raise"), Order("leave"), Order("")]
    with Farm(works.deeds, str(tmp_path), workers=1) as farm:
        list(farm.run(pieces, progress=seen.append))
    assert [pace.done + pace.lost for pace in seen] == [1, 2, 3, 4]
    assert (seen[-1].done, seen[-1].lost) == (2, 2)
    assert all(pace.per_second > 0 for pace in seen)


def test_stop_from_another_thread_yields_the_done_results() -> None:
    with Farm(works.naps, 0.0, workers=2) as farm:
        run = farm.run([1000.0, 0.0, 0.0])
        seen: list[FarmProgress] = []

        def stop_after_two(pace: FarmProgress) -> None:
            seen.append(pace)
            if pace.done == 2:
                threading.Thread(target=farm.stop).start()

        run = farm.run([1000.0, 0.0, 0.0], progress=stop_after_two)
        assert [each.number for each in run] == [1, 2]
        assert list(farm.run([0.0])) == []


# -- impossible work ---------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 1])
def test_failing_setup_is_reported_in_one_line(workers: int) -> None:
    with (
        Farm(works.unready, 5, workers=workers) as farm,
        pytest.raises(FarmFault, match=r"^tests.farm.works:unready: ValueError: no setup 5 \(.*$"),
    ):
        list(farm.run([1]))


def test_workers_that_end_at_once_are_not_restarted_forever() -> None:
    with (
        Farm(works.stillborn, 6, workers=1) as farm,
        pytest.raises(FarmFault, match="workers end before they begin: exit code 6"),
    ):
        list(farm.run(range(10)))


def test_running_workers_continue_when_no_more_can_start(tmp_path: Path) -> None:
    with Farm(works.only_child, str(tmp_path), workers=2) as farm:
        pids = values(farm.run([0.1] * 20))
    assert len(pids) == 20
    assert len(set(pids)) == 1


def nested() -> Callable[[int], Callable[[int], int]]:
    def work(setup: int) -> Callable[[int], int]:
        return lambda piece: piece

    return work


@pytest.mark.parametrize("work", [lambda setup: setup, nested(), works.untyped, works.pairs])
def test_function_unusable_by_workers_is_refused(work: Any) -> None:
    with pytest.raises(ValueError, match="function"):
        Farm(work, 1)


@pytest.mark.parametrize(
    "numbers",
    [
        {"workers": -1},
        {"workers": 1, "deadline": 0},
        {"workers": 0, "processor_time": 1},
        {"memory": 0},
        {"workers": 1, "machines": (LocalMachine(1),)},
    ],
)
def test_impossible_numbers_are_refused(numbers: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="worker"):
        Farm(works.squares, 1, **numbers)


def test_farm_has_one_run_at_a_time(napping: Farm[float, float, float]) -> None:
    first = napping.run([0.0, 0.25])
    next(first)
    with pytest.raises(RuntimeError, match="one run"):
        next(napping.run([0.0]))
    assert values(first) == [0.25]
