"""Armies for tests, and battles between them."""

from __future__ import annotations

from engine.rulesets.lordsawar.battle_records import (
    DEFAULT_OPTIONS,
    HIT_POINT,
    BattleStrengths,
    BattleTerms,
    Combatant,
    CombatOptions,
    TileClass,
)
from engine.rulesets.lordsawar.hit_points import parsed_hp
from engine.rulesets.lordsawar.kinds import UnitFlagName, flag_bits
from engine.rulesets.lordsawar.strength import battle_strengths, line_up
from engine.rulesets.lordsawar.tables import default_fight_order

OPEN = BattleTerms("open", "open")


def army(
    number: int,
    strength: int = 5,
    *flags: UnitFlagName,
    hp: str = "2",
    max_hp: int | None = None,
    kind: int = 0,
    aboard: bool = False,
    in_tower: bool = False,
) -> Combatant:
    """Return an ordinary army."""
    units = parsed_hp(hp)
    most = -(-units // HIT_POINT) if max_hp is None else max_hp
    return Combatant(
        number,
        kind,
        strength,
        units,
        most,
        flag_bits(flags),
        aboard=aboard,
        in_tower=in_tower,
    )


def hero(
    number: int,
    strength: int = 5,
    personal: int = 0,
    commanding: int = 0,
    *flags: UnitFlagName,
    aboard: bool = False,
    in_tower: bool = False,
) -> Combatant:
    """Return a hero with items."""
    return Combatant(
        number,
        27,
        strength,
        2 * HIT_POINT,
        2,
        flag_bits(flags),
        hero=True,
        aboard=aboard,
        in_tower=in_tower,
        personal=personal,
        commanding=commanding,
    )


def met(
    attackers: list[Combatant],
    defenders: list[Combatant],
    terms: BattleTerms = OPEN,
    options: CombatOptions = DEFAULT_OPTIONS,
) -> BattleStrengths:
    """Line up both sides and return their strengths."""
    order = default_fight_order()
    return battle_strengths(line_up(attackers, order), line_up(defenders, order), terms, options)


def duel(attacker: int, defender: int, on: TileClass = "open") -> BattleStrengths:
    """Line up two plain armies with two hit points each."""
    return met([army(1, attacker)], [army(2, defender)], BattleTerms(on, on))
