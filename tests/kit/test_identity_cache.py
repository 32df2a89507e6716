"""Caches of views: each view has its own entry, which is removed with the view."""

from __future__ import annotations

import gc

import pytest

from engine.core.record import Record
from engine.kit.identity_cache import (
    identity_cache,
    identity_lru,
    incremental_cache,
    keyed_identity_cache,
)


class Seen(Record, frozen=True, weakref=True):
    """A minimal view."""

    number: int


def test_alternating_views_are_each_computed_once() -> None:
    asked: list[int] = []

    @identity_cache
    def double(seen: Seen) -> int:
        asked.append(seen.number)
        return seen.number * 2

    views = [Seen(number) for number in range(3)]
    assert [double(view) for view in views * 3] == [0, 2, 4] * 3
    assert asked == [0, 1, 2]


def test_equal_views_have_separate_entries() -> None:
    asked: list[Seen] = []

    @identity_cache
    def note(seen: Seen) -> int:
        asked.append(seen)
        return seen.number

    one, other = Seen(1), Seen(1)
    note(one)
    note(other)
    assert [each is one for each in asked] == [True, False]


def test_answers_are_cached_for_each_second_argument() -> None:
    asked: list[tuple[int, int]] = []

    @keyed_identity_cache
    def plus(seen: Seen, more: int) -> int:
        asked.append((seen.number, more))
        return seen.number + more

    one, other = Seen(1), Seen(2)
    pairs = [(one, 1), (other, 1), (one, 2), (one, 1), (other, 1)]
    assert [plus(view, more) for view, more in pairs] == [2, 3, 3, 2, 3]
    assert asked == [(1, 1), (2, 1), (1, 2)]


def test_cached_answer_is_freed_with_its_view() -> None:
    answers: list[Seen] = []

    @identity_cache
    def double(seen: Seen) -> list[int]:
        return [seen.number * 2]

    kept = Seen(3)
    first = double(kept)
    for number in range(100):
        answers.append(Seen(number))
        assert double(answers.pop()) == [number * 2]
    gc.collect()
    held = [one for one in gc.get_objects() if isinstance(one, list) and one == [198]]
    assert held == []
    assert double(kept) is first


def test_argument_without_weak_references_is_an_error() -> None:
    @identity_cache
    def length(text: str) -> int:
        return len(text)

    with pytest.raises(TypeError):
        length("abc")


def test_answer_is_derived_from_recent_ones_if_easy() -> None:
    told: list[str] = []

    def step(before: Seen, answer: int, seen: Seen, more: int) -> int | None:
        if abs(seen.number - before.number) > 1:
            return None
        told.append(f"{seen.number}+{more} from {before.number}")
        return answer + seen.number - before.number

    @incremental_cache(step)
    def plus(seen: Seen, more: int) -> int:
        told.append(f"{seen.number}+{more}")
        return seen.number + more

    views = [Seen(number) for number in (1, 2, 7, 3, 8, 20, 30, 4)]
    assert [plus(view, 5) for view in views] == [6, 7, 12, 8, 13, 25, 35, 9]
    assert plus(views[0], 5) == 6
    assert plus(views[1], 1) == 3
    steps = ["2+5 from 1", "7+5", "3+5 from 2", "8+5 from 7", "20+5", "30+5", "4+5"]
    assert told == ["1+5", *steps, "2+1"]


def test_answers_are_cached_by_identity_and_equal_keys() -> None:
    asked: list[tuple[object, ...]] = []

    @identity_lru(2)
    def answer(thing: list[int], key: tuple[int, int]) -> int:
        asked.append((thing, key))
        return sum(thing) + key[0]

    first, second = [1], [1]
    assert answer(first, (1, 2)) == 2
    assert answer(first, (1, 2)) == 2
    assert len(asked) == 1
    assert answer(second, (1, 2)) == 2
    assert len(asked) == 2
    assert answer(first, (1, 2)) == 2
    assert len(asked) == 2


def test_only_the_last_few_answers_are_cached() -> None:
    asked: list[int] = []

    @identity_lru(2)
    def answer(key: int) -> int:
        asked.append(key)
        return key

    for key in (1, 2, 1, 3, 1, 2):
        assert answer(key) == key
    assert asked == [1, 2, 3, 2]
