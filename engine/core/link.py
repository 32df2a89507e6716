"""What a client touches: one viewer's end of a game, perhaps in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol, TypeAlias

from engine.core.ids import Viewer
from engine.core.record import Event, Record

Change: TypeAlias = Literal["played", "rewound"]


class News(Record, frozen=True):
    """One thing a viewer is told: redacted events, and the view after them.

    ``count`` numbers the news of this viewer only, so it tells nothing of hidden entries. After
    ``rewound`` (undo, branch) there are no events and the view is all that counts.
    """

    count: int
    change: Change
    events: tuple[Event, ...]
    view: Any
    views: tuple[Any, ...] = ()
    """The view after each of the events but the last, after which it is ``view``."""

    def steps(self, before: Any) -> Iterator[tuple[Event, Any, Any]]:
        """Each event with the views around it; ``before`` is the view before the first."""
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
    """A viewer's end of a game."""

    @property
    def viewer(self) -> Viewer:
        """Whose end this is."""
        ...

    @property
    def view(self) -> Any:
        """What the viewer may know now."""
        ...

    async def submit(self, line: str) -> Reply:
        """Ask for a command in notation; ``undo`` takes back one's own last entry."""
        ...

    def feed(self, hear: Callable[[News], None]) -> Callable[[], None]:
        """Be told what happens from now on; the answer stops it."""
        ...
