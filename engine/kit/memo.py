"""Remembering what was computed for a view that has not changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

A = TypeVar("A")
K = TypeVar("K")
R = TypeVar("R")
P = ParamSpec("P")


def recent(function: Callable[[A], R]) -> Callable[[A], R]:
    """The function, remembering its last answer for the very same argument.

    States and views never change, so one object stands for one answer; comparing or hashing a whole
    view would cost more than most answers.
    """
    last: list[tuple[A, R]] = []

    @wraps(function)
    def remembering(argument: A) -> R:
        if last and last[0][0] is argument:
            return last[0][1]
        answer = function(argument)
        last[:] = [(argument, answer)]
        return answer

    return remembering


def recent_each(function: Callable[[A, K], R]) -> Callable[[A, K], R]:
    """As ``recent``, with an answer for each second argument while the first stays the same."""
    subject: list[A] = []
    answers: dict[K, R] = {}

    @wraps(function)
    def remembering(argument: A, key: K) -> R:
        if not subject or subject[0] is not argument:
            subject[:] = [argument]
            answers.clear()
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
