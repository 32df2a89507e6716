"""What fights between armies come to, for screens, computer players and ``calc``."""

from __future__ import annotations

from engine.core.record import Record
from engine.rulesets.gd6.numbers import numbers


class Needed(Record, frozen=True):
    """Attackers that an aim takes, against the defenders of today. Rules: GD-INVADE-5.

    ``tower`` is None where there is none to break.
    """

    tower: int | None
    neutralise: int
    take: int


class Invasion(Record, frozen=True):
    """What an invasion of armies comes to. Rules: GD-INVADE-5."""

    attackers_lost: int
    defenders_lost: int
    landed: int
    tower_destroyed: bool
    neutralised: bool


def needed(defenders: int, *, tower: bool) -> Needed:
    """How many armies an aim takes. Rules: GD-INVADE-5.

    Land without defenders needs one that gets through, who then owns it.
    """
    price = _price(tower=tower)
    through = price + max(1, defenders)
    return Needed(price if tower else None, through, price + defenders + 1)


def invasion(attackers: int, defenders: int, *, tower: bool) -> Invasion:
    """What comes of so many armies against so many. Rules: GD-INVADE-5."""
    price = _price(tower=tower)
    through = max(0, attackers - price)
    killed = min(through, defenders)
    return Invasion(
        attackers_lost=min(attackers, price) + killed,
        defenders_lost=killed,
        landed=through - killed,
        tower_destroyed=tower and attackers >= price,
        neutralised=through > 0 and through >= defenders,
    )


def _price(*, tower: bool) -> int:
    """What attackers lose before they reach a defender."""
    table = numbers()
    return table.invasion_penalty.value + (table.watchtower_strength.value if tower else 0)


def skirmish(armies: tuple[int, ...]) -> tuple[int, ...]:
    """What is left of each side's armies. Rules: GD-SKIRMISH-2."""
    rounds = sorted((0, 0, *armies))[-2]
    return tuple(max(0, count - rounds) for count in armies)
