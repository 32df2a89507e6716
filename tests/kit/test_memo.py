"""Answers that are remembered."""

from __future__ import annotations

from engine.kit.memo import recent_few


def test_answers_are_remembered_for_the_same_objects_and_equal_keys() -> None:
    asked: list[tuple[object, ...]] = []

    @recent_few(2)
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


def test_only_the_last_few_are_remembered() -> None:
    asked: list[int] = []

    @recent_few(2)
    def answer(key: int) -> int:
        asked.append(key)
        return key

    for key in (1, 2, 1, 3, 1, 2):
        assert answer(key) == key
    assert asked == [1, 2, 3, 2]
