"""Set-up of a game, from a scenario to the first events."""

from __future__ import annotations

from typing import Final

from engine.core.codec import plain
from engine.kit.tables import options as declared
from engine.rulesets.warlords2.checks import check_midgame, check_scene
from engine.rulesets.warlords2.events import GameSet
from engine.rulesets.warlords2.evolve import evolve
from engine.rulesets.warlords2.initial_state import first_state
from engine.rulesets.warlords2.land import land_of
from engine.rulesets.warlords2.options import CLASSIC, NEW_MAP, Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.scenario_codec import SIDE_NAMES, described_state, types_of
from engine.rulesets.warlords2.scene import Map, NewMap
from engine.rulesets.warlords2.state import SIDES, State
from engine.rulesets.warlords2.tables import PACKAGE
from engine.strategic.setup import GameSetup

OPTIONS: Final = declared(PACKAGE)
"""All options. Rules: W2-0.1."""

_BOOK: Final = {name: value for name, value in plain(Options()).items() if name in CLASSIC}
"""Switches of the column ``seed``."""


def _generated(scene: Map, new: NewMap) -> Map:
    from engine.rulesets.warlords2.generator import generated  # noqa: PLC0415 - seldom needed

    return generated(scene, new)


SETUP: Final = GameSetup(
    declared=OPTIONS,
    options=Options,
    state=State,
    scenario=Map,
    event=GameSet,
    bundle="column",
    bundles={"classic": CLASSIC, "seed": _BOOK},
    new_map=NEW_MAP,
    sides=SIDES,
    names=SIDE_NAMES,
    strange="W2-16.1",
    unknown="W2-0.1",
    unsound="W2-15",
    land_of=land_of,
    types_of=types_of,
    check_scene=check_scene,
    check_midgame=check_midgame,
    described=described_state,
    first_state=first_state,
    generated=_generated,
    settings_of=lambda state: settings_of(state.options),
    evolve=evolve,
)
"""Set-up of a game; the option ``column`` sets all its switches.

See: W2-0.1, W2-1.3, W2-1.8, W2-11, W2-13.1, W2-13.3, W2-15, W2-16.1, W2-16.4.
"""

check = SETUP.check
begin = SETUP.begin
settled = SETUP.settled
