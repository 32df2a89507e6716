"""Caches of values computed from views, for as long as the view exists.

A host calls from several threads. Cache entries are read once and replaced atomically, so at worst
a value is computed twice.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar
from weakref import ref

A = TypeVar("A")
K = TypeVar("K")
R = TypeVar("R")
P = ParamSpec("P")


_PLAIN: Final = (int, str, tuple)
"""Types of arguments that ``identity_lru`` compares by equality."""


def _kept(make: Callable[[A], R]) -> Callable[[A], R]:
    """Cache one value per object, keyed by identity, not equality.

    An entry is removed with its object. A host serves many views in turn, so a cache of only the
    last object would nearly always miss.
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


def identity_cache(function: Callable[[A], R]) -> Callable[[A], R]:
    """Decorate a function to cache its result for the identical argument, as long as that exists.

    States and views never change, so identity implies equality; comparing or hashing a whole view
    would cost more than most results. Arguments are records with ``weakref=True``. The result must
    not hold its argument, or neither is ever freed.

    Raises (when called):
        TypeError: the argument cannot be referenced weakly.
    """
    return wraps(function)(_kept(function))


def keyed_identity_cache(function: Callable[[A, K], R]) -> Callable[[A, K], R]:
    """Decorate like ``identity_cache``, with one result for each second argument."""
    kept: Callable[[A], dict[K, R]] = _kept(lambda _: {})

    @wraps(function)
    def remembering(argument: A, key: K) -> R:
        answers = kept(argument)
        if key not in answers:
            answers[key] = function(argument, key)
        return answers[key]

    return remembering


def incremental_cache(
    step: Callable[[A, R, A, K], R | None],
) -> Callable[[Callable[[A, K], R]], Callable[[A, K], R]]:
    """Decorate like ``keyed_identity_cache``, and let ``step`` derive a result from an earlier one.

    ``step(before, answer, argument, key)`` returns the result for ``argument``, given the result
    ``answer`` for ``before``, or None if a full computation is cheaper. The last two arguments of
    each key are kept, because callers alternate between a position and a view of it; so there
    should be few keys.
    """

    def decorate(function: Callable[[A, K], R]) -> Callable[[A, K], R]:
        last: dict[K, tuple[tuple[A, R], ...]] = {}

        @keyed_identity_cache
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


def identity_lru(count: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function to cache its last ``count`` results.

    Numbers, strings and tuples in arguments are compared by equality, all else by identity.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        answers: tuple[tuple[tuple[object, ...], R], ...] = ()

        @wraps(function)
        def remembering(*args: P.args, **kwargs: P.kwargs) -> R:
            nonlocal answers
            given, kept = (*args, *kwargs.values()), answers
            for place, (known, answer) in enumerate(kept):
                for one, other in zip(known, given, strict=False):
                    if one is not other and not (isinstance(one, _PLAIN) and one == other):
                        break
                else:
                    if len(known) != len(given):
                        continue
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
