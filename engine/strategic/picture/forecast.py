"""Forecast of an attack: its chance, its cost, and the strengths that decide it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.kit.grid import Place
from engine.kit.identity_cache import keyed_identity_cache
from engine.strategic import events as ev
from engine.strategic.arrivals import arrived
from engine.strategic.battle import BattleForecast, forecast
from engine.strategic.battle_records import BattleLine
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.fighting import bonus_text, fighter_name, fighter_verb, own_bonuses
from engine.strategic.picture.moving import legs_to
from engine.strategic.pieces import NOBODY, UNKNOWN_TYPE, Army
from engine.tabletop.board import Line, tenths
from engine.tabletop.roles import Tone

SURE: Final = "X"
"""Mark of a target without visible defenders, or with a chance that rounds to 100 %."""


class DoubtedChance(NamedTuple):
    """Chance in percent, and what it rests on that the viewer does not know.

    All texts with a chance come from here, so that none leaves out the doubt.
    """

    percent: int
    is_capped: bool = False
    """True if hidden items of the enemy, or further attacks, can only make it lower."""
    is_strange: bool = False
    """True if types of enemies are unknown, so that it counts average armies."""

    @property
    def is_doubtful(self) -> bool:
        """True if the real chance may differ."""
        return self.is_strange or bool(self.is_capped and self.percent)

    @property
    def brief(self) -> str:
        """The chance for narrow places.

        >>> DoubtedChance(78, is_capped=True).brief, DoubtedChance(100, is_strange=True).brief
        ('at most 78 %', '100 % if average')
        """
        return f"{self._bound}{self.percent} %{' if average' if self.is_strange else ''}"

    def to(self, aim: str) -> str:
        """Return the chance of an aim for a sentence.

        >>> DoubtedChance(0, is_capped=True).to("win")
        '0 % to win'
        >>> DoubtedChance(100, is_strange=True).to("hold")
        '100 % to hold if unknown armies are average'
        """
        doubt = " if unknown armies are average" if self.is_strange else ""
        return f"{self._bound}{self.percent} % to {aim}{doubt}"

    @property
    def hint(self) -> str:
        """The chance to win for the button."""
        return self.brief if self.is_strange else self.to("win")

    @property
    def _bound(self) -> str:
        return "at most " if self.is_capped and self.percent and not self.is_strange else ""


class Outlook(NamedTuple):
    """Forecast of an attack, and what the viewer does not know about the defenders."""

    forecast: BattleForecast
    bearers: tuple[str, ...] = ()
    """Heroes whose items are not known to the viewer; items only help."""
    is_strange: bool = False
    """True if types of defenders are unknown, so that the forecast counts average armies."""
    is_unseen: bool = False
    """True if the viewer does not see whether anything defends the tile."""

    @property
    def chance(self) -> DoubtedChance | None:
        """The chance to win with the doubt about it; None if nothing is seen."""
        if self.is_unseen:
            return None
        percent = round(100 * self.forecast.chance)
        return DoubtedChance(percent, is_capped=bool(self.bearers), is_strange=self.is_strange)

    @property
    def is_doubtful(self) -> bool:
        """True if the real chance may differ: the viewer does not know all of the defence."""
        return bool(self.bearers) or self.is_strange or self.is_unseen


def are_strange(armies: Iterable[Army]) -> bool:
    """Return whether the type of any of the armies is unknown."""
    return any(army.type == UNKNOWN_TYPE.id for army in armies)


def bearers_of(context: PictureContext, armies: Iterable[Army]) -> tuple[str, ...]:
    """Return the names of heroes who may carry items of battle that the viewer does not know."""
    if context.settings.moving.secrecy.worn is not None:  # such items are visible
        return ()
    return tuple(
        context.army_name(army)
        for army in armies
        if army.hero is not None and army.owner != NOBODY and not context.is_open(army.owner)
    )


def battle_forecast(context: PictureContext, group: Sequence[Army], at: Place) -> Outlook | None:
    """Return the viewer's forecast of a group's attack; None if the game gives no advice.

    The group fights from the last tile of its way there, so the ground of that tile counts.
    """
    if not context.settings.fighting.advises:
        return None
    return _weighed(context, (tuple(army.id for army in group), at))


@keyed_identity_cache
def _weighed(context: PictureContext, key: tuple[tuple[int, ...], Place]) -> Outlook:
    armies, at = key
    group = [context.world.armies[army] for army in armies]
    there = arrived(context.world, context.settings, group, legs_to(context, tuple(group), at))
    found = forecast(context.world, context.settings, there, at)
    if found.lineup is None:
        return Outlook(found, is_unseen=not context.sees(at))
    foes = [context.world.armies[one.army] for one in found.lineup.defenders.fighters]
    return Outlook(found, bearers_of(context, foes), are_strange(foes))


def percent_mark(found: Outlook | None) -> str:
    """Return the chance in percent, in at most two characters; empty without a forecast.

    A doubtful chance is its tens digit with a question mark.
    """
    if found is None:
        return ""
    if found.is_doubtful:
        return "?" if found.is_unseen else f"{tenths(round(100 * found.forecast.chance))}?"
    rounded = round(100 * found.forecast.chance)
    return SURE if rounded >= 100 else str(rounded)


def tens_mark(found: Outlook | None) -> str:
    """Return the tens digit of the chance, or ``SURE``; empty without a forecast.

    A doubtful chance is a question mark.
    """
    if found is None:
        return ""
    rounded = round(100 * found.forecast.chance)
    return "?" if found.is_doubtful else SURE if rounded >= 100 else tenths(rounded)


def chance_to_win(found: Outlook | None) -> DoubtedChance | None:
    """Return the chance to win; None without a forecast, or if nothing is seen."""
    return None if found is None else found.chance


def forecast_lines(context: PictureContext, group: Sequence[Army], at: Place) -> Iterator[Line]:
    """Yield the forecast of an attack for the panel and the confirmation."""
    outlook, side = battle_forecast(context, group, at), context.viewer
    if outlook is None:
        yield context.note(
            "No forecast: this game is played without a military advisor",
            "dice",
            side,
            at=at,
            tone=Tone.QUIET,
        )
        return
    found = outlook.forecast
    if found.lineup is None:
        yield context.note("Nobody is seen there", "lines", side, at=at, tone=Tone.GOOD)
        return
    if context.style.forecast is not None:
        yield from context.style.forecast(context, outlook, group, at)
    else:
        yield from odds_lines(context, outlook, len(group), at)
    owner = context.stacks[at][0].owner if at in context.stacks else NOBODY
    yield from line_lines(context, found.lineup.attackers, "You", side)
    yield from line_lines(context, found.lineup.defenders, "They", owner)
    for name in outlook.bearers:
        text = f" +? items of {name} are not known"
        yield context.note(text, "strength", owner, at=at, tone=Tone.QUIET)


def odds_lines(context: PictureContext, outlook: Outlook, sent: int, at: Place) -> Iterator[Line]:
    """Yield the chance to win with ``sent`` armies, and the losses to expect."""
    found, side = outlook.forecast, context.viewer
    foes = len(found.odds.defenders_live)
    least, most = ("at least ", "at most ") if outlook.bearers else ("", "")
    tone = Tone.GOOD if found.chance >= 0.5 else Tone.BAD
    chance = outlook.chance
    text = "Win" if chance is None else f"Win {chance.brief}"
    yield context.note(text, "dice", side, at=at, tone=tone)
    text = f"Lose {least}{found.odds.attackers_lost:.1f} of {sent}"
    yield context.note(text, "dice", side, at=at)
    text = f"They lose {most}{found.odds.defenders_lost:.1f} of {foes}"
    yield context.note(text, "dice", at=at)


def line_lines(context: PictureContext, line: BattleLine, who: str, side: int) -> Iterator[Line]:
    """Yield one side's bonus with its parts, then its armies with their strengths."""
    bonus = line.support.total
    yield context.note(f"{who}: side {bonus:+}", "strength", side, tone=Tone.STRONG)
    for part in line.support.parts:
        yield context.note(f" {bonus_text(context, part)}", "strength", side, tone=Tone.QUIET)
    for fighter, reasons in zip(line.fighters, line.reasons, strict=True):
        name = expected_name(context, fighter)
        text = f" {name} {fighter.strength}{own_bonuses(reasons)}"
        yield context.note(text, "strength", side)


def expected_name(context: PictureContext, one: ev.Fighter) -> str:
    """Return the name in a forecast; an army of unknown type is "an army"."""
    return "an army" if _is_strange(context, one) else fighter_name(context, one)


def expected_verb(context: PictureContext, one: ev.Fighter, single: str, several: str) -> str:
    """Return the verb for a fighter in a forecast."""
    return single if _is_strange(context, one) else fighter_verb(context, one, single, several)


def _is_strange(context: PictureContext, one: ev.Fighter) -> bool:
    army = context.world.armies.get(one.army)
    return army is not None and army.type == UNKNOWN_TYPE.id
