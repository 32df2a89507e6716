"""Links: a client's connection to a game, possibly in another process. Clients use nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

from engine.core.ids import Viewer
from engine.core.record import Event, Record


class FeedItem(Record, frozen=True):
    """One change as a viewer may know it: redacted events, and the view after them.

    ``count`` numbers the items of this viewer only, so it reveals nothing about hidden entries.
    After ``rewound`` (undo, branch) the item has no events, only the view.
    """

    count: int
    change: Literal["played", "rewound"]
    events: tuple[Event, ...]
    view: Any
    views: tuple[Any, ...] = ()
    """The view after each event except the last, after which it is ``view``."""

    def steps(self, before: Any) -> Iterator[tuple[Event, Any, Any]]:
        """Yield each event with the views around it; ``before`` is the view before the first."""
        for event, after in zip(self.events, (*self.views, self.view), strict=False):
            yield event, before, after
            before = after


class Reply(Record, frozen=True):
    """The answer to a line: accepted, or refused with a code, a text and a rule id."""

    ok: bool
    code: str = ""
    text: str = ""
    rule: str = ""


class Link(Protocol):
    """A viewer's connection to a game."""

    @property
    def viewer(self) -> Viewer:
        """The viewer of this connection."""
        ...

    @property
    def view(self) -> Any:
        """The viewer's current view."""
        ...

    async def submit(self, line: str) -> Reply:
        """Submit a command in notation; ``undo`` takes back one's own last entry."""
        ...

    def feed(self, hear: Callable[[FeedItem], None]) -> Callable[[], None]:
        """Call ``hear`` with every later item. Call the result to unsubscribe."""
        ...
