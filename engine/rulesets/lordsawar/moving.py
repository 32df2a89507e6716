"""Moving and seeing (sections 12 and 17) as settings of the strategic layer."""

from __future__ import annotations

from typing import Final

from engine.rulesets.lordsawar import conditions
from engine.rulesets.lordsawar.land import QUAYS, WATER, Ground
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.settings import MovingRules

_NEAR: Final = 6
_FAR: Final = 200
"""Margins of the search windows in tiles; the far one covers any map."""

_LONGEST: Final = 400


def prices() -> dict[Ground, int]:
    """Cost of entering each terrain without any bonus. Rules: LW-12.2."""
    costs = armyset().movement
    return {
        Ground.UNKNOWN: 0,
        Ground.GRASS: costs.grass,
        Ground.SHORE: costs.shore,
        Ground.SEA: costs.open_sea,
        Ground.FOREST: costs.forest,
        Ground.HILLS: costs.hills,
        Ground.MOUNTAIN: costs.mountain,
        Ground.SWAMP: costs.swamp,
        Ground.CITY: costs.city,
        Ground.BRIDGE: costs.bridge,
        Ground.PORT: costs.shore,
    }


def moving_rules(options: Options) -> MovingRules:
    """Settings of moving and seeing under the options of a game.

    Rules: LW-12.1 to LW-12.5, LW-17.
    """
    costs, numbers = prices(), armyset().movement
    closed = {*WATER, Ground.MOUNTAIN}
    return MovingRules(
        foot=tuple(0 if ground in closed else costs[ground] for ground in Ground),
        air=tuple(min(costs[ground], numbers.eased) for ground in Ground),
        boats=WATER | QUAYS,
        water=WATER,
        bridges=QUAYS,
        roadside=frozenset({Ground.CITY, Ground.BRIDGE}),
        seaside=WATER | QUAYS,
        wise=(("woods", Ground.FOREST), ("hills", Ground.HILLS)),
        all_wise=True,
        cap=numbers.eased,
        road_price=numbers.road,
        zone_toll=0,
        riders=True,
        attack=1,
        attack_as_terrain=True,
        foe_price=None,
        attack_in_full=True,
        boarding=numbers.shore,
        near=_NEAR,
        far_human=_FAR,
        far_computer=_FAR,
        longest=_LONGEST,
        fog=options.hidden_map == "on",
        sight=1,
        far_sight=1,
        wakes=conditions.wake,
    )
