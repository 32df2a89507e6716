"""Descriptions of a territory, as sentences and in the panel."""

from __future__ import annotations

import pytest

from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.record import replace
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6.cards import forces, strength_lines
from engine.rulesets.gd6.commands import (
    AnyOrder,
    Build,
    Buy,
    Move,
    UseCrop,
    UseDynamite,
    UseToxic,
)
from engine.rulesets.gd6.descriptions import WIDTH, look, panel
from engine.rulesets.gd6.forces import foreseen, price, threat
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.territories import letter, statistics
from engine.tabletop.board import Gauge, Line
from engine.tabletop.manual import manual
from engine.tabletop.roles import Tone
from tests.rulesets.gd6.table import begin, say, seal
from tests.rulesets.gd6.words_table import BLUE, GREEN, MIDDLE, RED, told, walked


def seen(viewer: Viewer, *lines: str) -> View:
    """Return a viewer's view of the position after some lines of blue."""
    game = begin(MIDDLE)
    if lines:
        say(game, BLUE, *lines)
    return game.view(viewer)


def words(lines: tuple[Line, ...]) -> list[str]:
    return [line.text for line in lines]


# -- look ----------------------------------------------------------------------------------------


@pytest.mark.rule("GD-SECRET-1", "GD-INVADE-5")
def test_foreign_land_shows_the_cost_of_taking_it() -> None:
    view = seen(BLUE)
    near = replace(view.territories[3], owner=BLUE, army=5)
    assert words(look(replace(view, territories=view.territories.put(near)), 4)) == [
        "Territory 4: land of red (B), loyalty 2.",
        "3 armies and 1 cavalry stand here.",
        "A headquarters, settled by red (B).",
        "A watchtower: invaders lose 2 more.",
        "9 armies take it if nobody else moves, 8 make it neutral.",
        "You have 5 armies at territory 3.",
        "Beside it: territory 3, yours; territory 5 of red (B).",
    ]


@pytest.mark.rule("GD-SECRET-1")
def test_own_land_shows_neighbours_prices_and_orders() -> None:
    view = seen(BLUE, "move path=2>3 count=2", "spawn at=2 count=1")
    near = replace(view.territories[3], owner=RED, army=1)
    assert words(look(replace(view, territories=view.territories.put(near)), 2)) == [
        "Territory 2: land of blue (A), loyalty 1.",
        "2 armies and 1 heavy stand here.",
        "One rival could send the strength of 5 armies here in this turn.",
        "Beside it: territory 1, yours; territory 3 of red (B), 2 armies take it.",
        "Your line 1: raise 1 army at territory 2.",
        "Your line 2: send 2 armies from territory 2 to territory 3.",
        "Your line 3: raise 1 army at territory 2.",
    ]


@pytest.mark.rule("GD-STEP-4")
def test_neutral_land_takes_one_army() -> None:
    assert words(look(seen(BLUE), 3)) == [
        "Territory 3: neutral.",
        "One army takes it if nobody else comes.",
        "You have 2 armies and 1 heavy at territory 2.",
        "Beside it: territory 2, yours; territory 4 of red (B); territory 9, neutral.",
    ]


@pytest.mark.rule("GD-HQ-2")
def test_unsettled_seat_sees_the_possible_sites() -> None:
    game = begin(MIDDLE.replace("{ id = 2, ip = 7 }", "{ id = 2, ip = 7 }, { id = 3 }"))
    for at in (9, 7, 4):
        assert "No site: owned, or too near to a headquarters." in words(look(game.view(3), at))
        assert "no site" in words(panel(game.view(3), at))
    empty = begin("borders = [[1, 2], [2, 3], [3, 4], [4, 5]]\nseats = 2").view(0)
    assert words(look(empty, 2))[1] == "You can settle here."
    assert words(panel(empty, 2)) == [
        "Territory 2",
        "neutral",
        "you can settle here",
        "0 IP",
        "0 lines",
    ]


def test_region_is_named_unless_it_equals_the_land() -> None:
    view = walked("west", 0).view(PUBLIC)
    assert look(view, 14)[0].text == "14 Eastfen, Westreach: neutral."
    assert look(view, 15)[0].text == "15 Longisle: neutral."


def test_sea_is_described_as_sea() -> None:
    (line,) = look(seen(BLUE), 0)
    assert line.text.startswith("The sea.")
    assert line.rule


@pytest.mark.rule("GD-MINE-5", "GD-SECRET-4")
@pytest.mark.parametrize(
    ("viewer", "mined"),
    [(BLUE, False), (RED, True), (PUBLIC, False), (REFEREE, True)],
)
def test_secret_mines_are_visible_to_their_owner(viewer: Viewer, mined: bool) -> None:
    assert any("mines" in text for text in words(look(seen(viewer), 5))) == mined
    assert any("mine" in text for text in words(panel(seen(viewer), 5))) == mined
    spy = any("spy" in text for text in words(look(seen(viewer), 1)))
    assert spy == (viewer in (BLUE, REFEREE))


def test_spectators_see_no_prices() -> None:
    said = " ".join(words(look(seen(PUBLIC), 4)))
    assert "take it" not in said
    assert "Your" not in said


@pytest.mark.rule("GD-INVADE-5", "GD-UNIT-3")
def test_heavy_counts_for_two_in_the_price() -> None:
    view = seen(BLUE)
    manned = replace(view.territories[4], army=1, cavalry=0, heavy=1)
    said = words(look(replace(view, territories=view.territories.put(manned)), 4))
    assert "8 armies take it if nobody else moves, 7 make it neutral." in said


# -- panel ---------------------------------------------------------------------------------------


def test_panel_lists_the_territory_then_purse_and_orders() -> None:
    view = seen(BLUE, "move path=2>3 count=1")
    assert words(panel(view, 2)) == [
        "Territory 2",
        "blue (A), you",
        "loyalty 1",
        "2 armies",
        "1 heavy",
        "60 IP",
        "income 10 IP",
        "1 crop supply",
        "2 dynamite",
        "to raise: 1 of 2",
        "2 lines, 8 idle",
        "1. raise 1",
        "2. 2>3: 1",
        "If it stays so",
        "Garrison 5",
        "One rival 4",
    ]


@pytest.mark.rule("GD-MOVE-2", "GD-INVADE-5")
@pytest.mark.parametrize(
    ("seat", "at", "title", "words_of"),
    [(BLUE, 2, "If it stays so", 0), (BLUE, 4, "To take it", 1)],
)
def test_strength_lines_match_the_forecasts(seat: int, at: int, title: str, words_of: int) -> None:
    view = seen(seat)
    lines = list(strength_lines(view, at))
    assert lines[0].text == title
    aims = price(view, at)
    here = aims.take if aims is not None else 5
    there = foreseen(view).reach(BLUE, at) if words_of else threat(view, at)
    assert [int(line.text.split()[-1]) for line in lines[1:3]] == [here, there]
    assert [line.gauge for line in lines[1:3]] == [
        Gauge(value, max(here, there), "force") for value in (here, there)
    ]


def test_forces_count_units_of_seats_with_land() -> None:
    view = seen(BLUE)
    lines = forces(view)
    known = statistics(view)
    counted = {line.text for line in lines[1:]}
    for seat, player in enumerate(view.players.values()):
        name = player.name or letter(seat)
        if known["territories"][seat]:
            assert f"{name}: territories {known['territories'][seat]}" in counted
            assert f"{name}: units {known['units'][seat]}" in counted


@pytest.mark.rule("GD-INVADE-5")
def test_panel_of_foreign_land_shows_its_price() -> None:
    said = words(panel(seen(GREEN), 4))
    assert said[:7] == [
        "Territory 4",
        "red (B)",
        "loyalty 2",
        "3 armies",
        "1 cavalry",
        "headquarters of B",
        "watchtower",
    ]
    assert said[7] == "taken by 9 armies"


@pytest.mark.rule("GD-CHECK-2", "GD-BIND-1")
def test_panel_shows_refused_and_reduced_orders() -> None:
    view = seen(BLUE, 'list lines="move path=2>3 count=9">"spawn at=2 count=7">"buy item=crop"')
    lines = panel(view, 2)
    said = words(lines)
    assert "only 2 are there" in said
    assert " ".join(said).count("refused: Armies to be spawned: 7; allowed: 2.") == 1
    whole = lines[said.index("refused: 2") :][:2]
    assert words(whole) == ["refused: 2", "short: 1"]
    assert {line.tone for line in whole} == {Tone.BAD}
    assert said[-2:] == ["elsewhere", "3. buy crop supply"]
    elsewhere = words(panel(view, 9))
    assert elsewhere[-4:] == ["elsewhere", "1. 2>3: 9", "2! 2 raise 7", "3. buy crop supply"]
    assert "refused: 2" in elsewhere
    assert "only 2 are there" not in elsewhere
    assert "60 IP, 30 unspent" in elsewhere


def test_orders_elsewhere_name_their_place_once() -> None:
    view = seen(BLUE)
    orders = (UseCrop(((2, 1),)), UseDynamite(2, 4), UseToxic(2, 4), Build(2, "library"))
    own = replace(view.players[BLUE], orders=orders)
    said = words(panel(replace(view, players=view.players.put(own)), 9))
    found = [text.split(maxsplit=1)[1] for text in said[said.index("elsewhere") + 1 :]]
    assert found == ["crops 2+1", "blast 2>4", "poison 2>4", "2 build library"]


def test_held_units_are_listed_above_the_target() -> None:
    said = words(panel(seen(BLUE), 3, held=1))
    assert said[2:5] == ["from territory 1", "  4 armies", "  1 spy"]
    assert "from territory 1" not in words(panel(seen(RED), 3, held=99))


def test_sealed_list_shows_no_checks() -> None:
    game = begin(MIDDLE)
    seal(game, BLUE)
    said = words(panel(game.view(BLUE), 2))
    assert said[said.index("list sealed") + 1] == "1. raise 1"
    assert "60 IP" in said


@pytest.mark.rule("GD-SECRET-2")
def test_panel_of_another_seat_hides_purse_and_orders() -> None:
    for viewer in (PUBLIC, REFEREE):
        assert words(panel(seen(viewer, "move path=2>3 count=1"), 2)) == [
            "Territory 2",
            "blue (A)",
            "loyalty 1",
            "2 armies",
            "1 heavy",
        ]
    assert not any(">" in text for text in words(panel(seen(RED, "move path=2>3 count=1"), 2)))


@pytest.mark.rule("GD-SECRET-2")
@pytest.mark.parametrize("viewer", [RED, PUBLIC])
def test_descriptions_do_not_depend_on_secrets_of_others(viewer: Viewer) -> None:
    state = begin(MIDDLE).state
    orders: tuple[AnyOrder, ...] = (Buy("crop"), Move((1, 2), 3))
    rich = replace(state.players[BLUE], ip=999, crop=4, orders=orders)
    hidden = replace(state.territories[1], spy=7, mines=3, laid=((BLUE, 3),))
    twin = replace(
        state, players=state.players.put(rich), territories=state.territories.put(hidden)
    )
    for at in range(10):
        views = [RULES.view(one, viewer) for one in (state, twin)]
        assert look(views[0], at) == look(views[1], at)
        assert panel(views[0], at) == panel(views[1], at)


@pytest.mark.parametrize("name", ["world", "isthmus", "spies"])
def test_lines_of_whole_games_are_short_and_cite_rules(name: str) -> None:
    known = {rule.id for chapter in manual("engine.rulesets.gd6") for rule in chapter.rules}
    game = walked(name, 60, "looks")
    for viewer in (0, 1, PUBLIC):
        view = game.view(viewer)
        for at in (0, *view.territories):
            for line in (*look(view, at), *panel(view, at, held=1)):
                assert line.text.strip()
                assert "\n" not in line.text
                assert line.rule in known
            assert all(len(line.text) <= WIDTH for line in panel(view, at, held=1))


def test_views_in_mid_turn_can_be_described() -> None:
    for each in told(walked("spies", 40, "middle"), (0, PUBLIC)):
        for at in (1, 3, 5):
            assert look(each.after, at)
            assert panel(each.after, at)
