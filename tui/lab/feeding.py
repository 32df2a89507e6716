"""``banneret lab feed``: recorded positions are put to a bot; where does it decide otherwise?"""

from __future__ import annotations

from argparse import Namespace
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.core.archive import Opened
from engine.core.codec import encode_json
from engine.core.feed import AnyChange, changes
from engine.core.ids import Seat
from engine.core.notation import write
from engine.core.record import Command, Record
from engine.core.refused import Denied, Refused
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import names_in
from engine.core.soundness import log_faults
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, say, say_json
from tui.lab.bots import BotFault, LabPlayer, PlanMoment, check_bots, read_bot
from tui.lab.games import player_of
from tui.lab.plans import GameLimits
from tui.lab.verbs import LabPorts
from tui.play.seats import seat_named


class FedDecision(Record, frozen=True):
    """Decision of a recorded game that a bot would have made otherwise."""

    place: str
    recorded: str
    wanted: str


class Feeding:
    """A bot on the seat of a recorded game. It is asked whenever its last plan is used up."""

    def __init__(self, rules: AnyRuleset, seat: Seat, seed: bytes, player: LabPlayer) -> None:
        """Begin before the first entry."""
        self._rules, self._seat, self._seed, self._player = rules, seat, seed, player
        self._plan: deque[Command] = deque()
        self.asked = self.alike = 0
        """Recorded decisions of the seat, and those that the bot makes too."""

    def take(self, change: AnyChange) -> FedDecision | None:
        """Put the position before an entry to the bot, if the seat decided; the difference."""
        entry = change.entry
        found = None
        if entry is not None and entry.seat == self._seat and entry.command is not None:
            found = self._compare(change.view(self._seat, 0), entry.seq, entry.command)
        if self._player.wants_feed and (item := change.item(self._seat)) is not None:
            self._player.told(item)
        return found

    def _compare(self, view: Any, number: int, command: Command) -> FedDecision | None:
        self.asked += 1
        if not self._plan:
            moment = PlanMoment(view, self._seat, self._seed, number, rests=False)
            self._plan.extend(self._player.plan(moment))
        wanted = self._plan.popleft() if self._plan else None
        if wanted == command:
            self.alike += 1
            self._player.accepted()
            return None
        self._plan.clear()
        self._player.refused(Refused(Denied.NOT_YOUR_TURN, "Another command was recorded here."))
        told = "nothing" if wanted is None else write(wanted)
        return FedDecision(str(number), write(command), told)


def differences(opened: Opened, feeding: Feeding) -> Iterator[FedDecision]:
    """Decisions of a save that the bot would have made otherwise, in order."""
    rules = find(opened.header.ruleset)
    for change in changes(rules, opened.log.line()):
        found = feeding.take(change)
        if found is not None:
            yield found


def feed_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Put the positions of a save to a bot and print where it decides otherwise.

    Raises:
        Wrong: the seat or the bot is not there, or the bot breaks off.
        SaveFault: the save cannot be read.
    """
    opened = ports.archive(Path(args.saves) if args.saves else None).read(args.save)
    rules = find(opened.header.ruleset)
    bot = read_bot(args.bot)
    check_bots(rules, [bot])
    with log_faults(rules, opened.log):
        names = names_in(rules, opened.log)
        seat = seat_named(names, args.seat)
        player = player_of(rules, bot, seat, names, GameLimits())
        feeding = Feeding(rules, seat, opened.header.seed, player)
        try:
            found = list(differences(opened, feeding))
        except BotFault as fault:
            raise Wrong(f"{bot}: {fault.text}") from None
        finally:
            player.close()
    if args.json:
        say_json(*(encode_json(row).decode() for row in found))
        return Exit.OK
    if found:
        rows = [[row.place, row.recorded, row.wanted] for row in found]
        say(*columns([["place", "recorded", str(bot)], *rows]))
    say(f"{feeding.alike} of {feeding.asked} decisions of {names[seat]} alike")
    return Exit.OK
