"""Computer players of three levels. See: KA-18.2.

``easy`` gives any command that is not foolish, ``normal`` maximises the value of its own turn,
``hard`` its chance to win after the enemies' best answers. No player keeps any memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.dice import Dice, pick
from engine.core.ruleset import Bot, Offers
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.bot.board import RENEWED, WORTH
from engine.rulesets.kaladan.bot.choices import answer, fight, found
from engine.rulesets.kaladan.bot.turns import (
    action_plan,
    march_plan,
    purchase_plan,
    spawn_plan,
)
from engine.rulesets.kaladan.bot.values import ChanceJudge, Judge, Mood
from engine.rulesets.kaladan.state import SETUP_PHASES, View
from engine.rulesets.kaladan.turns import may_end_phase


def careful(round_number: int) -> Mood:
    """Return the mood of the level ``normal`` in a round; it gets bolder, so that wars end."""
    gone = round_number - 1
    return Mood(
        margin=-0.5 - gone,
        crown=max(12.0, 40.0 - 2.0 * gone),
        limit=min(0.5, 0.12 + 0.02 * gone),
        foes=1.2 + 0.2 * gone,
    )


def foreseeing(round_number: int) -> Mood:
    """Return the mood of the level ``hard`` in a round; it gets bolder slowly, and hurries late."""
    return Mood(
        margin=-0.1 * (round_number - 1),
        tries=6,
        leaves=8,
        worths=RENEWED,
        haste=max(0.0, (round_number - _LONG) / _LONG),
    )


_LONG: Final = 20
"""Number of rounds after which a war is long."""


class SeatPlanner:
    """A computer player that tries commands on a board and picks those with the best result."""

    def __init__(self, mood: Callable[[int], Mood], judge: type[Judge]) -> None:
        self._mood = mood
        self._judge = judge

    def plan(
        self,
        view: View,
        offers: Offers[do.AnyCommand],
        dice: Dice,  # noqa: ARG002 - nothing is left to chance
    ) -> Sequence[do.AnyCommand]:
        """Return the next commands: a set-up, event or battle answer, or a plan for the phase."""
        mood = self._mood(view.round)
        if view.phase in SETUP_PHASES or view.event is not None or view.battle is not None:
            return (_answered(view, offers, mood.worths),)
        judge = self._judge(view, view.viewer, mood)
        match view.phase:
            case "spawn":
                return spawn_plan(judge)
            case "action":
                return action_plan(judge)
            case "purchase":
                return purchase_plan(judge)
            case _:
                return march_plan(judge)

    def rest(self, view: View, offers: Offers[do.AnyCommand]) -> Sequence[do.AnyCommand]:
        """Return the end of the phase, or an answer if the game waits for one."""
        worths = self._mood(view.round).worths
        return (do.EndPhase(),) if may_end_phase(view) else (_answered(view, offers, worths),)


def _answered(
    view: View, offers: Offers[do.AnyCommand], worths: Mapping[str, float] = WORTH
) -> do.AnyCommand:
    """Answer a question of the set-up, of an event, or of a battle."""
    every = [one for one in offers() if not isinstance(one, do.Resign)]
    if view.battle is not None:
        return fight(view, every, worths)
    return found(view, every) if view.phase in SETUP_PHASES else answer(view, every)


class Wanderer:
    """A player that gives random commands, but ends its phases and protects its Crown."""

    def plan(
        self, view: View, offers: Offers[do.AnyCommand], dice: Dice
    ) -> Sequence[do.AnyCommand]:
        """Return the next command."""
        battle = view.battle
        if battle is not None and battle.step in ("losses", "invasion"):
            return self.rest(view, offers)
        every = [one for one in offers() if not isinstance(one, (do.Resign, do.EndPhase))]
        if may_end_phase(view) and dice.roll(len(every) + _ENDS) <= _ENDS:
            return (do.EndPhase(),)
        attacks = [one for one in every if isinstance(one, do.Attack)]
        return (pick(dice, attacks if attacks and dice.roll(2) == 1 else every),)

    def rest(self, view: View, offers: Offers[do.AnyCommand]) -> Sequence[do.AnyCommand]:
        """Return the end of the phase, or an answer if the game waits for one."""
        return (do.EndPhase(),) if may_end_phase(view) else (_answered(view, offers),)


_ENDS: Final = 2

LEVELS: Final[Mapping[str, Bot[View, do.AnyCommand]]] = {
    "easy": Wanderer(),
    "normal": SeatPlanner(careful, Judge),
    "hard": SeatPlanner(foreseeing, ChanceJudge),
}
