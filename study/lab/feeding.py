"""``banneret lab feed``: feed recorded positions to a bot, and list its different decisions."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from engine.core.archive import Opened
from engine.core.codec import encode_json
from engine.core.feed import AnyChange, changes
from engine.core.ids import Seat
from engine.core.notation import write
from engine.core.record import Record
from engine.core.registry import find
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import names_in
from engine.core.soundness import check_position, log_faults
from study.lab.bot_code import allow, check_bots
from study.lab.bots import BotFault, LabPlayer, read_bot
from study.lab.following import Follower
from study.lab.games import player_of
from study.lab.plans import GameLimits
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Stuck, Wrong
from tui.console.printing import columns, say, say_json
from tui.play.seats import seat_named


class FedDecision(Record, frozen=True):
    """Decision of a recorded game that the bot would have made differently."""

    place: str
    recorded: str
    wanted: str


class Feeding:
    """A bot that plans along with a seat of a recorded game; it plans again after a difference."""

    def __init__(self, rules: AnyRuleset, seat: Seat, seed: bytes, player: LabPlayer) -> None:
        """Start before the first entry; ``seed`` is that of the game."""
        self._follower = Follower(rules, player, seat, seed)
        self._seat, self._player = seat, player
        self.asked = self.alike = 0
        """Number of the seat's recorded decisions, and of those that the bot makes too."""

    def take(self, change: AnyChange) -> FedDecision | None:
        """Ask the bot too if its seat gave this command; return a difference, or None.

        Raises:
            BotFault: the bot has no command.
            Stuck: everything that it wants is refused.
        """
        entry, follower = change.entry, self._follower
        if entry is None or entry.command is None or entry.seat != self._seat:
            if entry is not None:
                follower.pass_by(entry.seat)
            self._tell(change)
            return None
        self.asked += 1
        choice = follower.choice(change.before, entry.seq, entry.command)
        self._tell(change)
        self._player.accepted()  # or another command: its feed was sent before
        if choice == entry.command:
            self.alike += 1
            follower.go_on(change.after)
            return None
        follower.part()
        return FedDecision(str(entry.seq), write(entry.command), write(choice))

    def _tell(self, change: AnyChange) -> None:
        if self._player.wants_feed and (item := change.item(self._seat)) is not None:
            self._player.told(item)


def differences(opened: Opened, feeding: Feeding) -> Iterator[FedDecision]:
    """Yield the decisions of a save that the bot would have made differently, in order."""
    rules = find(opened.header.ruleset)
    for change in changes(rules, opened.log.line()):
        found = feeding.take(change)
        if found is not None:
            yield found


def feed_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Feed the positions of a save to a bot and print its different decisions.

    Raises:
        Wrong: the seat or the bot is missing, or the bot breaks off.
        SaveFault: the save cannot be read.
    """
    opened = ports.archive(Path(args.saves) if args.saves else None).read(args.save)
    rules = find(opened.header.ruleset)
    bot = read_bot(args.bot)
    allow([bot])
    check_bots(rules, [bot])
    with log_faults(rules, opened.log):
        check_position(rules, opened.log, fold(rules, opened.log.line()))
        names = names_in(rules, opened.log)
        seat = seat_named(names, args.seat)
        player = player_of(rules, bot, seat, names, GameLimits())
        feeding = Feeding(rules, seat, opened.header.seed, player)
        try:
            found = list(differences(opened, feeding))
        except (BotFault, Stuck) as fault:
            raise Wrong(f"{bot}: {fault}") from None
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
