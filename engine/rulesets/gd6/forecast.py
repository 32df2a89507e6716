"""What fights between armies come to, for screens, computer players and ``calc``."""

from __future__ import annotations

from engine.core.record import Record
from engine.rulesets.gd6.numbers import numbers


class Needed(Record, frozen=True):
    """Attackers that an aim takes, against the defenders of today. Rules: GD-INVADE-5.

    ``tower`` is None where there is none to break, ``neutralise`` 0 where the land is neutral.
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


def entry_cost(*, tower: bool, mines: int = 0, guided: bool = False) -> int:
    """Damage that invaders suffer before they reach a defender: penalty, mines, watchtower.

    Rules: GD-INVADE-1, GD-INTEL-1, GD-MINE-3, GD-TOWER-1.
    """
    table = numbers()
    penalty = 0 if guided else table.invasion_penalty.value
    return penalty + mines + (table.watchtower_strength.value if tower else 0)


def needed(defenders: int, *, tower: bool, mines: int = 0, guided: bool = False) -> Needed:
    """How many armies an aim takes. Rules: GD-INVADE-5.

    Land without defenders needs one that gets through, who then owns it. ``defenders`` is the
    damage that they can take; ``guided``: a spy saves the penalty.
    """
    cost = entry_cost(tower=tower, mines=mines, guided=guided)
    return Needed(cost if tower else None, cost + max(1, defenders), cost + defenders + 1)


def invasion(attackers: int, defenders: int, *, tower: bool, mines: int = 0) -> Invasion:
    """The result of so many armies against so many. Rules: GD-INVADE-5, GD-MINE-3."""
    cost = entry_cost(tower=tower, mines=mines)
    through = max(0, attackers - cost)
    killed = min(through, defenders)
    return Invasion(
        attackers_lost=min(attackers, cost) + killed,
        defenders_lost=killed,
        landed=through - killed,
        tower_destroyed=tower and attackers >= cost,
        neutralised=through > 0 and through >= defenders,
    )


def skirmish(armies: tuple[int, ...]) -> tuple[int, ...]:
    """What is left of each side's armies. Rules: GD-SKIRMISH-2."""
    rounds = sorted((0, 0, *armies))[-2]
    return tuple(max(0, count - rounds) for count in armies)
