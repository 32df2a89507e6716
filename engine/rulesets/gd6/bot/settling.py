"""Where a seat settles."""

from __future__ import annotations

from engine.core.dice import Dice, pick
from engine.rulesets.gd6.bot.board import Geometry, geometry
from engine.rulesets.gd6.lands import close_by, free_sites
from engine.rulesets.gd6.state import NOBODY, Seen

CHOICE = 5
"""Sites among which the draw is made."""


def plain_site(seen: Seen, seat: int, dice: Dice) -> int:
    """A site for the headquarters of a seat, 0 if there is none. Rules: GD-HQ-1 to GD-HQ-5.

    A draw among the best, because rivals look at the same map.
    """
    ranked = sites(seen, seat)
    return pick(dice, ranked[:CHOICE]) if ranked else 0


def sites(seen: Seen, seat: int, *, yields: bool = True) -> list[int]:
    """Sites for a seat, the best first.

    As long as there are such sites: so that those who have not settled find room too, for two who
    crowd each other lose time and one of them the game; for one that yields, away from where rivals
    clashed.
    """
    geo = geometry(seen.world)
    free = free_sites(seen)
    clashed = {
        at
        for deed in seen.deeds
        if yields and deed.kind == "hq" and deed.what == "failed" and deed.seat != seat
        for at in close_by(seen.world, deed.at)
    }
    others = sum(player.status == "unsettled" for player in seen.players.values()) - 1
    polite = [at for at in free if _room_beside(seen, at, free) >= others] or free
    calm = [at for at in polite if at not in clashed] or polite
    placed = [here.id for here in seen.territories.values() if here.hq != NOBODY]
    return sorted(calm, key=lambda at: (-_score(seen, geo, at, placed), at))


def _room_beside(seen: Seen, at: int, free: list[int]) -> int:
    """How many more could settle when this site is taken, first come, first served."""
    left = [other for other in free if other not in close_by(seen.world, at)]
    count = 0
    while left:
        count += 1
        near = close_by(seen.world, left[0])
        left = [other for other in left if other not in near]
    return count


def _score(seen: Seen, geo: Geometry, at: int, placed: list[int]) -> int:
    """How good a site is: room round it, ways out, distance to others."""
    room = sum(seen.territories[other].owner == NOBODY for other in geo.within[at][3])
    near = sum(seen.territories[other].owner == NOBODY for other in geo.within[at][2])
    first = sum(seen.territories[other].owner == NOBODY for other in geo.near[at])
    ways = sum(len(geo.near[other]) for other in geo.near[at])
    away = min((min(geo.apart[at][other], 6) for other in placed), default=6)
    return 2 * room + 3 * near + 4 * first + ways + 3 * away
