"""Work beside a screen that may be put off or called off before it has begun."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, cast

from textual.dom import DOMNode

ScreenJob: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


def begin(node: DOMNode, job: ScreenJob, group: str, *, ends: bool = True) -> None:
    """Do this instead of whatever the group does now; ``ends``: a fault in it closes the screens.

    The job is handed over uncalled: a coroutine that is called off before it has begun would
    complain on the terminal that nobody waited for it.
    """
    node.run_worker(cast("Any", job), group=group, exclusive=True, exit_on_error=ends)
