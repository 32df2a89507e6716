"""Games of computer players from any position on, entry by entry as a table would save them."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, Final

from engine.core.decision import mark, states_around
from engine.core.dice import Seeded, pack
from engine.core.feed import AnyChange, Change
from engine.core.ids import Seat
from engine.core.log import Entry
from engine.core.notation import write
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset
from tui.console.exits import Stuck
from tui.play.players import LONGEST, PlanLimits, think

OnRefusal = Callable[[Any, Seat, Sequence[Command], Refused], None]
"""Called for a refusal: view, seat, the plan up to the refused command, the refusal."""

Thinker = Callable[[Any, Seat, int, bool], Sequence[Command]]
"""Returns a plan for (view, seat, number of the next entry, whether only to end the turn)."""

_USUAL: Final = "normal"


def usual_level(rules: AnyRuleset) -> str:
    """Return the default level of computer players of a ruleset."""
    return _USUAL if _USUAL in rules.bots else next(iter(rules.bots))


class Continuation:
    """A game continued in memory: computer players at all seats of a position, without a log."""

    def __init__(  # noqa: PLR0913 - a moment of a game is named by all of these
        self,
        rules: AnyRuleset,
        state: Any,
        levels: Sequence[str],
        seed: bytes,
        entry: int,
        *,
        watch: OnRefusal | None = None,
        booked: Callable[[AnyChange], object] | None = None,
        thinker: Thinker | None = None,
        patient: Container[Seat] = (),
    ) -> None:
        """Begin at a position; nothing is played yet.

        Args:
            rules: the ruleset.
            state: the position.
            levels: the level of each seat; ignored if there is a ``thinker``.
            seed: seed of the dice and of the players.
            entry: number of the next entry.
            watch: called with each command that is refused.
            booked: called with each entry, whose parent is always the previous number. The game
                ends there if it returns True.
            thinker: plans for all seats, in place of the levels.
            patient: seats whose plans are single commands.
        """
        self.rules, self.state, self.entry = rules, state, entry
        self.is_stopped = False
        """True if ``booked`` returned True and so ended the game."""
        self.closed = self.refused = 0
        """Entries that ended a phase or turn, and commands that were refused, so far."""
        self._levels, self._seed = levels, seed
        self._watch, self._booked = watch, booked
        self._thinker, self._patient = thinker or self._at_level, patient

    def play(self, longest: int = LONGEST) -> str:
        """Play to the end of the game; return why it was abandoned, or an empty text.

        It is abandoned after ``longest`` turns, or if the plans make no progress.
        """
        limits = PlanLimits(longest, self._patient)
        try:
            while not self.is_stopped and (owing := self.rules.owes(self.state)):
                self._plan(min(owing), limits)
        except Stuck as reason:
            return str(reason)
        return ""

    def _plan(self, seat: Seat, limits: PlanLimits) -> None:
        """Execute one plan of a seat's computer player.

        Raises:
            Stuck: the plans make no progress.
        """
        rests, view = limits.rests(seat), self.rules.view(self.state, seat)
        plan = self._thinker(view, seat, self.entry, rests)
        accepted, why = False, ""
        for number, command in enumerate(plan):
            if self.is_stopped or seat not in self.rules.owes(self.state):
                break
            try:
                self.submit(seat, command)
            except Refused as refused:
                self.refused += 1
                why = f": {write(command)}: {refused.text}"
                if self._watch is not None:
                    self._watch(view, seat, plan[: number + 1], refused)
                break
            accepted = True
        limits.count(accepted=accepted, why=why)

    def _at_level(self, view: Any, seat: Seat, entry: int, rests: bool) -> Sequence[Command]:  # noqa: FBT001 - as a Thinker
        level = self._levels[seat]
        return think(self.rules, level, view, seat, self._seed, entry, rests=rests)

    def submit(self, seat: Seat, command: Command) -> None:
        """Execute a command of a seat.

        Raises:
            Refused: the rules do not allow it; nothing has changed.
        """
        dice = Seeded(self._seed, self.entry, "decide")
        events = self.rules.decide(self.state, seat, command, dice)
        states = states_around(self.rules, self.state, events)
        self.state = states[-1]
        if self._booked is not None:
            number, thrown = self.entry, pack(dice.thrown)
            made = mark(self.rules, self.state, events)
            entry = Entry(number, number - 1, seat, command, tuple(events), thrown, made)
            self.is_stopped = self._booked(Change(self.rules, entry, states)) is True
        self.entry += 1
        self.closed += any(event.ends_phase for event in events)
