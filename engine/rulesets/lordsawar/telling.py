"""Battles told blow by blow, and their combat log (sections 5 and 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, cast

from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    BattleCourse,
    BattleHit,
    BattleStrengths,
    Combatant,
)
from engine.rulesets.lordsawar.hit_points import damage_text, exact_text, hp_text, log_hp_text
from engine.rulesets.lordsawar.lineup import hits_of, most_units
from engine.rulesets.lordsawar.state import View
from engine.strategic.events.battle import Fighter
from engine.strategic.picture.context import PictureContext, seat_of
from engine.strategic.picture.fighting import fighter_name
from engine.strategic.picture.style import BattleTale
from engine.strategic.picture.words import say
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

_TURN: Final = "fight.cpp: 302: [COMBAT] === Turn {hit.time} ({side}'s turn) ==="
_HIT: Final = (
    "fight.cpp: 671: [COMBAT] Round {hit.time}: {hitter} ({hit.hitter}) hits {target} "
    "({hit.target}) for {damage} damage. Defender HP: {hp}/{max_hp}"
)
_DEATH: Final = "fight.cpp: 325: [COMBAT] {target} ({hit.target}) DIED!"


def log_lines(
    course: BattleCourse, strengths: BattleStrengths, name_of: Callable[[Combatant], str]
) -> Iterator[str]:
    """Lines of a whole battle. Rules: LW-8."""
    armies = {army.id: army for army in (*strengths.attackers.line, *strengths.defenders.line)}
    for hit in course.hits:
        target = armies[hit.target]
        yield from hit_lines(hit, name_of(armies[hit.hitter]), name_of(target), target.max_hp)


def hit_lines(hit: BattleHit, hitter: str, target: str, max_hp: int) -> Iterator[str]:
    """Lines of one hit: whose turn it is, the hit, and the death that follows from it.

    Rules: LW-8.
    """
    side = "Attacker" if hit.by_attacker else "Defender"
    yield _TURN.format(hit=hit, side=side)
    yield _HIT.format(
        hit=hit,
        hitter=hitter,
        target=target,
        damage=damage_text(hit.damage),
        hp=log_hp_text(hit.hp),
        max_hp=max_hp,
    )
    if not hit.hp:
        yield _DEATH.format(hit=hit, target=target)


# -- battles told blow by blow ---------------------------------------------------------------------


def blows(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Blows of a battle and what is left of the survivors; or its combat log.

    Rules: LW-5, LW-7, LW-8.
    """
    logged = cast("View", context.world).options.combat_log == "on"
    tell = _log if logged else _blows
    yield from tell(context, tale)
    yield from _survivors(context, tale)


def _blows(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Who strikes whom, the damage, and what is left. Rules: LW-5."""
    fighters = tale.fighters
    for hit in hits_of(tale.attackers, tale.defenders, tale.duels):
        hitter, target = fighters[hit.hitter], fighters[hit.target]
        name, other = fighter_name(context, hitter), fighter_name(context, target)
        rest = "fell" if not hit.hp else f"{exact_text(hit.hp)} of {_most(target)} left"
        text = (
            f"Blow {hit.time + 1}: {name} {hitter.strength} on {other} {target.strength},"
            f" {exact_text(hit.damage)} damage, {rest}"
        )
        yield _said(context, tale, text, _side(tale, hit))


def _log(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Lines of the original about the blows, letter for letter. Rules: LW-8."""
    fighters, rule = tale.fighters, context.rule("dice")
    for hit in hits_of(tale.attackers, tale.defenders, tale.duels):
        target = fighters[hit.target]
        names = fighter_name(context, fighters[hit.hitter]), fighter_name(context, target)
        for text in hit_lines(hit, *names, _most(target)):
            yield Line(text, Tone.QUIET, seat_of(_side(tale, hit)), rule, tale.at)


def _survivors(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Wounds that last. Rules: LW-7, LW-8."""
    attackers = {one.army for one in tale.attackers}
    for number, lost in tale.wounds:
        one = tale.fighters[number]
        left = most_units(one) - lost
        shown, exact = hp_text(left, _most(one)), exact_text(left)
        text = f"{fighter_name(context, one)}: {shown} hit points left ({exact})"
        yield _said(context, tale, text, tale.sides[number not in attackers])


def _said(context: PictureContext, tale: BattleTale, text: str, side: int) -> Line:
    return say(context, text, "dice", side, at=tale.at, tone=Tone.QUIET, group=tale.group)


def _most(one: Fighter) -> int:
    """Most hit points of a fighter."""
    return most_units(one) // HIT_POINT


def _side(tale: BattleTale, hit: BattleHit) -> int:
    return tale.sides[not hit.by_attacker]
