"""Forecast of a battle, before an attack: its chance, its cost, and the strengths behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.kit.grid import Place
from engine.kit.identity_cache import keyed_identity_cache
from engine.strategic import events as ev
from engine.strategic.battle import BattleForecast, forecast
from engine.strategic.battle_records import BattleLine
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.fighting import bonus_text, fighter_name, own_bonuses
from engine.strategic.picture.words import note
from engine.strategic.pieces import NOBODY, UNKNOWN_TYPE, Army
from engine.tabletop.board import Line, tenths
from engine.tabletop.roles import Tone

SURE: Final = "X"
"""Mark of a target whose defenders nobody sees, or whose chance rounds to 100."""


def battle_forecast(
    context: PictureContext, group: Sequence[Army], at: Place
) -> BattleForecast | None:
    """Forecast of a group's attack from what the viewer knows; None where people get none."""
    if not context.settings.fighting.advises:
        return None
    return _weighed(context, (tuple(army.id for army in group), at))


@keyed_identity_cache
def _weighed(context: PictureContext, key: tuple[tuple[int, ...], Place]) -> BattleForecast:
    armies, at = key
    group = [context.world.armies[army] for army in armies]
    return forecast(context.world, context.settings, group, at)


def percent_mark(found: BattleForecast | None) -> str:
    """Chance in percent, in at most two characters; nothing without a forecast."""
    if found is None:
        return ""
    rounded = round(100 * found.chance)
    return SURE if rounded >= 100 else str(rounded)


def tens_mark(found: BattleForecast | None) -> str:
    """Chance in one character: its tens, or the mark of a certain win; or nothing."""
    if found is None:
        return ""
    rounded = round(100 * found.chance)
    return SURE if rounded >= 100 else tenths(rounded)


def percent_text(found: BattleForecast | None) -> str:
    """Chance in percent for a sentence; nothing without a forecast."""
    return "" if found is None else f"{100 * found.chance:.0f} %"


def forecast_lines(context: PictureContext, group: Sequence[Army], at: Place) -> Iterator[Line]:
    """Forecast of an attack for the panel and the confirmation."""
    found, side = battle_forecast(context, group, at), context.viewer
    if found is None:
        yield note(context, "No forecast: there is no advice", "dice", side, at=at, tone=Tone.QUIET)
        return
    if found.lineup is None:
        yield note(context, "Nobody is seen there", "lines", side, at=at, tone=Tone.GOOD)
        return
    if context.style.forecast is not None:
        yield from context.style.forecast(context, found, group, at)
        return
    good = found.chance >= 0.5
    tone = Tone.GOOD if good else Tone.BAD
    yield note(context, f"Win {percent_text(found)}", "dice", side, at=at, tone=tone)
    foes = len(found.lineup.defenders.fighters)
    text = f"Lose {found.odds.attackers_lost:.1f} of {len(group)}"
    yield note(context, text, "dice", side, at=at)
    text = f"They lose {found.odds.defenders_lost:.1f} of {foes}"
    yield note(context, text, "dice", at=at)
    owner = context.stacks[at][0].owner if at in context.stacks else NOBODY
    yield from line_lines(context, found.lineup.attackers, "You", side)
    yield from line_lines(context, found.lineup.defenders, "They", owner)


def line_lines(context: PictureContext, line: BattleLine, who: str, side: int) -> Iterator[Line]:
    """Bonus of one side of a forecast with its parts, and its armies with their strengths."""
    bonus = line.support.total
    yield note(context, f"{who}: side {bonus:+}", "strength", side, tone=Tone.STRONG)
    for part in line.support.parts:
        yield note(context, f" {bonus_text(context, part)}", "strength", side, tone=Tone.QUIET)
    for fighter, reasons in zip(line.fighters, line.reasons, strict=True):
        name = expected_name(context, fighter)
        text = f" {name} {fighter.strength}{own_bonuses(reasons)}"
        yield note(context, text, "strength", side)


def expected_name(context: PictureContext, one: ev.Fighter) -> str:
    """Name in a forecast, which takes armies of unknown types as average ones."""
    army = context.world.armies.get(one.army)
    is_strange = army is not None and army.type == UNKNOWN_TYPE.id
    return "an army" if is_strange else fighter_name(context, one)
