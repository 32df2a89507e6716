"""What an attack would come to: chances, losses, and where the strength comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.kit.grid import Place
from engine.kit.memo import recent_each
from engine.strategic.battle import BattleForecast as Forecast
from engine.strategic.battle import forecast
from engine.strategic.battle_records import BattleLine
from engine.strategic.events.battle import Part
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import army_name, named, note, type_name
from engine.strategic.pieces import NOBODY, NONE, Army
from engine.tabletop.board import Line, tenths
from engine.tabletop.roles import Tone

SURE: Final = "X"
"""On a target: nobody is seen to defend it, or the chance rounds to 100."""

_SOURCES: Final = {
    "leader": "leader",
    "command": "command items",
    "standard": "standard",
    "pack": "pack",
    "works": "field works",
    "defence": "walls",
    "cap": "at most that",
    "foe": "foes'",
    "own": "own",
    "weapons": "weapons",
    "aboard": "on a ship",
    "limit": "limit",
}


def weigh(scene: Scene, group: Sequence[Army], at: Place) -> Forecast:
    """The forecast of a group's attack, by what the viewer knows. Rules: W2-8.1 to W2-8.6."""
    return _weighed(scene, (tuple(army.id for army in group), at))


@recent_each
def _weighed(scene: Scene, key: tuple[tuple[int, ...], Place]) -> Forecast:
    armies, at = key
    group = [scene.world.armies[army] for army in armies]
    return forecast(scene.world, scene.book, group, at)


def percent(found: Forecast) -> str:
    """The chance in percent in at most two characters."""
    rounded = round(100 * found.chance)
    return SURE if rounded >= 100 else str(rounded)


def short(found: Forecast) -> str:
    """The chance in one character: its tens, or the sign of what is as good as certain."""
    rounded = round(100 * found.chance)
    return SURE if rounded >= 100 else tenths(rounded)


def told(found: Forecast) -> str:
    """The chance as it is said."""
    return f"{100 * found.chance:.0f} %"


def lines(scene: Scene, group: Sequence[Army], at: Place) -> Iterator[Line]:
    """A forecast for the panel and before an attack. Rules: W2-8.3, W2-8.5."""
    found, side = weigh(scene, group, at), scene.viewer
    if found.lineup is None:
        yield note(scene, "Nobody is seen there", "lines", side, at=at, tone=Tone.GOOD)
        return
    good = found.chance >= 0.5
    tone = Tone.GOOD if good else Tone.BAD
    yield note(scene, f"Win {told(found)}", "dice", side, at=at, tone=tone)
    foes = len(found.lineup.defenders.fighters)
    text = f"Lose {found.odds.attackers_lost:.1f} of {len(group)}"
    yield note(scene, text, "dice", side, at=at)
    text = f"They lose {found.odds.defenders_lost:.1f} of {foes}"
    yield note(scene, text, "dice", at=at)
    owner = scene.stacks[at][0].owner if at in scene.stacks else NOBODY
    yield from _line(scene, found.lineup.attackers, "You", side)
    yield from _line(scene, found.lineup.defenders, "They", owner)


def _line(scene: Scene, line: BattleLine, who: str, side: int) -> Iterator[Line]:
    """Rules: W2-8.3, W2-8.4."""
    bonus = line.support.total
    yield note(scene, f"{who}: side {bonus:+}", "strength", side, tone=Tone.STRONG)
    for part in line.support.parts:
        yield note(scene, f" {reason(scene, part)}", "strength", side, tone=Tone.QUIET)
    for fighter, reasons in zip(line.fighters, line.reasons, strict=True):
        name = _fighter(scene, fighter.army, fighter.type)
        text = f" {name} {fighter.strength}{_own(reasons)}"
        yield note(scene, text, "strength", side)


def _fighter(scene: Scene, army: int, kind: int) -> str:
    known = scene.world.armies.get(army)
    return army_name(scene, known) if known is not None else type_name(scene, kind)


def _own(reasons: Iterable[Part]) -> str:
    told_of = [f"{_SOURCES[part.source]} {part.value:+}" for part in reasons if part.value]
    return f" ({', '.join(told_of)})" if told_of else ""


def reason(scene: Scene, part: Part) -> str:
    """A reason, such as ``pack +1 Pegasi``; what the foe cancels is in brackets."""
    text = f"{_SOURCES[part.source]} {part.value:+}"
    if part.army != NONE:
        text += f" {named(scene, part.army)}"
    return f"({text}, cancelled)" if part.cancelled else text
