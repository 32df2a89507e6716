"""Work in the background of a screen, which may be cancelled before it has started."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from time import perf_counter
from typing import Any, Final, TypeAlias, TypeVar, cast

from textual.dom import DOMNode

_WORK: Final = 0.006
_REST: Final = 0.002
"""Seconds of work, and of letting keys through, in turn."""

Step = TypeVar("Step")

ScreenJob: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


def begin(node: DOMNode, job: ScreenJob, group: str, *, ends: bool = True) -> None:
    """Run a job in the background; it replaces the running one of its group.

    If ``ends``, a failure closes the screens. The job is a function, since a coroutine cancelled
    before it starts would print "was never awaited".
    """
    node.run_worker(cast("Any", job), group=group, exclusive=True, exit_on_error=ends)


async def sliced(steps: Iterable[Step]) -> AsyncIterator[Step]:
    """Yield the steps of long work, and let keys be handled in between."""
    began = perf_counter()
    for step in steps:
        yield step
        if perf_counter() - began > _WORK:
            await asyncio.sleep(_REST)
            began = perf_counter()
