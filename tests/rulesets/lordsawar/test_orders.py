"""Orders outside the chapters of the rule book, and events that replay without rules."""

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
def test_disbanding_and_renaming_replay_from_their_events() -> None:
    state = realm([city(0, 0, 0)], [army(1, 3, 3), army(2, 3, 3, "archers")])
    for order in (Disband((1,)), RenameCity(0, "Hightown")):
        after, events = ordered(state, 0, order)
        state = reduce(evolve, cast("tuple[AnyEvent, ...]", events), state)
        assert state == after
    assert list(state.armies) == [2]
    assert state.cities[0].name == "Hightown"


@pytest.mark.rule("LW-23")
@pytest.mark.parametrize("order", [Disband((3,)), Disband((9,)), RenameCity(1, "Ours")])
def test_disbanding_or_renaming_for_another_side_is_refused(order: Disband | RenameCity) -> None:
    state = realm([city(0, 0, 0), city(1, 6, 6, 1)], [army(1, 3, 3), army(3, 5, 5, owner=1)])
    with pytest.raises(Refused) as refused:
        ordered(state, 0, order)
    assert refused.value.rule == "LW-23"
