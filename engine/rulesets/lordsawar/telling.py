"""Battles told blow by blow, and their combat log (sections 5 and 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from engine.rulesets.lordsawar.battle_records import HIT_POINT, BattleHit
from engine.rulesets.lordsawar.combat_log import hit_lines
from engine.rulesets.lordsawar.hit_points import exact_text, hp_text
from engine.rulesets.lordsawar.lineup import hits_of, most_units
from engine.rulesets.lordsawar.state import View
from engine.strategic.events.battle import BattleFought, Fighter
from engine.strategic.picture.context import PictureContext, seat_of
from engine.strategic.picture.fighting import fighter_name
from engine.strategic.picture.words import say
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def blows(event: BattleFought, context: PictureContext) -> Iterator[Line]:
    """Blows of a battle and what is left of the survivors; or its combat log.

    Rules: LW-5, LW-7, LW-8.
    """
    if cast("View", context.world).options.combat_log == "on":
        yield from _log(event, context)
    else:
        yield from _blows(event, context)
    yield from _survivors(event, context)


def _fighters(event: BattleFought) -> dict[int, Fighter]:
    return {one.army: one for one in (*event.attackers, *event.defenders)}


def _blows(event: BattleFought, context: PictureContext) -> Iterator[Line]:
    """Who strikes whom, the damage, and what is left. Rules: LW-5."""
    fighters = _fighters(event)
    for hit in hits_of(event.attackers, event.defenders, event.duels):
        hitter, target = fighters[hit.hitter], fighters[hit.target]
        name, other = fighter_name(context, hitter), fighter_name(context, target)
        rest = "fell" if not hit.hp else f"{exact_text(hit.hp)} of {_most(target)} left"
        text = (
            f"Blow {hit.time + 1}: {name} {hitter.strength} on {other} {target.strength},"
            f" {exact_text(hit.damage)} damage, {rest}"
        )
        yield say(
            context,
            text,
            "dice",
            _side(event, hit),
            at=event.at,
            tone=Tone.QUIET,
            group=_tale(event),
        )


def _log(event: BattleFought, context: PictureContext) -> Iterator[Line]:
    """Lines of the original about the blows, letter for letter. Rules: LW-8."""
    fighters, rule = _fighters(event), context.rule("dice")
    for hit in hits_of(event.attackers, event.defenders, event.duels):
        hitter, target = fighters[hit.hitter], fighters[hit.target]
        names = fighter_name(context, hitter), fighter_name(context, target)
        for text in hit_lines(hit, *names, _most(target)):
            yield Line(text, Tone.QUIET, seat_of(_side(event, hit)), rule, event.at)


def _survivors(event: BattleFought, context: PictureContext) -> Iterator[Line]:
    """Wounds that last. Rules: LW-7, LW-8."""
    fighters = _fighters(event)
    for number, lost in event.wounds or ():
        one = fighters[number]
        left = most_units(one) - lost
        shown, exact = hp_text(left, _most(one)), exact_text(left)
        text = f"{fighter_name(context, one)}: {shown} hit points left ({exact})"
        yield say(context, text, "aftermath", at=event.at, tone=Tone.QUIET, group=_tale(event))


def _most(one: Fighter) -> int:
    """Most hit points of a fighter."""
    return most_units(one) // HIT_POINT


def _side(event: BattleFought, hit: BattleHit) -> int:
    return event.attacker if hit.by_attacker else event.defender


def _tale(event: BattleFought) -> str:
    """Group of the lines of a battle, the same as the layer's."""
    return f"battle at {event.at[0]},{event.at[1]}"
