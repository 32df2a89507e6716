"""Work beside a screen that may be put off or called off before it has begun."""

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
    """Do this instead of whatever the group does now; ``ends``: a fault in it closes the screens.

    The job is handed over uncalled: a coroutine that is called off before it has begun would
    complain on the terminal that nobody waited for it.
    """
    node.run_worker(cast("Any", job), group=group, exclusive=True, exit_on_error=ends)


async def sliced(steps: Iterable[Step]) -> AsyncIterator[Step]:
    """Steps of long work, one by one; keys come in between."""
    began = perf_counter()
    for step in steps:
        yield step
        if perf_counter() - began > _WORK:
            await asyncio.sleep(_REST)
            began = perf_counter()
