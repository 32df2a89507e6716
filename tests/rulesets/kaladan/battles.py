"""Battles for tests: run a command and continue the battle, but not the turn after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.core.decision import BaseDecision
from engine.core.dice import Dice, Scripted, Throw
from engine.rulesets.kaladan import battle, magic
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.evolve import evolve
from engine.rulesets.kaladan.offers import battle_offers
from engine.rulesets.kaladan.state import Battle, Options, State
from engine.rulesets.kaladan.view import view

Fight = BaseDecision[State, ev.AnyEvent]
E = TypeVar("E")

PLAIN = Options(magic="off")
"""Options without Magic."""


def fight(
    state: State, seat: int, command: do.AnyCommand, dice: Dice | Sequence[int | Throw] = ()
) -> Fight:
    """Run a command of a battle and continue to the next choice or the end."""
    thrown = Scripted(dice) if isinstance(dice, Sequence) else dice
    decision = BaseDecision(state, evolve, thrown)
    match command:
        case do.Attack():
            battle.attack(decision, seat, command)
        case do.DeclareMagic():
            magic.declare(decision, seat, command)
        case do.AimCard():
            magic.aim(decision, seat, command)
        case do.ChooseLosses():
            battle.choose_losses(decision, seat, command)
        case do.AfterMagic():
            magic.play_after(decision, seat, command)
        case do.Invade():
            battle.invade(decision, seat, command)
        case _:
            raise TypeError(command)
    battle.go_on(decision)
    return decision


def statements(
    state: State, attacker: str = "", defender: str = "", dice: Sequence[int] = ()
) -> Fight:
    """Attack A2 from A1 with seat 0; each side plays its card, or passes if it is empty.

    A side with an empty hand is skipped.
    """
    done = fight(state, 0, do.Attack("A1", "A2"), dice)
    for seat, card in enumerate((attacker, defender)):
        waiting = done.state.battle
        if waiting is not None and waiting.step == "magic" and waiting.asked == seat:
            done = fight(done.state, seat, do.DeclareMagic(card), dice)
    return done


def waiting(done: Fight) -> Battle:
    """Return the battle in progress."""
    battle_now = done.state.battle
    assert battle_now is not None
    return battle_now


def asked(done: Fight) -> tuple[str, int]:
    """Return the step that a battle waits for, and the seat that decides."""
    now = waiting(done)
    return now.step, now.asked


def told(done: Fight, kind: type[E]) -> E:
    """Return the only event of a type."""
    (found,) = (event for event in done.events if isinstance(event, kind))
    return found


def offered(state: State, seat: int) -> list[do.AnyCommand]:
    """Return the offers of a battle to a seat."""
    return list(battle_offers(view(state, seat)))
