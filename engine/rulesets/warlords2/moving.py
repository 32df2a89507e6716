"""Sections 4 to 6 and 11 as values for the strategic layer."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.terrain import WATER, Terrain, flying, on_foot, rows
from engine.strategic import costs
from engine.strategic.settings import MovingRules

_CAP: Final = 2


def moving_rules(options: Options) -> MovingRules:
    """How armies move and what they see under the options of a game.

    Rules: W2-0.1, W2-3.1, W2-4.1, W2-4.4, W2-4.5c, W2-5.2, W2-5.5, W2-6.4, W2-6.6, W2-11.
    """
    foot = on_foot(options.cost_table)
    capped = tuple(min(price, _CAP) or _CAP for price in foot)
    return MovingRules(
        foot=foot,
        air=flying() if options.flying_step == "one" else (0, *capped[1:]),
        boats=frozenset(code for code, row in enumerate(rows()) if row.boat),
        water=WATER,
        bridges=frozenset({Terrain.BRIDGE}),
        roadside=frozenset({Terrain.CITY, Terrain.BRIDGE}),
        seaside=WATER | {Terrain.BRIDGE},
        wise=(("woods", Terrain.FOREST), ("hills", Terrain.HILLS)),
        all_wise=options.group_ability == "all",
        cap=_CAP,
        road_price=None if options.road_rule == "cap2" else 1,
        foe_price=1,
        zone_toll=options.zoc_penalty,
        riders=options.hero_rides_flyers == "on",
        attack=1 if options.attack_step == "one" else _CAP,
        attack_as_terrain=options.attack_step != "one",
        attack_in_full=False,
        boarding=_CAP,
        near=6,
        far_human=options.radius_human_far,
        far_computer=50,
        longest=198,
        fog=options.hidden_map == "on",
        sight=1,
        far_sight=2,
    )


def cost_bytes(found: costs.CostMap) -> npt.NDArray[np.uint8]:
    """Cost map in the original's form: three bits of price, four flags from 0x08 on, 0x80 never.

    Rules: W2-4.3.
    """
    flags = (found & ~np.uint16(costs.PRICE)) >> 5
    return (found & 0x07 | flags).astype(np.uint8)
