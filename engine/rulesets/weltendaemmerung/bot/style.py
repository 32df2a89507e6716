"""How a level plays: a few numbers that the parts of a plan look at."""

from __future__ import annotations

from engine.core.record import Record


class Style(Record, frozen=True):
    """One way to play. Weights are in worth of units; see ``WORTH``."""

    progress: float = 6.0
    """Dailor: what coming nearer to the goal by one round's march is worth."""
    hunger: float = 0.6
    """Share of an attack's worth that counts when a tile is chosen for it."""
    caution: float = 1.0
    """How much of a unit's worth is held to be lost under fire that kills it."""
    courage: float = 0.5
    """Dailor: odds from which fire is not feared any more; 0 charges always."""
    cover: float = 1.0
    """Eldoin: weight of the damage a tile lets a unit do where the enemy is likely to come."""
    home: float = 5.0
    """Eldoin: what it costs to be one round's march too far from the post."""
    leash: int = 7
    """Eldoin: points from the post that are still near."""
    foresight: bool = True
    """Whether the enemy's next strikes are looked at."""
    focus: bool = True
    """Whether attacks are put together to kill."""
    reserve: int = 8
    """Eldoin: one unit in so many stays near the west edge from round 4 on; 0 none."""
    watch: float = 0.7
    """Eldoin: the reserve's least number for each of the enemy's flyers."""
    refuge: float = 0.0
    """Eldoin: what each point of the commander's way to the safest tiles costs; 0 he stays."""


USUAL = Style()
"""The whole outline of section 19.2."""

SIMPLE = Style(foresight=False, focus=False, courage=0.0, caution=0.0, home=1.5, reserve=0)
"""Short-sighted: straight to the goal, each blow by itself, no thought of what comes back."""
