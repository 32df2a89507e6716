"""Board, status and overlays for clients."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.rulesets.weltendaemmerung import RULES
from engine.rulesets.weltendaemmerung.commands import AnyCommand
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.panels import tile_name
from engine.rulesets.weltendaemmerung.picture import FIRST_GROUND, FIRST_PIECE, OPEN_SITE, PRESENTER
from engine.rulesets.weltendaemmerung.state import Options, Site, State, Terrain, View
from engine.rulesets.weltendaemmerung.tables import units_table
from engine.tabletop.board import NOBODY, Gauge, Line
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import MarkSign, Role, Tone
from tests.rulesets.weltendaemmerung.small import DUEL, played, positions, state, texts, unit, view


def marks(seen: View, focus: Focus, sign: MarkSign) -> dict[tuple[int, int], str]:
    found = PRESENTER.overlay(seen, focus).marks
    return {(mark.x, mark.y): mark.text for mark in found if mark.sign == sign}


def test_ruleset_names_its_presenter() -> None:
    assert presenter_of(RULES) is PRESENTER


def test_every_sign_is_one_column_wide() -> None:
    for symbol in PRESENTER.symbols:
        for sign in (symbol.rich, symbol.box, symbol.ascii):
            assert len(sign) == 1
            assert unicodedata.east_asian_width(sign) not in "WF"
            assert not unicodedata.combining(sign)
        assert symbol.ascii.isascii()


@pytest.mark.rule("WD-UNIT-1")
def test_letters_are_unique_per_type_and_capitals_show_the_side() -> None:
    pieces = PRESENTER.symbols[FIRST_PIECE : FIRST_PIECE + 16]
    assert len({symbol.ascii for symbol in pieces}) == 16
    assert len({symbol.rich for symbol in pieces}) == 16
    for row, symbol in zip(units_table(), pieces, strict=True):
        assert symbol.name == row.key
        assert symbol.ascii.isupper() == (row.side == 0)
    grounds = PRESENTER.symbols[:FIRST_PIECE]
    assert not {symbol.ascii for symbol in pieces} & {symbol.ascii for symbol in grounds}


@pytest.mark.rule("WD-TERR-1")
def test_every_terrain_has_a_symbol_with_its_name() -> None:
    for terrain in Terrain:
        assert PRESENTER.symbols[FIRST_GROUND + terrain].name == terrain.name.lower()


@given(positions())
@settings(max_examples=40)
def test_board_shows_terrain_units_and_owners(position: State) -> None:
    board = PRESENTER.board(view(position), "map")
    there = {(found.x, found.y): found for found in position.units.values() if found.alive}
    for y in range(board.height):
        for x in range(board.width):
            found = there.get((x, y))
            assert board.piece[y, x] == (found.type + FIRST_PIECE if found else 0)
            assert board.owner[y, x] == (units_table()[found.type].side if found else NOBODY)
            ground = board.ground[y, x]
            if position.terrain[y, x] in WALLS:
                assert PRESENTER.symbols[ground].role == Role.WALL
            else:
                assert ground == position.terrain[y, x] + FIRST_GROUND
    assert board.scroll == "push"


def test_walls_are_lines_that_join_walls_and_gates() -> None:
    rows = ("1#H.", "#.G.", "####", "..#2")
    gate = Roster([Site(0, 2, 1)])
    seen = view(state(rows, unit(0, "eagle", 3, 0), frontier=3, sites=gate))
    board = PRESENTER.board(seen, "map")
    drawn = [
        "".join(PRESENTER.symbols[board.ground[y, x]].rich for x in range(4)) for y in range(4)
    ]
    assert drawn == ["╔═█·", "║·∩·", "╚═╬╗", "··╚╝"]
    wide = PRESENTER.symbols[board.ground[0, 0]]
    assert (wide.rich2, wide.ascii) == ("╔═", "#")


@pytest.mark.rule("WD-GATE-6", "WD-GATE-5")
def test_an_open_gate_site_is_marked_until_it_is_ruined() -> None:
    opened = replace(DUEL, terrain=DUEL.terrain.put(2, 1, Terrain.PAVEMENT))
    assert PRESENTER.board(view(opened), "map").ground[1, 2] == OPEN_SITE
    assert tile_name(view(opened), 2, 1) == "pavement (gate)"
    assert tile_name(view(DUEL), 2, 1) == "gate"
    ruined = replace(opened, sites=Roster([Site(0, 2, 1, ruined=True)]))
    plain = FIRST_GROUND + Terrain.PAVEMENT
    assert PRESENTER.board(view(ruined), "map").ground[1, 2] == plain
    assert tile_name(view(ruined), 2, 1) == "pavement"


def test_unknown_zoom_is_refused() -> None:
    with pytest.raises(ValueError, match="no zoom 'far'"):
        PRESENTER.board(view(DUEL), "far")


@pytest.mark.rule("WD-VIEW-4")
def test_cursor_starts_where_the_scenario_says() -> None:
    assert PRESENTER.start(view(replace(DUEL, cursor=(3, 1)))) == Focus(3, 1)


@pytest.mark.rule("WD-TURN-1", "WD-TURN-3")
@pytest.mark.parametrize(("phase", "name"), [(0, "Movement"), (1, "Attack"), (2, "Gates")])
def test_status_names_side_phase_and_round(phase: int, name: str) -> None:
    status = PRESENTER.status(view(replace(DUEL, phase=phase, player=1, completed=4)))
    assert (status.round, status.rounds, status.phase, status.seat) == (5, 15, name, 1)
    assert status.text == f"Dailor · {name} · round 5 of 15"
    assert not status.over


def test_status_counts_units_that_can_still_act() -> None:
    assert PRESENTER.status(view(DUEL)).todo == 2
    assert PRESENTER.status(view(DUEL)).left == "2 of 2 still to move"
    spent = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], b=0)))
    assert PRESENTER.status(view(spent)).todo == 1


@pytest.mark.rule("WD-WIN-5")
def test_no_side_is_to_act_after_the_end() -> None:
    over = replace(DUEL, winner=1, reason="commander", completed=3)
    status = PRESENTER.status(view(over))
    assert (status.seat, status.over, status.todo) == (NOBODY, True, 0)
    assert status.text == "Dailor has won in round 4"
    late = replace(DUEL, winner=0, reason="time", completed=5)
    assert PRESENTER.status(view(late)).text == "Eldoin has won after 5 rounds"


@pytest.mark.rule("WD-MOVE-7")
def test_a_carried_unit_shows_its_reach_with_prices() -> None:
    seen = view(DUEL)
    reached = marks(seen, Focus(0, 0, 0), MarkSign.REACH)
    assert reached[1, 0] == "1"
    assert reached[2, 0] == "3"
    assert (1, 1) not in reached
    assert marks(seen, Focus(0, 0, 0), MarkSign.HELD) == {(0, 0): ""}
    assert marks(seen, Focus(0, 0), MarkSign.REACH) == {}


@pytest.mark.rule("WD-ATT-2")
def test_carried_unit_shows_enemies_in_range_of_its_tile() -> None:
    assert set(marks(view(DUEL), Focus(0, 0, 0), MarkSign.TARGET)) == {(1, 1)}
    panel = texts(PRESENTER.overlay(view(DUEL), Focus(0, 0, 0)).panel)
    assert "In range here: 1 enemy" in panel
    assert marks(view(DUEL), Focus(3, 1, 2), MarkSign.TARGET) == {}


def test_units_that_can_act_are_marked_without_a_selection() -> None:
    seen = view(DUEL)
    assert set(marks(seen, Focus(3, 0), MarkSign.IDLE)) == {(0, 0), (3, 1)}
    assert marks(replace(seen, viewer=1), Focus(3, 0), MarkSign.IDLE) == {}


@pytest.mark.rule("WD-ATT-1", "WD-ATT-2", "WD-ATT-3")
def test_chosen_attacker_shows_its_range_and_chances() -> None:
    units = DUEL.units.put(replace(DUEL.units[1], v=5), replace(DUEL.units[0], b=1))
    seen = view(replace(DUEL, phase=1, units=units))
    assert marks(seen, Focus(1, 1, 0), MarkSign.TARGET) == {(1, 1): "87"}
    assert set(marks(seen, Focus(1, 1, 0), MarkSign.STRIKE)) == {(1, 0), (0, 1)}
    panel = texts(PRESENTER.overlay(seen, Focus(1, 1, 0)).panel)
    assert "Damage 4-8, mean 6\nagainst 5 life\nKills 87 % (7/8)" in panel


def test_certain_kill_has_its_own_sign() -> None:
    units = DUEL.units.put(replace(DUEL.units[1], v=4), replace(DUEL.units[0], b=1))
    seen = view(replace(DUEL, phase=1, units=units))
    assert marks(seen, Focus(1, 1, 0), MarkSign.TARGET) == {(1, 1): "X"}


@pytest.mark.rule("WD-SIEGE-3")
def test_a_siege_is_shown_as_certain() -> None:
    position = state(("#..",), unit(0, "catapult", 2, 0, b=1), phase=1, player=1)
    overlay = PRESENTER.overlay(view(position), Focus(0, 0, 0))
    assert "Breaks for certain" in texts(overlay.panel)
    assert overlay.hint == "attack here"


@pytest.mark.rule("WD-GATE-2")
def test_workable_gates_are_marked_in_the_gate_phase() -> None:
    seen = view(replace(DUEL, phase=2))
    assert set(marks(seen, Focus(0, 0), MarkSign.TARGET)) == {(2, 1)}
    assert PRESENTER.overlay(seen, Focus(2, 1)).hint == "open the gate"
    assert PRESENTER.overlay(seen, Focus(0, 0)).hint == ""
    dailor = view(replace(DUEL, phase=2, player=1))
    assert marks(dailor, Focus(0, 0), MarkSign.TARGET) == {}


@pytest.mark.rule("WD-UNIT-1")
def test_panel_shows_the_four_numbers_of_any_unit() -> None:
    hurt = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[1], v=12, b=7)))
    panel = PRESENTER.overlay(view(hurt), Focus(1, 1)).panel
    assert [line.text for line in panel[:4]] == [
        "Dailor's axe men",
        "Life 12/16",
        "Moves 7/10",
        "Range 1  Attack 4",
    ]
    assert (panel[0].tone, panel[0].seat) == (Tone.HEADING, 1)
    assert [line.gauge for line in panel[1:3]] == [Gauge(12, 16, "life"), Gauge(7, 10, "moves")]


@pytest.mark.rule("WD-TURN-4")
@pytest.mark.parametrize(("left", "said"), [(1, "ready"), (0, "done")])
def test_panel_in_the_attack_phase_shows_if_a_unit_can_attack(left: int, said: str) -> None:
    units = DUEL.units.put(replace(DUEL.units[0], b=left))
    seen = view(replace(DUEL, phase=1, units=units))
    assert f"Range 1  Attack 4, {said}" in texts(PRESENTER.overlay(seen, Focus(0, 0)).panel)


@pytest.mark.rule("WD-TERR-2")
def test_panel_shows_the_cost_of_a_tile_for_the_carried_unit() -> None:
    carried = PRESENTER.overlay(view(DUEL), Focus(1, 0, 0)).panel
    assert texts(carried).splitlines()[0] == "Forest: 2 to leave"
    free = PRESENTER.overlay(view(DUEL), Focus(1, 0)).panel
    assert texts(free) == "Forest"
    entered = replace(DUEL, options=Options(price_tile="destination"))
    panel = PRESENTER.overlay(view(entered), Focus(1, 0, 0)).panel
    assert "Forest: 2 to enter" in texts(panel)


@pytest.mark.rule("WD-TERR-4")
def test_panel_says_where_the_carried_unit_cannot_go() -> None:
    panel = PRESENTER.overlay(view(DUEL), Focus(2, 2, 0)).panel
    assert texts(panel).splitlines()[0] == "Wall: closed to it"


def test_every_panel_line_has_a_rule() -> None:
    for phase in (0, 1):
        seen = view(replace(DUEL, phase=phase))
        for focus in (Focus(0, 0), Focus(1, 1, 0), Focus(2, 1), Focus(0, 2)):
            lines = (*PRESENTER.overlay(seen, focus).panel, *PRESENTER.look(seen, focus.x, focus.y))
            assert all(line.rule for line in lines), texts(lines)


@pytest.mark.rule("WD-WIN-4")
def test_texts_mention_the_west_edge_rule() -> None:
    dailor = view(replace(DUEL, player=1))
    assert "Column 0 wins the game" in texts(PRESENTER.overlay(dailor, Focus(1, 1, 1)).panel)
    assert "west edge" in texts(PRESENTER.summary(view(DUEL)))
    assert "west edge" in texts(PRESENTER.look(view(DUEL), 0, 1))
    off = replace(DUEL, options=Options(west_edge_win="off"))
    assert "west edge" not in texts(PRESENTER.summary(view(off)))
    assert "west edge" not in texts(PRESENTER.look(view(off), 0, 1))


@pytest.mark.rule("WD-STICK-6", "WD-TURN-6")
def test_hint_shows_the_action_of_the_button() -> None:
    seen = view(DUEL)
    hints = {
        Focus(0, 0): "pick up",
        Focus(0, 0, 0): "put down",
        Focus(1, 1): "",
        Focus(0, 2): "end movement",
        Focus(3, 0): "",
    }
    for focus, hint in hints.items():
        assert PRESENTER.overlay(seen, focus).hint == hint
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.overlay(attacking, Focus(0, 0)).hint == "choose as attacker"
    assert PRESENTER.overlay(replace(seen, viewer=1), Focus(0, 0)).hint == ""


@pytest.mark.rule("WD-STICK-6", "WD-ATT-2")
def test_hint_says_attack_only_on_targets_of_the_chosen_attacker() -> None:
    attacking = view(replace(DUEL, phase=1, units=DUEL.units.put(replace(DUEL.units[0], b=1))))
    hints = {
        (x, y): PRESENTER.overlay(attacking, Focus(x, y, 0)).hint
        for y in range(attacking.terrain.height)
        for x in range(attacking.terrain.width)
    }
    struck = {at for at, hint in hints.items() if hint == "attack here"}
    assert struck == set(marks(attacking, Focus(0, 0, 0), MarkSign.TARGET))
    assert hints[0, 0] == ""


def test_settle_releases_units_that_cannot_be_held() -> None:
    seen = view(DUEL)
    assert PRESENTER.settle(seen, Focus(3, 0, 0)) == Focus(0, 0, 0)
    assert PRESENTER.settle(seen, Focus(1, 1, 1)) == Focus(1, 1)
    assert PRESENTER.settle(seen, Focus(1, 1, 99)) == Focus(1, 1)
    assert PRESENTER.settle(seen, Focus(50, -3)) == Focus(3, 0)
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.settle(attacking, Focus(3, 0, 0)) == Focus(3, 0, 0)
    spent = replace(DUEL, phase=1, units=DUEL.units.put(replace(DUEL.units[0], b=0)))
    assert PRESENTER.settle(view(spent), Focus(3, 0, 0)) == Focus(3, 0)
    dead = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], alive=False)))
    assert PRESENTER.settle(view(dead), Focus(3, 0, 0)) == Focus(3, 0)


def test_jumps_lead_to_idle_units_enemies_and_sites() -> None:
    seen = view(DUEL)
    assert PRESENTER.jumps(seen, Focus(0, 0), "idle") == ((0, 0), (3, 1))
    assert PRESENTER.jumps(seen, Focus(0, 0), "enemy") == ((1, 1),)
    assert PRESENTER.jumps(seen, Focus(0, 0), "site") == ((2, 1),)
    assert PRESENTER.jumps(seen, Focus(0, 0), "nonsense") == ()
    assert PRESENTER.jumps(replace(seen, viewer=1), Focus(0, 0), "enemy") == ((0, 0), (3, 1))


def test_jumps_lead_to_the_targets_of_a_chosen_attacker() -> None:
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.jumps(attacking, Focus(0, 0, 0), "enemy") == ((1, 1),)
    assert PRESENTER.jumps(attacking, Focus(3, 1, 2), "enemy") == ()


def _may_wrap(line: Line) -> bool:
    """Return whether a line may wrap: the list of strikers, and headings with names of units."""
    return line.tone is Tone.HEADING or line.text.startswith("by ")


@given(positions(), st.integers(-1, 8), st.integers(-1, 8), st.integers(-1, 6))
@settings(max_examples=60)
def test_every_view_can_be_drawn_for_every_viewer(
    position: State, x: int, y: int, held: int
) -> None:
    for viewer in (0, 1, -2, -3):
        seen = RULES.view(position, viewer)
        focus = PRESENTER.settle(seen, Focus(x, y, held))
        assert PRESENTER.settle(seen, focus) == focus
        overlay = PRESENTER.overlay(seen, focus)
        assert all(seen.terrain.has(mark.x, mark.y) for mark in overlay.marks)
        assert all(len(mark.text) <= 2 for mark in overlay.marks)
        assert all(len(line.text) <= 25 for line in overlay.panel if not _may_wrap(line))
        assert PRESENTER.look(seen, focus.x, focus.y)
        assert PRESENTER.summary(seen)
        push = PRESENTER.fire(seen, focus)
        assert seen.terrain.has(push.focus.x, push.focus.y)


def test_whole_game_can_be_described_and_shown() -> None:
    position, step = replace(DUEL, rounds=2), 0
    while position.winner < 0:
        seen = view(position)
        offers: list[AnyCommand] = list(RULES.offers(seen))
        command = offers[(7 * step) % len(offers)]
        step += 1
        for event in RULES.decide(position, position.player, command, Seeded(b"", step, "decide")):
            position = RULES.evolve(position, event)
            assert PRESENTER.tell(event, view(position))
        assert PRESENTER.status(view(position)).text
    assert "wins" in texts(PRESENTER.summary(view(position)))


def test_undo_moves_the_cursor_back_to_the_carried_unit() -> None:
    after = played(DUEL, "step unit=0 direction=right")
    assert PRESENTER.settle(view(after), Focus(0, 0, 0)) == Focus(1, 0, 0)
    assert PRESENTER.settle(view(DUEL), Focus(1, 0, 0)) == Focus(0, 0, 0)
