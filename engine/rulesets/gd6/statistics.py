"""Numbers of each seat, for charts and summaries."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.gd6.lands import owned, strength
from engine.rulesets.gd6.state import NOBODY, Seen


def statistics(seen: Seen) -> Mapping[str, tuple[int, ...]]:
    """What everybody may count: land, headquarters, units without spies."""
    lands = [owned(seen, seat) for seat in seen.players]
    return {
        "territories": tuple(map(len, lands)),
        "headquarters": tuple(sum(here.hq != NOBODY for here in own) for own in lands),
        "units": tuple(sum(strength(here) - here.spy for here in own) for own in lands),
    }
