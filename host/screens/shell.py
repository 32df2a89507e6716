"""The program around a visitor's screens, as the screens may use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from engine.core.ids import Seat, Viewer
from host.server.clocks import Terms
from host.server.game_server import GameServer
from host.server.people import Person
from tui.play.setup import NewGame
from tui.screens.shell import Shell


class HostShell(Shell, Protocol):
    """The program of a visitor to a host: games of others, seats and clocks."""

    game_server: GameServer
    """The games of the host."""
    person: Person
    """The person at this screen."""
    ask: Callable[[Literal["line", "chat"]], str]
    """Returns why a further line of play or talk would exceed the rate limit, or an empty text."""
    eyes: Viewer | None
    """Viewer for the next game that is entered; None for the default."""
    last_game: int
    """The number of the game that was open last."""

    def elsewhere(self) -> list[int]:
        """Return the games that wait for this person, except the open one."""

    def enter(self, number: int, seat: Seat | None = None) -> None:
        """Open a game, and take ``seat`` in it if given."""

    def begin(self, start: NewGame, terms: Terms) -> None:
        """Begin a game and enter it."""

    async def code_for_key(self) -> tuple[str, ...]:
        """Make an invitation code for another key; return lines that explain its use."""
