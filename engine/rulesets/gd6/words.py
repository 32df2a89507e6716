"""How seats, territories and units are called in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.rulesets.gd6 import canvas
from engine.rulesets.gd6.events import Counts, Loss
from engine.rulesets.gd6.lands import letter, name
from engine.rulesets.gd6.orders import UNITS, Item, Unit
from engine.rulesets.gd6.state import NOBODY, Phase, View
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

PHASES: Final[Mapping[Phase, str]] = {
    "natural": "Natural Phase",
    "construction": "Construction Phase",
    "inventory": "Inventory Phase",
    "movement": "Movement Phase",
    "final": "Final Phase",
}

ITEMS: Final[Mapping[Item, str]] = {
    "crop": "crop supply",
    "dynamite": "dynamite",
    "toxic": "toxic waste",
}

_PLURALS: Final[Mapping[Unit, str]] = {
    "army": "armies",
    "cavalry": "cavalry",
    "heavy": "heavies",
    "spy": "spies",
}


# -- seats and territories -----------------------------------------------------------------------


def called(view: View, seat: int) -> str:
    """A seat with its letter: ``blue (B)``; ``B``, as the table calls it, if it has no name."""
    if seat == NOBODY:
        return "nobody"
    own = view.players[seat].name if seat in view.players else ""
    return letter(seat) if own in ("", letter(seat)) else f"{own} ({letter(seat)})"


def land(view: View, at: int) -> str:
    """A territory: ``14 Eastfen``, ``territory 14`` without a name, also if there is none such."""
    if not 1 <= at <= len(view.world.lands):
        return f"territory {at}"
    return name(view, at) if view.world.land(at).name else f"territory {at}"


def spot(view: View, at: int) -> tuple[int, int] | None:
    """The cell of a territory's label at full size; None if there is no such territory."""
    return canvas.spot(view.world, at) if 1 <= at <= len(view.world.lands) else None


# -- numbers -------------------------------------------------------------------------------------


def many(count: int, one: str, more: str = "") -> str:
    """A number of things: ``1 turn``, ``2 turns``."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def units(count: int, unit: Unit) -> str:
    """A number of units: ``1 army``, ``3 spies``."""
    return many(count, unit, _PLURALS[unit])


def several(counts: Counts) -> str:
    """Units of all types: ``3 armies and 1 spy``; ``nothing`` where there are none."""
    found = [units(count, unit) for count, unit in zip(counts, UNITS, strict=True) if count]
    return joined(found) or "nothing"


def fallen(losses: Iterable[Loss], seat: int | None = None) -> Counts:
    """What is lost, by type; of one seat alone if it is named."""
    found = dict.fromkeys(UNITS, 0)
    for loss in losses:
        if seat in (None, loss.seat):
            found[loss.unit] += loss.lost
    return found["army"], found["cavalry"], found["heavy"], found["spy"]


def joined(parts: Sequence[str]) -> str:
    """Parts as people list them: ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


# -- lines ---------------------------------------------------------------------------------------


def sentence(text: str) -> str:
    """A text that begins with a capital and ends with a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", ":")) else f"{text}."


def said(view: View, text: str, seat: int, rule: str, at: int = 0) -> Line:
    """A line about a seat, and a territory unless that is 0."""
    return Line(sentence(text), seat=seat, rule=rule, at=spot(view, at))


def mood(view: View, gains: int, loses: int) -> Tone:
    """How news good for one seat and bad for another sound to the viewer; either may be NOBODY."""
    if view.viewer not in view.players:
        return Tone.NORMAL
    if view.viewer == gains:
        return Tone.GOOD
    return Tone.BAD if view.viewer == loses else Tone.NORMAL
