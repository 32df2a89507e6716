"""Orders that no chapter of the rule book has, and events that replay without rules."""

from __future__ import annotations

from functools import reduce
from typing import cast

import pytest

from engine.core.refused import Refused
from engine.rulesets.lordsawar.events import AnyEvent
from engine.rulesets.lordsawar.evolve import evolve
from engine.strategic.commands import Disband, RenameCity
from tests.rulesets.lordsawar.realm import army, city, ordered, realm


@pytest.mark.rule("LW-23")
def test_armies_can_be_disbanded_and_cities_renamed_and_the_events_say_all_of_it() -> None:
    state = realm([city(0, 0, 0)], [army(1, 3, 3), army(2, 3, 3, "archers")])
    for order in (Disband((1,)), RenameCity(0, "Hightown")):
        after, events = ordered(state, 0, order)
        state = reduce(evolve, cast("tuple[AnyEvent, ...]", events), state)
        assert state == after
    assert list(state.armies) == [2]
    assert state.cities[0].name == "Hightown"


@pytest.mark.rule("LW-23")
@pytest.mark.parametrize("order", [Disband((3,)), Disband((9,)), RenameCity(1, "Ours")])
def test_nobody_disbands_or_renames_for_others(order: Disband | RenameCity) -> None:
    state = realm([city(0, 0, 0), city(1, 6, 6, 1)], [army(1, 3, 3), army(3, 5, 5, owner=1)])
    with pytest.raises(Refused) as refused:
        ordered(state, 0, order)
    assert refused.value.rule == "LW-23"
