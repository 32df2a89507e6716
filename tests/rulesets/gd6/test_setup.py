"""Scenarios: optional parts, refusals, options, and exported positions."""

from __future__ import annotations

import json

import pytest

from engine.core import scenarios
from engine.core.game import Game
from engine.core.options import OptionFault
from engine.core.ruleset import ScenarioFault
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import Setting, Snapshot
from tests.rulesets.gd6.table import begin, land, player, say, seal, setting


@pytest.mark.rule("GD-MAP-1")
@pytest.mark.parametrize(("name", "count"), [("world64", 64), ("west16", 16)])
def test_scenario_may_name_a_map(name: str, count: int) -> None:
    game = begin(f'map = "{name}"\nseats = 2')
    assert len(game.state.territories) == count
    assert {here.owner for here in game.state.territories.values()} == {-1}


@pytest.mark.rule("GD-MAP-1")
@pytest.mark.parametrize(
    "text",
    [
        "seats = 2",
        'map = "world64"\nborders = [[1, 2]]\nseats = 2',
        'map = "atlantis"\nseats = 2',
        "borders = [[0, 1]]\nseats = 2",
        "borders = [[1, 1]]\nseats = 2",
        "borders = [[1, 9999]]\nseats = 2",
    ],
)
def test_scenario_needs_exactly_one_valid_map(text: str) -> None:
    with pytest.raises(ScenarioFault):
        begin(text)


@pytest.mark.rule("GD-MAP-1")
def test_too_many_borders_are_refused() -> None:
    raw = {"name": "x", "title": "X", "about": "", "seats": 2, "borders": [[1, 2]] * 160_001}
    with pytest.raises(ScenarioFault, match="160001 borders are too many"):
        scenarios.parse(RULES, json.dumps(raw).encode())


@pytest.mark.rule("GD-MAP-2")
def test_first_event_holds_map_and_seats() -> None:
    first = begin('map = "west16"\nseats = 3').log[0].events[0]
    assert isinstance(first, ev.GameStarted)
    assert len(first.world.lands) == len(first.territories) == 16
    assert [row.name for row in first.players] == ["A", "B", "C"]
    assert len({row.colour for row in first.players}) == 3


@pytest.mark.rule("GD-NUM-1")
def test_thirteen_seats_have_thirteen_colours() -> None:
    game = begin('map = "world64"\nseats = 13')
    colours = [row.colour for row in game.state.players.values()]
    assert colours[:7] == ["#608", "#00f", "#888", "#f00", "#0f0", "#0ff", "#ff0"]
    assert colours[7:] == ["#f80", "#f0f", "#840", "#084", "#8bf", "#fbc"]
    assert len(colours) == numbers().most_seats.value


@pytest.mark.rule("GD-SCEN-1")
def test_landowner_has_settled_and_its_snapshot_is_counted() -> None:
    game = begin(
        """
borders = [[1, 2], [2, 3]]
seats = 2
territories = [
  { id = 1, owner = 0, army = 2, construct = "bivouac" },
  { id = 2, owner = 0, construct = "library" },
]
"""
    )
    first, second = game.state.players.values()
    assert (first.status, first.hq_built) == ("active", True)
    assert first.opened == Snapshot(2, 1, 1)
    assert (second.status, second.hq_built) == ("unsettled", False)
    assert second.opened == Snapshot()


@pytest.mark.rule("GD-SCEN-1", "GD-TURN-1")
def test_game_can_begin_in_the_movement_phase() -> None:
    game = begin(
        """
borders = [[1, 2]]
phase = "movement"
players = [{ id = 0, orders = ["move path=1>2 count=6"] }, { id = 1 }]
territories = [
  { id = 1, owner = 0, army = 6, wasteland = true },
  { id = 2, owner = 1, army = 1, construct = "watchtower" },
]
"""
    )
    events = seal(game, 0, 1)
    phases = [event.phase for event in events if isinstance(event, ev.PhaseBegan)]
    assert phases == ["movement", "final"]
    assert land(game, 2).owner == 0
    assert land(game, 2).army == 1, "2 for the penalty, 2 for the tower, 1 for 1"


@pytest.mark.rule("GD-SCEN-1")
def test_position_with_drafts_purses_and_secrets_survives_export() -> None:
    game = begin(
        """
borders = [[1, 2], [2, 3], [3, 4], [4, 5]]
options = { variant = "advanced", domination = 0, turn_limit = 0 }
players = [{ id = 0, ip = 50, toxic = 2 }, { id = 1, sealed = true }]
territories = [
  { id = 1, owner = 0, army = 4, hq = 0 },
  { id = 4, owner = 1, spy = 2, mines = 2, laid = [[1, 2]] },
]
turn = 9
"""
    )
    say(game, 0, "spawn at=1 count=2", "build at=1 construct=library", "move path=1>2 count=1")
    text = scenarios.dump(RULES.position(game.state))
    again = Game.begin(RULES, scenarios.parse(RULES, text.encode()), {}, b"again")
    assert again.state == game.state
    assert player(again, 0).orders == player(game, 0).orders


@pytest.mark.rule("GD-SCEN-1")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("seats = 1", "seats"),
        ("seats = 14", "seats"),
        ("seats = 2\nplayers = [{ id = 2 }]", "players"),
        ("seats = 2\nplayers = [{ id = 1 }, { id = 0 }]", "players"),
        ("seats = 2\nplayers = [{ id = 0, ip = -1 }]", "players[0].ip"),
        ("seats = 2\nplayers = [{ id = 0, orders = ['seal'] }]", "players[0].orders[0]"),
        ("seats = 2\nplayers = [{ id = 0, status = 'active' }]", "players[0].hq_built"),
        ('seats = 2\nplayers = [{ id = 0, name = "two\\nlines" }]', "players[0].name"),
        ("seats = 2\nplayers = [{ id = 0, sealed = true }, { id = 1, sealed = true }]", "players"),
        ("seats = 2\nterritories = [{ id = 9 }]", "territories[0].id"),
        ("seats = 2\nterritories = [{ id = 1 }, { id = 1 }]", "territories"),
        ("seats = 2\nterritories = [{ id = 1, owner = 2 }]", "territories[0].owner"),
        ("seats = 2\nterritories = [{ id = 1, army = 1 }]", "territories[0]"),
        ("seats = 2\nterritories = [{ id = 1, owner = 0, army = -1 }]", "territories[0].army"),
        ("seats = 2\nterritories = [{ id = 1, owner = 0, spy = 1 }]", "territories[0]"),
        (
            "seats = 2\nterritories = [{ id = 1, construct = 'bivouac' }]",
            "territories[0].construct",
        ),
        ("seats = 2\nterritories = [{ id = 1, laid = [[0, 1]] }]", "territories[0].laid"),
        ("seats = 2\nterritories = [{ id = 1, hq = 0 }, { id = 2, hq = 1 }]", "territories"),
        ("seats = 2\nturn = 0", "turn"),
        ("seats = 2\nturn = 31", "turn"),
        ("seats = 2\nfailed_rounds = 1", "choosing"),
        ("seats = 2\nphase = 'construction'\nchoosing = [0]", "choosing"),
        ("seats = 2\nwinners = [0]", "winners"),
    ],
)
def test_unplayable_scenario_is_refused_with_the_place(text: str, place: str) -> None:
    with pytest.raises(ScenarioFault) as caught:
        begin("borders = [[1, 2], [2, 3]]\n" + text)
    assert caught.value.place == place
    assert "\n" not in caught.value.text


@pytest.mark.rule("GD-OPT-1")
def test_options_override_the_scenario_and_the_defaults() -> None:
    plain = begin("borders = [[1, 2]]\nseats = 2").state.options
    assert (plain.variant, plain.domination, plain.turn_limit) == ("base", 60, 30)
    text = "borders = [[1, 2]]\nseats = 2\noptions = { variant = 'advanced', turn_limit = 9 }"
    chosen = begin(text).state.options
    assert (chosen.variant, chosen.domination, chosen.turn_limit) == ("advanced", 60, 9)
    given = begin(text, {"variant": "base", "domination": 0, "turn_limit": 5}).state.options
    assert (given.variant, given.domination, given.turn_limit) == ("base", 0, 5)


@pytest.mark.rule("GD-OPT-1")
def test_options_that_conflict_with_a_position_are_refused() -> None:
    text = "borders = [[1, 2]]\nseats = 2\noptions = { variant = 'advanced' }\nturn = 9\n"
    text += "territories = [{ id = 1, owner = 0, heavy = 1 }]"
    for options in ({"variant": "base"}, {"turn_limit": 3}):
        with pytest.raises(OptionFault):
            begin(text, dict(options))


@pytest.mark.rule("GD-OPT-1", "GD-MAP-5")
def test_seat_range_is_free_on_a_map_and_fixed_in_a_position() -> None:
    assert RULES.seat_range(setting('map = "world64"\nseats = 7')) == (2, 13)
    assert RULES.seat_range(setting('map = "west16"\nseats = 3')) == (2, 4)
    assert RULES.default_seats(setting('map = "west16"\nseats = 3')) == 3
    fixed: Setting = setting("borders = [[1, 2]]\nplayers = [{ id = 0 }, { id = 1 }, { id = 2 }]")
    assert RULES.seat_range(fixed) == (3, 3)


@pytest.mark.rule("GD-NEWMAP-1")
def test_map_seed_gives_a_new_map_that_is_stored_in_the_log() -> None:
    text = "new = 20\nseats = 4\n"
    game = begin(text, {"map_seed": 7})
    first = game.log[0].events[0]
    assert isinstance(first, ev.GameStarted)
    assert len(first.world.lands) == 20
    assert first.scenario.new == 0
    assert begin(text, {"map_seed": 7}).log[0].events == game.log[0].events
    other = begin(text, {"map_seed": 8, "map_size": 30}).state.world
    assert len(other.lands) == 30
    assert RULES.seat_range(setting("new = 40\nseats = 4\n")) == (2, 5)
    with pytest.raises(OptionFault, match="new map"):
        begin('map = "west16"\nseats = 2\n', {"map_seed": 7})
