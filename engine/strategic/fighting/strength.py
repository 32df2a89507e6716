"""How strong armies are in a battle, and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from engine.core.record import Record
from engine.strategic.fighting.parts import Part
from engine.strategic.fighting.rules import Battleground, FightingRules
from engine.strategic.pieces import CLASSES, Army, UnitType


class Soldier(Record, frozen=True):
    """An army in a battle with all of it that counts; items are counted by what they add."""

    army: Army
    type: UnitType
    weapons: int = 0
    command: int = 0
    standards: int = 0

    @property
    def is_hero(self) -> bool:
        """Whether it leads."""
        return "hero" in self.type.traits

    @property
    def flies(self) -> bool:
        """Whether its kind flies and it is not on a ship."""
        return "fly" in self.type.traits and not self.army.aboard


Soldiers: TypeAlias = tuple[Soldier, ...]


class Support(Record, frozen=True):
    """What every army of a side gets, and why: ``total`` is the sum of what is not cancelled."""

    total: int
    parts: tuple[Part, ...]


def attackers_support(
    rules: FightingRules, side: Soldiers, foes: Soldiers, field: Battleground
) -> Support:
    """The bonus of attackers. Rules: W2-8.3."""
    works = [Part("works", 1, cancelled=has(foes, "siege"))] if has(side, "works") else []
    return _support(rules, side, foes, field, works)


def defenders_support(
    rules: FightingRules, side: Soldiers, foes: Soldiers, field: Battleground, *, neutral: bool
) -> Support:
    """The bonus of defenders. Rules: W2-8.3."""
    walls = defence(side, field, neutral=neutral)
    works = [Part("defence", walls, cancelled=has(foes, "siege"))] if walls else []
    return _support(rules, side, foes, field, works)


def defence(side: Soldiers, field: Battleground, *, neutral: bool) -> int:
    """What walls, a tower, ruins or field works are worth before sieges; neutrals get half of it.

    Rules: W2-8.3.
    """
    value = field.defence if field.ground == "city" else int(has(side, "works"))
    return value // 2 if neutral else value


def strength(rules: FightingRules, soldier: Soldier, support: int, field: Battleground) -> int:
    """The strength in the dice, from 1 on. Rules: W2-8.3, W2-6.6."""
    if soldier.army.aboard and field.at_sea:
        return rules.aboard
    own = soldier.type.own[CLASSES.index(field.ground)]
    weapons = soldier.weapons if soldier.is_hero else 0
    return max(1, min(rules.most, soldier.army.strength + support + own + weapons))


def reasons(soldier: Soldier, fights: int, support: int, field: Battleground) -> tuple[Part, ...]:
    """What leads from the army's own strength with its side's support to that it fights with.

    Rules: W2-8.3.
    """
    number, rest = soldier.army.id, fights - soldier.army.strength - support
    if soldier.army.aboard and field.at_sea:
        return (Part("aboard", rest, number),)
    own = soldier.type.own[CLASSES.index(field.ground)]
    weapons = soldier.weapons if soldier.is_hero else 0
    if not (own or weapons or rest):
        return ()
    over = rest - own - weapons
    found = (Part("own", own, number), Part("weapons", weapons, number), Part("limit", over))
    return tuple(part for part in found if part.value)


def has(side: Soldiers, trait: str) -> bool:
    """Whether an army of a side has a trait."""
    return any(trait in soldier.type.traits for soldier in side)


def _support(
    rules: FightingRules, side: Soldiers, foes: Soldiers, field: Battleground, works: list[Part]
) -> Support:
    parts = [*_leading(rules, side, foes), *_pack(side, foes, field), *works]
    whole = sum(part.value for part in parts if not part.cancelled)
    if whole > rules.cap:
        parts.append(Part("cap", rules.cap - whole))
    parts.extend(_malus(foes))
    return Support(sum(part.value for part in parts if not part.cancelled), tuple(parts))


def _leading(rules: FightingRules, side: Soldiers, foes: Soldiers) -> Iterable[Part]:
    """What heroes add: the best of them by its strength, all of them by what they carry."""
    heroes = [soldier for soldier in side if soldier.is_hero]
    if not heroes:
        return
    lost = has(foes, "anti-hero")
    best = max(heroes, key=lambda hero: (_greatness(rules, hero), -hero.army.id))
    given = rules.leadership[_greatness(rules, best)]
    if given:
        yield Part("leader", given, best.army.id, lost)
    for hero in heroes:
        if hero.command:
            yield Part("command", hero.command, hero.army.id, lost)
        if hero.standards:
            yield Part("standard", hero.standards, hero.army.id, lost)


def _greatness(rules: FightingRules, hero: Soldier) -> int:
    return max(0, min(len(rules.leadership) - 1, hero.army.strength + hero.weapons))


def _pack(side: Soldiers, foes: Soldiers, field: Battleground) -> Iterable[Part]:
    ground = CLASSES.index(field.ground)
    best = max(side, key=lambda soldier: (soldier.type.pack[ground], -soldier.army.id))
    if value := best.type.pack[ground]:
        yield Part("pack", value, best.army.id, has(foes, "anti-pack"))


def _malus(foes: Soldiers) -> Iterable[Part]:
    worst = min(foes, key=lambda soldier: (soldier.type.foe, soldier.army.id))
    if worst.type.foe < 0:
        yield Part("foe", worst.type.foe, worst.army.id)
