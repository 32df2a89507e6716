"""Remembering what was computed for a view as long as there is that view."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Generic, ParamSpec, TypeVar
from weakref import ref

A = TypeVar("A")
K = TypeVar("K")
R = TypeVar("R")
P = ParamSpec("P")


class _Kept(Generic[A, R]):
    """Something for each of many objects, by which they are and not by what they are like.

    It goes when its object goes. Many people look at views of their own in turn on a host, so the
    last one alone would be the wrong one nearly always.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[ref[A], R]] = {}

    def of(self, owner: A, make: Callable[[A], R]) -> R:
        """What is kept for an object; made if there is nothing yet."""
        number = id(owner)
        found = self._kept.get(number)
        if found is not None and found[0]() is owner:
            return found[1]
        made = make(owner)

        def gone(_: ref[A]) -> None:
            self._kept.pop(number, None)

        self._kept[number] = ref(owner, gone), made
        return made


def recent(function: Callable[[A], R]) -> Callable[[A], R]:
    """The function, remembering its answer for the very same argument as long as that exists.

    States and views never change, so one object stands for one answer; comparing or hashing a whole
    view would cost more than most answers. Arguments are records with ``weakref=True``; the answer
    must not hold its argument, else both would stay for ever.

    Raises (when called):
        TypeError: the argument cannot be referred to weakly.
    """
    kept: _Kept[A, R] = _Kept()

    @wraps(function)
    def remembering(argument: A) -> R:
        return kept.of(argument, function)

    return remembering


def recent_each(function: Callable[[A, K], R]) -> Callable[[A, K], R]:
    """As ``recent``, with an answer for each second argument."""
    kept: _Kept[A, dict[K, R]] = _Kept()

    @wraps(function)
    def remembering(argument: A, key: K) -> R:
        answers = kept.of(argument, lambda _: {})
        if key not in answers:
            answers[key] = function(argument, key)
        return answers[key]

    return remembering


def recent_few(count: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that remembers its last ``count`` answers, for the very same arguments.

    Numbers, texts and tuples may be equal ones; everything else must be the same object.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        answers: list[tuple[tuple[object, ...], R]] = []

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
            given = (*args, *kwargs.values())
            for place, (known, answer) in enumerate(answers):
                if len(known) == len(given) and all(map(_same, known, given)):
                    answers.insert(0, answers.pop(place))
                    return answer
            answer = function(*args, **kwargs)
            answers.insert(0, (given, answer))
            del answers[count:]
            return answer

        return remembering

    return decorate


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, (int, str, tuple)) and one == other)
