"""Remembering what was computed for a view as long as there is that view.

A host asks from several threads: what is remembered is looked at once and exchanged whole, so that
at worst something is computed twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import ParamSpec, TypeVar
from weakref import ref

A = TypeVar("A")
K = TypeVar("K")
R = TypeVar("R")
P = ParamSpec("P")


def _kept(make: Callable[[A], R]) -> Callable[[A], R]:
    """Something for each of many objects, by which they are and not by what they are like.

    It goes when its object goes. Many people look at views of their own in turn on a host, so the
    last one alone would be the wrong one nearly always.
    """
    kept: dict[int, tuple[ref[A], R]] = {}

    def remembering(owner: A) -> R:
        number = id(owner)
        found = kept.get(number)
        if found is not None and found[0]() is owner:
            return found[1]
        made = make(owner)

        def gone(_: ref[A]) -> None:
            kept.pop(number, None)

        kept[number] = ref(owner, gone), made
        return made

    return remembering


def recent(function: Callable[[A], R]) -> Callable[[A], R]:
    """The function, remembering its answer for the very same argument as long as that exists.

    States and views never change, so one object stands for one answer; comparing or hashing a whole
    view would cost more than most answers. Arguments are records with ``weakref=True``; the answer
    must not hold its argument, else both would stay for ever.

    Raises (when called):
        TypeError: the argument cannot be referred to weakly.
    """
    return wraps(function)(_kept(function))


def recent_each(function: Callable[[A, K], R]) -> Callable[[A, K], R]:
    """As ``recent``, with an answer for each second argument."""
    kept: Callable[[A], dict[K, R]] = _kept(lambda _: {})

    @wraps(function)
    def remembering(argument: A, key: K) -> R:
        answers = kept(argument)
        if key not in answers:
            answers[key] = function(argument, key)
        return answers[key]

    return remembering


def recent_from(
    step: Callable[[A, R, A, K], R | None],
) -> Callable[[Callable[[A, K], R]], Callable[[A, K], R]]:
    """As ``recent_each``, for what changes little by little: answers are made out of the last ones.

    ``step(before, answer, argument, key)`` is what the function would say of ``argument`` if it
    said ``answer`` of ``before``; None: that is too much work, ask the function. The last two
    arguments for each key stay (a position and what somebody sees of it are asked about in turn),
    so there should be few keys.
    """

    def decorate(function: Callable[[A, K], R]) -> Callable[[A, K], R]:
        last: dict[K, tuple[tuple[A, R], ...]] = {}

        @recent_each
        @wraps(function)
        def remembering(argument: A, key: K) -> R:
            kept = last.get(key, ())
            for place, (before, known) in enumerate(kept):
                answer = step(before, known, argument, key)
                if answer is not None:
                    kept = _without(kept, place)
                    break
            else:
                answer = function(argument, key)
            last[key] = ((argument, answer), *kept[:1])
            return answer

        return remembering

    return decorate


def recent_few(count: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function that remembers its last ``count`` answers, for the very same arguments.

    Numbers, texts and tuples may be equal ones; everything else must be the same object.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        answers: tuple[tuple[tuple[object, ...], R], ...] = ()

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
            nonlocal answers
            given, kept = (*args, *kwargs.values()), answers
            for place, (known, answer) in enumerate(kept):
                if len(known) == len(given) and (
                    all(map(is_, known, given)) or all(map(_same, known, given))
                ):
                    if place:
                        answers = (kept[place], *_without(kept, place))
                    return answer
            answer = function(*args, **kwargs)
            answers = ((given, answer), *answers[: count - 1])
            return answer

        return remembering

    return decorate


def _without(kept: tuple[K, ...], place: int) -> tuple[K, ...]:
    return kept[:place] + kept[place + 1 :]


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, (int, str, tuple)) and one == other)
