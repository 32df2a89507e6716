"""Aids for the contract suite: secrets, rare commands and short games."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from engine.core.ids import Seat
from engine.core.options import Value
from engine.core.record import replace
from engine.core.ruleset import Scenario
from engine.rulesets.lordsawar.rules import RULES
from tests.contract.aids import Aids, Chance, Ending
from tests.contract.walks import drawn_options, grounds
from tests.rulesets.lordsawar.late import late
from tests.strategic.veils import CHANGES, armies_of_others, battles, orders


def _army_of_another_type(state: Any, seat: Seat, chance: Chance) -> Any:
    armies = [army for army in armies_of_others(state, seat) if army.hero is None]
    if not armies:
        return state
    kind = chance.choice([kind for kind in state.types.values() if "hero" not in kind.traits])
    army = replace(chance.choice(armies), type=kind.id, strength=kind.strength, upkeep=7)
    return replace(state, armies=state.armies.put(army))


def _other_slots(state: Any, seat: Seat, chance: Chance) -> Any:
    cities = [city for city in state.cities.values() if city.owner != seat and city.slots]
    if not cities:
        return state
    city, model = chance.choice(cities), chance.choice(cities)
    changed = replace(city, slots=model.slots, making=-1, left=0)
    return replace(state, cities=state.cities.put(changed))


def _drawn(chance: Chance) -> tuple[Scenario, dict[str, Value]]:
    scene, options = chance.choice(grounds(RULES)), drawn_options(RULES, chance)
    return scene, options | {"hidden_map": chance.choice(("on", "on", "on", "off"))}


AIDS: Final = Aids(
    battles=battles,
    changes=(*CHANGES, _army_of_another_type, _other_slots),
    secret_games=_drawn,
    secret_orders=partial(orders, RULES, own=60),
    secret_tries=160,
    late=(partial(late, "temple"), partial(late, "sage")),
    rare_walks=(130, 17, 18, 35),
    options_of_makers=frozenset(
        {"map_size", "map_seed", "map_width", "map_height"}
        | {"water", "swamp", "hills", "forest", "cities"}
    ),
    seeds={"easy": 4, "normal": 5, "hard": 6},
    share=6,
    weights={"realms": 1, "marches": 4, "new": 20},
    endings=(Ending(0, resigns=5), Ending(0, resigns=19)),
    rounds=(("", {}, "round 1"),),
)
