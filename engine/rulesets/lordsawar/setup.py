"""Set up a game: turn a scenario into the first events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kit.tables import options as declared
from engine.rulesets.lordsawar.checks import check_midgame, check_scene
from engine.rulesets.lordsawar.events import GameSet
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.first_state import first_state
from engine.rulesets.lordsawar.land import land_of
from engine.rulesets.lordsawar.options import NEW_MAP, PRESETS, Options
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.scenario_codec import SIDE_NAMES, described_state, types_of
from engine.rulesets.lordsawar.scene import Map, NewMap
from engine.rulesets.lordsawar.state import SIDES, State
from engine.rulesets.lordsawar.tables import PACKAGE, DrawRange, armyset
from engine.strategic.setup import GameSetup

OPTIONS: Final = declared(PACKAGE)
"""All options. Rules: LW-20.1. See: LW-0."""

MAP_SIZES: Final[Mapping[str, DrawRange]] = {
    name: getattr(armyset().new_maps, name) for name in ("tiny", "small", "normal")
}
"""Ranges for the width and height of new maps, by value of ``map_size``. See: LW-20."""


def _generated(scene: Map, new: NewMap) -> Map:
    from engine.rulesets.lordsawar.generator import generated  # noqa: PLC0415 - seldom needed

    return generated(scene, new)


SETUP: Final = GameSetup(
    declared=OPTIONS,
    options=Options,
    state=State,
    scenario=Map,
    event=GameSet,
    bundle="preset",
    bundles=PRESETS,
    new_map=NEW_MAP,
    sizes=MAP_SIZES,
    sides=SIDES,
    names=SIDE_NAMES,
    strange="LW-19.5",
    unknown="LW-0",
    unsound="LW-20",
    land_of=land_of,
    types_of=types_of,
    check_scene=check_scene,
    check_midgame=check_midgame,
    described=described_state,
    first_state=first_state,
    generated=_generated,
    settings_of=settings_in,
    evolve=evolve,
)
"""Set-up of a game; a preset is short for all the options that it sets.

See: LW-0, LW-1, LW-17, LW-19.3, LW-19.5, LW-20.
"""

check = SETUP.check
begin = SETUP.begin
settled = SETUP.settled
