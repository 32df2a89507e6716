"""The land of a game exported as the original's resource."""

from __future__ import annotations

import re

import pytest

from engine.core.game import Game
from engine.core.record import replace
from engine.core.ruleset import ScenarioFault
from engine.rulesets.warlords2.exports import EXPORTERS
from engine.rulesets.warlords2.imports.original import IMPORTERS
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scene import Map
from engine.strategic.commands import EndTurn, Raze
from tests.rulesets.warlords2 import original_files as made

(EXPORTER,) = EXPORTERS
(IMPORTER,) = IMPORTERS


def imported(data: bytes) -> Map:
    scene = IMPORTER.read(made.fork(made.scenario(MAP=data))).scenario
    assert isinstance(scene, Map)
    return scene


@pytest.mark.rule("W2-16.2", "W2-16.4")
@pytest.mark.parametrize("quick_start", ["on", "off"])
def test_export_of_an_imported_land_returns_the_original_bytes(quick_start: str) -> None:
    """Section 19, number 17: for any owners of the cities."""
    data = made.game_map(ports=((0, 5), (0, 155), (0, 0)))
    game = Game.begin(RULES, imported(data), {"quick_start": quick_start}, b"export")
    game.submit(0, EndTurn())
    assert EXPORTER.content(game.log.line()) == data
    assert imported(EXPORTER.content(game.log.line())).art == imported(data).art


@pytest.mark.rule("W2-3.4")
def test_razed_city_is_exported_as_a_ruin() -> None:
    data = made.game_map()
    game = Game.begin(RULES, imported(data), {"raze_allowed": "on", "quick_start": "on"}, b"export")
    own = next(city for city in game.state.cities.values() if city.owner == 0)
    game.submit(0, Raze(own.id))
    at = 2 * (own.y * made.WIDTH + own.x)
    assert EXPORTER.content(game.log.line())[at] == 0xA0


@pytest.mark.rule("W2-16.2")
def test_a_land_of_another_size_is_refused_in_one_line() -> None:
    game = Game.begin(RULES, RULES.scenarios()["skirmish"], {}, b"export")
    with pytest.raises(ScenarioFault, match=re.escape("MAP: is of 112x156 tiles, this land of")):
        EXPORTER.content(game.log.line())


@pytest.mark.rule("W2-16.2")
def test_export_of_a_port_off_the_shore_is_refused() -> None:
    scene = replace(imported(made.game_map()), ports=((5, 5),))
    game = Game.begin(RULES, scene, {}, b"export")
    with pytest.raises(ScenarioFault, match=re.escape("the port (5, 5) is not on a shore")):
        EXPORTER.content(game.log.line())
