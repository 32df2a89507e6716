"""Codec between scenario and state: converts the records of both, without dice."""

from __future__ import annotations

from typing import Final

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.warlords2.cities import defence
from engine.rulesets.warlords2.land import RULE, LandPlanes, chosen_art, sign_rows
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.scene import CityPlaced, Made, Map, Now, SidePlaced, SitePlaced
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import native_table, slot_of
from engine.rulesets.warlords2.tables import unit_types as book_types
from engine.strategic.land_rows import hex_rows
from engine.strategic.pieces import UnitType
from engine.strategic.scenario_codec import ScenarioCodec

SIDE_NAMES: Final = (
    "Sallow",
    "Orrin",
    "Ketterby",
    "Brume",
    "Vantage",
    "Morrow",
    "Ashlar",
    "Thole",
)
"""Default names of sides."""


def types_of(scene: Map) -> Roster[UnitType]:
    """Return the unit types of a scenario: its own, else those of the book. See: W2-7."""
    return Roster(scene.units) if scene.units else book_types()


def _defence(slots: int, *, neutral: bool, razed: bool) -> int:  # noqa: ARG001 - a policy
    return 0 if razed else defence(slots)


CODEC: Final = ScenarioCodec(
    state=State,
    scene=Map,
    now=Now,
    side=SidePlaced,
    city=CityPlaced,
    site=SitePlaced,
    slot=Made,
    names=SIDE_NAMES,
    site_name="Site",
    book_types=book_types,
    slot_of=slot_of,
    defence=_defence,
    sign_rows=sign_rows,
    rule=RULE,
)
"""Codec with the records and defaults of this game."""


def described_state(scene: Map, land: LandPlanes, options: Options) -> State:
    """Return the state that a scenario describes; omitted values are not drawn here."""
    state = CODEC.described(
        scene,
        land.terrain,
        types_of(scene),
        options,
        roads=land.roads,
        art=land.art or land.terrain,
        table=land.table,
    )
    if land.art is None:
        art = chosen_art(land.terrain, land.table, state.cities.values())
        state = replace(state, art=art)
    return state if scene.now is None else CODEC.continued(state, scene.now)


def position(state: State) -> Map:
    """Return any state as a scenario that begins there. See: W2-17."""
    table = "" if state.table == native_table() else state.table.hex()
    return CODEC.position(state, art=hex_rows(state.art), table=table)
