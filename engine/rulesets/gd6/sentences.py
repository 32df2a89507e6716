"""Events in sentences: what happened to whom and where, and why somebody won.

A viewer is told of an event as it was redacted, so a sentence never says more than the event does.
"""

from __future__ import annotations

from typing import assert_never

from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.sentences_fights import told_of_fight
from engine.rulesets.gd6.sentences_lists import told_of_list
from engine.rulesets.gd6.sentences_moves import told_of_move
from engine.rulesets.gd6.sentences_stages import told_of_final, told_of_stage
from engine.rulesets.gd6.sentences_turns import told_of_turn
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.summaries import introduction
from engine.tabletop.board import Line


def tell(event: ev.AnyEvent, after: View) -> tuple[Line, ...]:  # noqa: PLR0911 - one case per kind of event
    """An event in sentences; empty if there is nothing to say."""
    match event:
        case ev.GameStarted():
            return introduction(after)
        case ev.TurnClosed() | ev.TurnOpened() | ev.PhaseBegan() | ev.Eliminated() | ev.GameOver():
            return told_of_turn(event, after)
        case (
            ev.OrderAdded()
            | ev.ListWritten()
            | ev.ListSealed()
            | ev.ListUnsealed()
            | ev.Conceded()
            | ev.OrderRefused()
            | ev.OrderReduced()
        ):
            return told_of_list(event, after)
        case (
            ev.IpPaid()
            | ev.WastelandLoss()
            | ev.HqBuilt()
            | ev.HqRoundFailed()
            | ev.Promoted()
            | ev.Spawned()
            | ev.ConstructBuilt()
            | ev.MinesLaid()
            | ev.ItemSpent()
            | ev.CropUsed()
            | ev.DynamiteUsed()
            | ev.ToxicUsed()
            | ev.ItemBought()
        ):
            return told_of_stage(event, after)
        case (
            ev.SquadsBound()
            | ev.StepStarted()
            | ev.LiftedOff()
            | ev.Arrived()
            | ev.Claimed()
            | ev.Neutralised()
            | ev.MovementEnded()
        ):
            return told_of_move(event, after)
        case (
            ev.LoopFound()
            | ev.Skirmish()
            | ev.InvasionBegan()
            | ev.SpiesCaught()
            | ev.PenaltyPaid()
            | ev.MinesExploded()
            | ev.WatchtowerHeld()
            | ev.Defended()
            | ev.InvasionRepelled()
        ):
            return told_of_fight(event, after)
        case ev.BivouacYielded() | ev.LoyaltyGrown() | ev.IncomeEarned() | ev.Disbanded():
            return told_of_final(event, after)
        case _:
            assert_never(event)
