"""Commands as bots: a program of its own process that speaks the bot protocol."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import Seat
from engine.core.link import FeedItem
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Outcome
from tui.lab.bots import BotSpec, PlanMoment
from tui.lab.plans import GameLimits


class CommandPlayer:
    """A program on a seat. It is started with the game and ended with it."""

    wants_feed = True

    def __init__(
        self, rules: AnyRuleset, bot: BotSpec, seat: Seat, names: Sequence[str], limits: GameLimits
    ) -> None:
        """Start the program.

        Raises:
            Wrong: it is not there.
        """
        raise NotImplementedError

    def plan(self, moment: PlanMoment) -> Sequence[Command]:
        """The next command of the program.

        Raises:
            BotFault: it has none.
        """
        raise NotImplementedError

    def told(self, item: FeedItem) -> None:
        """Send it what its seat is told."""

    def accepted(self) -> None:
        """Tell it that its command was carried out."""

    def refused(self, refusal: Refused) -> None:
        """Tell it that its command was refused."""

    def over(self, outcome: Outcome | None) -> None:
        """Tell it how the game ended."""

    def close(self) -> None:
        """End it and whatever it has started."""
