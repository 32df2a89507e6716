"""Aids for the contract suite: secrets, rare commands and games that once stood still."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine.core.options import Value
from engine.core.ruleset import Scenario
from engine.rulesets.warlords2.rules import RULES
from tests.contract.aids import Aids, Chance, Ending, StoppedGame
from tests.strategic import chances
from tests.strategic.fleets import FLEETS
from tests.strategic.veils import CHANGES, battles, orders


def _drawn(chance: Chance) -> tuple[Scenario, dict[str, Value]]:
    drawn = chances.game(chance.randrange(1 << 30), small=True)
    hidden = {"hidden_map": chance.choice(("on", "on", "on", "off"))}
    return drawn.scene(), dict(drawn.options) | hidden


AIDS: Final = Aids(
    battles=battles,
    changes=CHANGES,
    secret_games=_drawn,
    secret_orders=partial(orders, RULES, own=6),
    secret_tries=160,
    rare_walks=(12, 20, 23, 33),
    option_scenarios=(FLEETS,),
    # Options that others overrule, without those.
    option_rows=tuple({"column": column, "diplomacy": "on"} for column in ("classic", "seed")),
    options_of_makers=frozenset(
        {"map_seed", "map_width", "map_height", "water", "hills", "forest", "cities"}
    ),
    # In the fog, and at peace with the side that was in the way.
    once_stopped=(
        StoppedGame("mist", {}, ("normal",) * 3, 18),
        StoppedGame("mist", {}, ("hard",) * 3, 9),
        StoppedGame("mist", {}, ("hard",) * 3, 13),
        StoppedGame("narrows", {"diplomacy": "on"}, ("normal",) * 4, 3),
    ),
    share=6,
    weights={"horseshoe": 1, "narrows": 10, "new": 20},
    endings=(Ending(2), Ending(0, resigns=5), Ending(0, stops=30)),
    rounds=(("", {}, "round 1"),),
)
