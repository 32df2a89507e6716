"""Sides of a battle, without a position around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import fighting_rules
from engine.strategic.battle import Soldier, Soldiers, meet
from engine.strategic.battle_records import Battleground, BattleLine, Lineup, Support
from engine.strategic.events import Fighter
from engine.strategic.pieces import UnitType
from engine.strategic.settings import FightingRules
from tests.strategic.ground import TYPES, army

RULES = fighting_rules(Options())
"""The fighting rules of the rule book."""

OPEN = Battleground("open")
NOTHING = Support(0, ())


def soldier(kind: int, number: int = 1, *, aboard: bool = False, **more: Any) -> Soldier:
    """Return a soldier of a type; ``more`` may set its strength and what it carries."""
    usual = {"strength": more.pop("strength", TYPES[kind].strength)}
    return Soldier(army(number, 0, 0, kind, aboard=aboard, **usual), TYPES[kind], **more)


def usual(kind: UnitType) -> int:
    """Return a type's default place in the line of battle."""
    return kind.order


def against(
    attackers: Sequence[Soldier],
    defenders: Sequence[Soldier],
    field: Battleground = OPEN,
    *,
    neutral: bool = False,
    novice: bool = False,
    rules: FightingRules = RULES,
) -> Lineup:
    """Line up two sides. Soldiers are renumbered, attackers from 1 and defenders from 101."""
    orders = usual, usual
    first, second = numbered(attackers, 1), numbered(defenders, 101)
    return meet(rules, first, second, field, orders=orders, neutral=neutral, novice=novice)


def numbered(side: Sequence[Soldier], first: int) -> Soldiers:
    """Return the soldiers renumbered from ``first``."""
    return tuple(
        Soldier(
            army(number, 0, 0, one.type.id, strength=one.army.strength, aboard=one.army.aboard),
            one.type,
            one.weapons,
            one.command,
            one.standards,
        )
        for number, one in enumerate(side, first)
    )


def plain(
    attackers: Sequence[int], defenders: Sequence[int], shielded: Sequence[bool] = ()
) -> Lineup:
    """Return a line-up of bare strengths."""
    return Lineup(
        field=OPEN,
        attackers=_line(attackers, 1),
        defenders=_line(defenders, 101),
        shielded=tuple(shielded) or (False,) * len(attackers),
    )


def _line(strengths: Sequence[int], first: int) -> BattleLine:
    fighters = tuple(Fighter(number, 0, one) for number, one in enumerate(strengths, first))
    return BattleLine(fighters, NOTHING, ((),) * len(fighters))


def strengths(line: BattleLine) -> tuple[int, ...]:
    """Return the strengths of a battle line, in fight order."""
    return tuple(fighter.strength for fighter in line.fighters)
