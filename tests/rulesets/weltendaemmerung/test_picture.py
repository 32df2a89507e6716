"""What clients are shown and told."""

from __future__ import annotations

import unicodedata
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.dice import Seeded
from engine.core.record import replace
from engine.rulesets.weltendaemmerung import RULES, events
from engine.rulesets.weltendaemmerung.commands import AnyCommand
from engine.rulesets.weltendaemmerung.events import AnyEvent
from engine.rulesets.weltendaemmerung.picture import PRESENTER
from engine.rulesets.weltendaemmerung.sentences import terrain_name
from engine.rulesets.weltendaemmerung.state import (
    Options,
    Reason,
    Site,
    State,
    Terrain,
    View,
)
from engine.rulesets.weltendaemmerung.symbols import FIRST_GROUND, FIRST_PIECE, OPEN_SITE
from engine.rulesets.weltendaemmerung.tables import units_table
from engine.tabletop.ask import AskConfirm, AskPlace
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.focus import Focus
from engine.tabletop.presenter import presenter_of
from engine.tabletop.roles import Sign
from tests.rulesets.weltendaemmerung.small import is_allowed, played, positions, state, unit, view

DUEL = state(
    (".f..", "s.G.", "E.##"),
    unit(0, "sword", 0, 0),
    unit(1, "axe", 1, 1),
    unit(2, "lord_e", 3, 1),
    frontier=3,
    sites=Roster([Site(0, 2, 1)]),
)


def texts(lines: tuple[Line, ...]) -> str:
    return "\n".join(line.text for line in lines)


def marks(seen: View, focus: Focus, sign: Sign) -> dict[tuple[int, int], str]:
    found = PRESENTER.overlay(seen, focus).marks
    return {(mark.x, mark.y): mark.text for mark in found if mark.sign == sign}


def test_the_ruleset_names_its_presenter() -> None:
    assert presenter_of(RULES) is PRESENTER


def test_every_sign_is_one_column_wide() -> None:
    for symbol in PRESENTER.symbols:
        for sign in (symbol.rich, symbol.box, symbol.ascii):
            assert len(sign) == 1
            assert unicodedata.east_asian_width(sign) not in "WF"
            assert not unicodedata.combining(sign)
        assert symbol.ascii.isascii()


@pytest.mark.rule("WD-UNIT-1")
def test_letters_tell_types_apart_and_capitals_tell_the_sides() -> None:
    pieces = PRESENTER.symbols[FIRST_PIECE : FIRST_PIECE + 16]
    assert len({symbol.ascii for symbol in pieces}) == 16
    assert len({symbol.rich for symbol in pieces}) == 16
    for row, symbol in zip(units_table(), pieces, strict=True):
        assert symbol.name == row.key
        assert symbol.ascii.isupper() == (row.side == 0)
    grounds = PRESENTER.symbols[:FIRST_PIECE]
    assert not {symbol.ascii for symbol in pieces} & {symbol.ascii for symbol in grounds}


@pytest.mark.rule("WD-TERR-1")
def test_every_terrain_has_a_symbol_of_its_name() -> None:
    for terrain in Terrain:
        assert PRESENTER.symbols[FIRST_GROUND + terrain].name == terrain.name.lower()


@given(positions())
@settings(max_examples=40)
def test_the_board_shows_terrain_units_and_owners(position: State) -> None:
    board = PRESENTER.board(view(position), "map")
    there = {(found.x, found.y): found for found in position.units.values() if found.alive}
    for y in range(board.height):
        for x in range(board.width):
            found = there.get((x, y))
            assert board.piece[y, x] == (found.type + FIRST_PIECE if found else 0)
            assert board.owner[y, x] == (units_table()[found.type].side if found else NOBODY)
            assert board.ground[y, x] == position.terrain[y, x] + FIRST_GROUND
    assert board.scroll == "push"


@pytest.mark.rule("WD-GATE-6", "WD-GATE-5")
def test_an_open_gate_site_is_marked_until_it_is_ruined() -> None:
    opened = replace(DUEL, terrain=DUEL.terrain.put(2, 1, Terrain.PAVEMENT))
    assert PRESENTER.board(view(opened), "map").ground[1, 2] == OPEN_SITE
    assert terrain_name(view(opened), 2, 1) == "pavement (Tor)"
    assert terrain_name(view(DUEL), 2, 1) == "gate"
    ruined = replace(opened, sites=Roster([Site(0, 2, 1, ruined=True)]))
    plain = FIRST_GROUND + Terrain.PAVEMENT
    assert PRESENTER.board(view(ruined), "map").ground[1, 2] == plain
    assert terrain_name(view(ruined), 2, 1) == "pavement"


def test_a_zoom_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no zoom 'far'"):
        PRESENTER.board(view(DUEL), "far")


@pytest.mark.rule("WD-VIEW-4")
def test_the_cursor_starts_where_the_scenario_says() -> None:
    assert PRESENTER.start(view(replace(DUEL, cursor=(3, 1)))) == Focus(3, 1)


@pytest.mark.rule("WD-TURN-1", "WD-TURN-3")
@pytest.mark.parametrize(
    ("phase", "name"), [(0, "Bewegungsphase"), (1, "Angriffsphase"), (2, "Torphase")]
)
def test_the_status_names_side_phase_and_round(phase: int, name: str) -> None:
    status = PRESENTER.status(view(replace(DUEL, phase=phase, player=1, completed=4)))
    assert (status.round, status.rounds, status.phase, status.seat) == (5, 15, name, 1)
    assert status.text == f"Dailor {name}, round 5 of 15"
    assert not status.over


def test_the_status_counts_the_units_that_can_still_act() -> None:
    assert PRESENTER.status(view(DUEL)).todo == 2
    spent = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], b=0)))
    assert PRESENTER.status(view(spent)).todo == 1


@pytest.mark.rule("WD-WIN-5")
def test_after_the_end_nobody_is_to_act() -> None:
    over = replace(DUEL, winner=1, reason="commander", completed=3)
    status = PRESENTER.status(view(over))
    assert (status.seat, status.over, status.todo) == (NOBODY, True, 0)
    assert status.text == "Dailor has won after 3 rounds"


@pytest.mark.rule("WD-MOVE-7")
def test_a_carried_unit_shows_its_reach_with_prices() -> None:
    seen = view(DUEL)
    reached = marks(seen, Focus(0, 0, 0), Sign.REACH)
    assert reached[1, 0] == "1"
    assert reached[2, 0] == "3"
    assert (1, 1) not in reached
    assert marks(seen, Focus(0, 0, 0), Sign.HELD) == {(0, 0): ""}
    assert marks(seen, Focus(0, 0), Sign.REACH) == {}


def test_with_nothing_held_the_units_that_can_act_are_marked() -> None:
    seen = view(DUEL)
    assert set(marks(seen, Focus(3, 0), Sign.IDLE)) == {(0, 0), (3, 1)}
    assert marks(replace(seen, viewer=1), Focus(3, 0), Sign.IDLE) == {}


@pytest.mark.rule("WD-ATT-1", "WD-ATT-2", "WD-ATT-3")
def test_a_chosen_attacker_shows_its_strike_and_the_chance_on_each_target() -> None:
    units = DUEL.units.put(replace(DUEL.units[1], v=5), replace(DUEL.units[0], b=1))
    seen = view(replace(DUEL, phase=1, units=units))
    assert marks(seen, Focus(1, 1, 0), Sign.TARGET) == {(1, 1): "87"}
    assert set(marks(seen, Focus(1, 1, 0), Sign.STRIKE)) == {(1, 0), (0, 1)}
    panel = texts(PRESENTER.overlay(seen, Focus(1, 1, 0)).panel)
    assert "Damage 4 to 8, mean 6, of 5 life" in panel
    assert "Destroys: 7 of 8 (87 %)" in panel


def test_a_certain_kill_has_a_sign_of_its_own() -> None:
    units = DUEL.units.put(replace(DUEL.units[1], v=4), replace(DUEL.units[0], b=1))
    seen = view(replace(DUEL, phase=1, units=units))
    assert marks(seen, Focus(1, 1, 0), Sign.TARGET) == {(1, 1): "X"}


@pytest.mark.rule("WD-SIEGE-3")
def test_a_siege_is_shown_as_certain() -> None:
    position = state(("#..",), unit(0, "catapult", 2, 0, b=1), phase=1, player=1)
    overlay = PRESENTER.overlay(view(position), Focus(0, 0, 0))
    assert "Breaks for certain" in texts(overlay.panel)
    assert overlay.hint == "attack here"


@pytest.mark.rule("WD-GATE-2")
def test_in_the_torphase_the_gates_that_may_be_worked_are_marked() -> None:
    seen = view(replace(DUEL, phase=2))
    assert set(marks(seen, Focus(0, 0), Sign.TARGET)) == {(2, 1)}
    assert PRESENTER.overlay(seen, Focus(2, 1)).hint == "open the gate"
    assert PRESENTER.overlay(seen, Focus(0, 0)).hint == ""
    dailor = view(replace(DUEL, phase=2, player=1))
    assert marks(dailor, Focus(0, 0), Sign.TARGET) == {}


@pytest.mark.rule("WD-UNIT-1")
def test_the_panel_gives_the_four_numbers_of_a_unit_of_either_side() -> None:
    panel = PRESENTER.overlay(view(DUEL), Focus(1, 1)).panel
    assert "Dailor: axe men (unit 1)" in texts(panel)
    assert "R=1 B=10 A=4 V=16" in texts(panel)
    assert panel[-1].seat == 1


@pytest.mark.rule("WD-TERR-2")
def test_the_panel_prices_the_tile_for_the_carried_unit() -> None:
    forest = PRESENTER.overlay(view(DUEL), Focus(1, 0, 0)).panel[0].text
    assert forest == "forest 1,0, price 2"
    assert PRESENTER.overlay(view(DUEL), Focus(1, 0)).panel[0].text == "forest 1,0"


@pytest.mark.rule("WD-WIN-4")
def test_players_are_told_of_the_west_edge() -> None:
    dailor = view(replace(DUEL, player=1))
    assert "Column 0 wins the game" in texts(PRESENTER.overlay(dailor, Focus(1, 1, 1)).panel)
    assert "west edge" in texts(PRESENTER.summary(view(DUEL)))
    assert "west edge" in texts(PRESENTER.look(view(DUEL), 0, 1))
    off = replace(DUEL, options=Options(west_edge_win="off"))
    assert "west edge" not in texts(PRESENTER.summary(view(off)))
    assert "west edge" not in texts(PRESENTER.look(view(off), 0, 1))


@pytest.mark.rule("WD-STICK-6", "WD-TURN-6")
def test_the_hint_says_what_the_button_would_do() -> None:
    seen = view(DUEL)
    hints = {
        Focus(0, 0): "pick up",
        Focus(0, 0, 0): "put down",
        Focus(1, 1): "",
        Focus(0, 2): "end the Bewegungsphase",
        Focus(3, 0): "",
    }
    for focus, hint in hints.items():
        assert PRESENTER.overlay(seen, focus).hint == hint
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.overlay(attacking, Focus(0, 0)).hint == "choose as attacker"
    assert PRESENTER.overlay(replace(seen, viewer=1), Focus(0, 0)).hint == ""


def test_settling_lets_go_of_what_cannot_be_held() -> None:
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


def test_while_an_attacker_is_chosen_jumps_lead_to_its_targets() -> None:
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.jumps(attacking, Focus(0, 0, 0), "enemy") == ((1, 1),)
    assert PRESENTER.jumps(attacking, Focus(3, 1, 2), "enemy") == ()


@given(positions(), st.data())
@settings(max_examples=60)
def test_every_dialogue_ends_in_a_line_the_rules_accept(
    position: State, data: st.DataObject
) -> None:
    seen = view(position)
    width, height = position.terrain.width, position.terrain.height
    focus = Focus(data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1)))
    for intent in PRESENTER.intents(seen, focus):
        answers: list[str] = []
        asked = PRESENTER.ask(seen, focus, intent.name, answers)
        while not isinstance(asked, str):
            if isinstance(asked, AskPlace):
                assert len(asked.labels) in (0, len(asked.cells))
                assert bool(asked.cells) == (intent.reason == "")
                if not asked.cells:
                    break
                x, y = data.draw(st.sampled_from(asked.cells))
                answers.append(f"{x},{y}")
            else:
                assert isinstance(asked, AskConfirm)
                answers.append("yes")
            asked = PRESENTER.ask(seen, focus, intent.name, answers)
        if isinstance(asked, str):
            assert is_allowed(position, asked, 1)


@pytest.mark.rule("WD-MOVE-7")
def test_moving_asks_for_a_tile_and_writes_the_path() -> None:
    seen = view(DUEL)
    asked = PRESENTER.ask(seen, Focus(0, 0), "move-to", [])
    assert isinstance(asked, AskPlace)
    assert dict(zip(asked.cells, asked.labels, strict=True))[2, 0] == "3"
    line = PRESENTER.ask(seen, Focus(0, 0), "move-to", ["2,0"])
    assert line == "move unit=0 path=1,0>2,0"
    assert isinstance(PRESENTER.ask(seen, Focus(0, 0), "move-to", ["nonsense"]), AskPlace)
    assert isinstance(PRESENTER.ask(seen, Focus(0, 0), "move-to", ["1,1"]), AskPlace)


@pytest.mark.rule("WD-ATT-1")
def test_attacking_asks_for_a_target_and_then_shows_the_forecast() -> None:
    seen = view(replace(DUEL, phase=1))
    asked = PRESENTER.ask(seen, Focus(0, 0), "attack", [])
    assert isinstance(asked, AskPlace)
    assert (asked.cells, asked.labels) == (((1, 1),), ("0",))
    confirm = PRESENTER.ask(seen, Focus(0, 0), "attack", ["1,1"])
    assert isinstance(confirm, AskConfirm)
    assert confirm.title == "Sword bearers: attack axe men at 1,1?"
    assert "Destroys: 0 of 8 (0 %)" in texts(confirm.lines)
    assert PRESENTER.ask(seen, Focus(0, 0), "attack", ["1,1", "yes"]) == "attack unit=0 at=1,1"


@pytest.mark.rule("WD-TURN-5")
def test_ending_a_phase_names_the_units_that_could_still_act() -> None:
    asked = PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", [])
    assert isinstance(asked, AskConfirm)
    assert asked.title == "End the Bewegungsphase?"
    assert texts(asked.lines).splitlines() == [
        "2 units could still act:",
        "sword bearers at 0,0",
        "commander at 3,1",
    ]
    assert PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", ["yes"]) == "end-phase"
    assert isinstance(PRESENTER.ask(view(DUEL), Focus(0, 0), "end-phase", ["no"]), AskConfirm)


def test_a_long_list_of_idle_units_is_cut_and_counted() -> None:
    units = [unit(number, "sword", number, 0) for number in range(9)]
    asked = PRESENTER.ask(view(state(("." * 9, "." * 9), *units)), Focus(0, 0), "end-phase", [])
    assert isinstance(asked, AskConfirm)
    assert len(asked.lines) == 8
    assert asked.lines[-1].text == "and 3 more"


@pytest.mark.rule("WD-GATE-3")
def test_the_gate_under_the_cursor_is_worked_without_a_question() -> None:
    seen = view(replace(DUEL, phase=2))
    assert PRESENTER.ask(seen, Focus(2, 1), "gate", []) == "gate at=2,1"
    asked = PRESENTER.ask(seen, Focus(0, 0), "gate", [])
    assert isinstance(asked, AskPlace)
    assert asked.cells == ((2, 1),)
    assert PRESENTER.ask(seen, Focus(0, 0), "gate", ["2,1"]) == "gate at=2,1"


@pytest.mark.parametrize(
    ("focus", "reason"),
    [(Focus(3, 0), "None of your units is here."), (Focus(1, 1), "None of your units is here.")],
)
def test_intents_say_why_something_cannot_be_done(focus: Focus, reason: str) -> None:
    assert PRESENTER.intents(view(DUEL), focus)[0].reason == reason
    attacking = view(replace(DUEL, phase=1))
    assert PRESENTER.intents(attacking, focus)[0].reason == reason


def test_intents_know_spent_and_hemmed_in_units_and_the_other_side_s_turn() -> None:
    spent = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], b=0)))
    first = PRESENTER.intents(view(spent), Focus(0, 0))[0]
    assert first.reason == "It has no points left."
    spent_attack = view(replace(spent, phase=1))
    assert PRESENTER.intents(spent_attack, Focus(0, 0))[0].reason == "It has made its attack."
    hemmed = state(("^.^", "###"), unit(0, "sword", 1, 0))
    assert PRESENTER.intents(view(hemmed), Focus(1, 0))[0].reason == "It is hemmed in."
    waiting = replace(view(DUEL), viewer=1)
    assert {intent.reason for intent in PRESENTER.intents(waiting, Focus(0, 0))} == {
        "Eldoin is to act."
    }
    over = replace(view(DUEL), winner=0)
    assert {intent.reason for intent in PRESENTER.intents(over, Focus(0, 0))} == {
        "The game is over."
    }


def test_an_intent_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="no intent 'dance'"):
        PRESENTER.ask(view(DUEL), Focus(0, 0), "dance", [])


@pytest.mark.rule("WD-GATE-2", "WD-GATE-5", "WD-GATE-6")
def test_looking_at_a_tile_tells_terrain_unit_and_site() -> None:
    gate = texts(PRESENTER.look(view(DUEL), 2, 1))
    assert gate == "2,1: gate.\nThis gate site is Eldoin's to work in the Torphase."
    ruined = replace(DUEL, sites=Roster([Site(0, 2, 1, ruined=True)]))
    assert "ruined for ever" in texts(PRESENTER.look(view(ruined), 2, 1))
    axe = texts(PRESENTER.look(view(DUEL), 1, 1))
    assert "Dailor's axe men: R=1 B=10 A=4 V=16." in axe


EVENTS: tuple[AnyEvent, ...] = (
    events.GameSet(
        scenario=RULES.position(DUEL),
        rounds=15,
        options=Options(),
        terrain=DUEL.terrain,
        units=DUEL.units.rows(),
        sites=DUEL.sites.rows(),
    ),
    events.UnitStepped(unit=0, x=1, y=0, b_left=9),
    events.AttackMade(unit=0, victim=1, index=3, modifier=2, damage=6, v_left=10, b_left=0),
    events.UnitDestroyed(unit=1),
    events.BuildingBroken(unit=1, x=2, y=1, terrain=Terrain.PAVEMENT, site=0, b_left=0),
    events.GateShut(site=0, x=2, y=1, terrain=Terrain.GATE),
    events.GateOpened(site=0, x=2, y=1, terrain=Terrain.PAVEMENT),
    events.AttacksGiven(),
    events.PointsRestored(),
    events.RoundEnded(completed=4),
    events.PhaseBegan(phase=0, player=0),
    events.GameWon(side=1, reason="commander"),
)

TOLD = {
    "GameSet": "Dailor wins as soon as Eldoin's commander is destroyed.",
    "UnitStepped": "Eldoin's sword bearers went to 1,0, 9 points left.",
    "AttackMade": "Eldoin's sword bearers hit Dailor's axe men at 1,1 for 6 (4 + 2), 10 life left.",
    "UnitDestroyed": "Dailor's axe men fell at 1,1.",
    "BuildingBroken": "Dailor's axe men broke the gate at 2,1; its site is ruined for ever.",
    "GateShut": "The gate at 2,1 is shut.",
    "GateOpened": "The gate at 2,1 is open: pavement now.",
    "AttacksGiven": "Every unit has one attack.",
    "PointsRestored": "Every unit has its full points again.",
    "RoundEnded": "Zug 4 of 15 is over.",
    "PhaseBegan": "Eldoin: Bewegungsphase.",
    "GameWon": "Eldoin's commander is destroyed.",
}


def test_the_told_events_are_all_there_are() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(AnyEvent))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_is_told_in_plain_sentences(event: AnyEvent) -> None:
    lines = PRESENTER.tell(event, view(DUEL))
    assert TOLD[type(event).__name__] in texts(lines)
    assert "!" not in texts(lines)
    assert any(line.rule.startswith("WD-") for line in lines)


@pytest.mark.rule("WD-WIN-1", "WD-WIN-2", "WD-WIN-3", "WD-WIN-4")
@pytest.mark.parametrize(
    ("reason", "winner", "text"),
    [
        ("commander", 1, "Eldoin's commander is destroyed."),
        ("annihilation", 0, "The last unit of Dailor is destroyed."),
        ("time", 0, "The last round is over and Eldoin still stands."),
        ("west_edge", 1, "A unit of Dailor reached the west edge."),
    ],
)
def test_the_summary_says_who_won_and_why(reason: Reason, winner: int, text: str) -> None:
    over = replace(DUEL, winner=winner, reason=reason, completed=2)
    lines = PRESENTER.summary(view(over))
    assert lines[0].text == text
    assert lines[0].rule.startswith("WD-WIN-")
    name = ("Eldoin", "Dailor")[winner]
    assert lines[1].text == f"{name} wins: the new lords of Thainfal."


def test_the_summary_counts_units_and_life_of_both_sides() -> None:
    fallen = replace(DUEL, units=DUEL.units.put(replace(DUEL.units[0], alive=False)), completed=1)
    lines = texts(PRESENTER.summary(view(fallen))).splitlines()
    assert lines == [
        "Eldoin Bewegungsphase, round 2 of 15.",
        "Eldoin: 1 of 2 units, 16 life.",
        "Dailor: 1 of 1 units, 16 life.",
    ]


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
        assert PRESENTER.look(seen, focus.x, focus.y)
        assert PRESENTER.summary(seen)
        push = PRESENTER.fire(seen, focus)
        assert seen.terrain.has(push.focus.x, push.focus.y)


def test_a_played_game_can_be_told_and_shown_from_the_first_event_to_the_last() -> None:
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


def test_undoing_a_step_brings_the_cursor_back_to_the_carried_unit() -> None:
    after = played(DUEL, "step unit=0 direction=right")
    assert PRESENTER.settle(view(after), Focus(0, 0, 0)) == Focus(1, 0, 0)
    assert PRESENTER.settle(view(DUEL), Focus(1, 0, 0)) == Focus(0, 0, 0)
