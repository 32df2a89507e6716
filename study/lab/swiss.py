"""Swiss system: in each round bots meet others with about as many points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from study.lab.plans import Meeting, meetings
from study.lab.scoring import ScoredPair


def next_round(
    bots: Sequence[str], seats: int, pairs: Sequence[ScoredPair], met: Sequence[Meeting]
) -> list[Meeting]:
    """Return the meetings of the next round, by the points so far.

    From the top of the standings down, each bot meets the nearest ones among those that it has met
    least often. The bots left over, fewer than a table has seats, sit out: those that have played
    most often, then those with fewer points, then the first of the plan.
    """
    points = {name: Fraction(0) for name in bots}
    for pair in pairs:
        for name, point in pair.points.items():
            points[name] += point
    played = Counter(bot for meeting in met for bot in set(meeting[0]))
    together = Counter(
        frozenset((a, b)) for meeting in met for a in meeting[0] for b in meeting[0] if a < b
    )
    spare = len(bots) % min(seats, len(bots))
    resting = sorted(range(len(bots)), key=lambda bot: (-played[bot], points[bots[bot]], bot))[
        :spare
    ]
    waiting = sorted(
        (bot for bot in range(len(bots)) if bot not in resting),
        key=lambda bot: (-points[bots[bot]], bot),
    )
    found: list[Meeting] = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < min(seats, len(bots)):
            best = min(
                range(len(waiting)),
                key=lambda at: (sum(together[frozenset((bot, waiting[at]))] for bot in table), at),
            )
            table.append(waiting.pop(best))
        found.append(_seated(sorted(table), seats))
    return found


def _seated(table: Sequence[int], seats: int) -> Meeting:
    """Return the meeting of the bots of one table."""
    (meeting, *_) = meetings("round-robin", len(table), seats)
    return tuple(tuple(table[bot] for bot in way) for way in meeting)
