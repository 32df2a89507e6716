"""Remembering what was computed for a view that has not changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

A = TypeVar("A")
K = TypeVar("K")
R = TypeVar("R")


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
