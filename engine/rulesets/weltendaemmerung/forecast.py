"""What an attack would do: exact chances, from the very weights the rules draw with."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from engine.core.record import Record
from engine.rulesets.weltendaemmerung import sight
from engine.rulesets.weltendaemmerung.chance import shares
from engine.rulesets.weltendaemmerung.fighting import is_in_reach
from engine.rulesets.weltendaemmerung.lookup import Position, unit_at
from engine.rulesets.weltendaemmerung.numbers import life_left
from engine.rulesets.weltendaemmerung.reach import strike
from engine.rulesets.weltendaemmerung.state import Unit

Kind: TypeAlias = Literal["unit", "siege"]


class Forecast(Record, frozen=True):
    """An attack weighed: ``kills`` of ``draws`` equally likely draws destroy the target.

    A siege always succeeds and does no damage; its numbers are 0.
    """

    kind: Kind
    x: int
    y: int
    victim: int = -1
    least: int = 0
    most: int = 0
    total: int = 0
    """The damage of all draws together."""
    kills: int = 1
    draws: int = 1

    @property
    def chance(self) -> Fraction:
        """How likely the target is destroyed or broken."""
        return Fraction(self.kills, self.draws)

    @property
    def mean(self) -> Fraction:
        """The damage to expect; hits above the victim's life count in full."""
        return Fraction(self.total, self.draws)

    @property
    def percent(self) -> int:
        """The chance in whole percent; 100 and 0 only where there is no doubt."""
        exact = self.chance * 100
        return int(exact) if exact >= 1 or exact == 0 else 1


def forecast(board: Position, unit: Unit, x: int, y: int) -> Forecast | None:
    """What an attack on a tile would do, or None where there is nothing to attack.

    Phase, reach and attacks left are not looked at.

    Rules: WD-ATT-3, WD-ATT-4, WD-RNG-1, WD-RNG-3, WD-SIEGE-3, WD-NUM-4.
    """
    victim = unit_at(board, x, y)
    if victim is None:
        return Forecast("siege", x, y) if sight.can_break(board, unit, x, y) else None
    if sight.side(victim) == sight.side(unit):
        return None
    return _on_unit(board, unit, victim)


def hits(board: Position, base: int) -> tuple[tuple[int, int], ...]:
    """(damage, weight) of every hit that the next attack can be, for an attack value ``base``.

    Rules: WD-ATT-3, WD-RNG-3.
    """
    return tuple((base + modifier, part) for modifier, (part, _) in shares(board).items() if part)


def _on_unit(board: Position, unit: Unit, victim: Unit) -> Forecast:
    drawn = hits(board, sight.row(unit).a)
    return Forecast(
        "unit",
        victim.x,
        victim.y,
        victim.id,
        least=min(damage for damage, _ in drawn),
        most=max(damage for damage, _ in drawn),
        total=sum(damage * weight for damage, weight in drawn),
        kills=sum(weight for damage, weight in drawn if life_left(victim.v, damage) == 0),
        draws=sum(weight for _, weight in drawn),
    )


def targets(board: Position, unit: Unit) -> tuple[Forecast, ...]:
    """Forecasts for everything a unit could attack from where it stands, row by row.

    Rules: WD-ATT-1, WD-ATT-2, WD-SIEGE-1, WD-SIEGE-4.
    """
    if not unit.alive or unit.b < 1:
        return ()
    found = [
        _on_unit(board, unit, victim)
        for victim in board.units.values()
        if victim.alive
        and sight.side(victim) != sight.side(unit)
        and is_in_reach(board.options, sight.row(unit).r, victim.x - unit.x, victim.y - unit.y)
    ]
    if sight.row(unit).breaks:
        taken = {(other.x, other.y) for other in board.units.values() if other.alive}
        found += [
            Forecast("siege", x, y)
            for x, y in strike(board, unit)
            if (x, y) not in taken and sight.can_break(board, unit, x, y)
        ]
    return tuple(sorted(found, key=lambda target: (target.y, target.x)))
