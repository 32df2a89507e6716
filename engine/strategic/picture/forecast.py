"""Forecast of an attack: its chance, its cost, and the strengths that decide it."""

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
"""Mark of a target without visible defenders, or with a chance that rounds to 100 %."""


def battle_forecast(
    context: PictureContext, group: Sequence[Army], at: Place
) -> BattleForecast | None:
    """Return the viewer's forecast of a group's attack; None if the game gives no advice."""
    if not context.settings.fighting.advises:
        return None
    return _weighed(context, (tuple(army.id for army in group), at))


@keyed_identity_cache
def _weighed(context: PictureContext, key: tuple[tuple[int, ...], Place]) -> BattleForecast:
    armies, at = key
    group = [context.world.armies[army] for army in armies]
    return forecast(context.world, context.settings, group, at)


def percent_mark(found: BattleForecast | None) -> str:
    """Return the chance in percent, in at most two characters; empty without a forecast."""
    if found is None:
        return ""
    rounded = round(100 * found.chance)
    return SURE if rounded >= 100 else str(rounded)


def tens_mark(found: BattleForecast | None) -> str:
    """Return the tens digit of the chance, or ``SURE``; empty without a forecast."""
    if found is None:
        return ""
    rounded = round(100 * found.chance)
    return SURE if rounded >= 100 else tenths(rounded)


def percent_text(found: BattleForecast | None) -> str:
    """Return the chance in percent for a sentence; empty without a forecast."""
    return "" if found is None else f"{100 * found.chance:.0f} %"


def forecast_lines(context: PictureContext, group: Sequence[Army], at: Place) -> Iterator[Line]:
    """Yield the forecast of an attack for the panel and the confirmation."""
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
    """Yield one side's bonus with its parts, then its armies with their strengths."""
    bonus = line.support.total
    yield note(context, f"{who}: side {bonus:+}", "strength", side, tone=Tone.STRONG)
    for part in line.support.parts:
        yield note(context, f" {bonus_text(context, part)}", "strength", side, tone=Tone.QUIET)
    for fighter, reasons in zip(line.fighters, line.reasons, strict=True):
        name = expected_name(context, fighter)
        text = f" {name} {fighter.strength}{own_bonuses(reasons)}"
        yield note(context, text, "strength", side)


def expected_name(context: PictureContext, one: ev.Fighter) -> str:
    """Return the name in a forecast; an army of unknown type is "an army"."""
    army = context.world.armies.get(one.army)
    is_strange = army is not None and army.type == UNKNOWN_TYPE.id
    return "an army" if is_strange else fighter_name(context, one)
