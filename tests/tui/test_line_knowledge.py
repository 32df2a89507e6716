"""Line mode: what it says about dangers, targets, goals and the past is true and has names."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from tests.tui.test_line_mode import FORD, LONE, Played, said
from tests.tui.test_line_questions import BEFORE_ATTACK, DUEL, MARCH
from tui.play.setup import NewGame


def test_dangers_of_tiles_have_names_and_numbers(tmp_path: Path) -> None:
    script = [*BEFORE_ATTACK, "danger b1", "go b2", "layer chances", "go b1", "quit"]
    text = Played(tmp_path, DUEL, script).text
    told = " ".join(said(text, "danger b1").split())
    assert told.startswith("B1: best chance of an enemy beside your tile")
    assert "in percent: The Weald from B2, " in told
    assert told.rstrip(".")[-1] == "%"
    assert said(text, "layer chances") == "B2: 44%. The layer marks 1 place."


def test_targets_are_tiles_and_not_their_cells(tmp_path: Path) -> None:
    text = Played(tmp_path, DUEL, [*BEFORE_ATTACK, "press", "targets", "near", "quit"]).text
    assert said(text, "targets") == "B2, east: 44%"
    assert "\nB2 Mountain (The Weald): east\n" in said(text, "near")


def test_every_unit_that_a_danger_counts_is_named(tmp_path: Path) -> None:
    cells = [f"{x},{y}" for x in range(4, 14, 3) for y in range(2, 10, 3)]
    lines = [line for cell in cells for line in (f"go {cell}", "layer danger", "danger")]
    text, counted = Played(tmp_path, FORD, lines).text, 0
    for part in text.split("> layer danger\n")[1:]:
        count = part.split(": ")[1].split(".")[0]
        told = " ".join(part.split("> danger\n")[1].split("\n")[0:3]).split(" Yours that")[0]
        if count.isdecimal() and int(count) <= 6:
            assert told.count("Dailor's ") == int(count), part
            counted += 1
    assert counted > 2


def test_dangers_of_stacks_are_counted_by_side_if_unknown(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["1", "danger", "quit"]).text
    assert ": 1 unknown stack of Easthold." in " ".join(said(text, "danger").split())


def test_pieces_with_a_goal_are_named_where_they_are_passed_over(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["1", "G 1 upper ford", "next", "units idle", "status", "look"])
    assert said(text.text, "next").startswith("No piece of yours waits for an order.\n2 armies")
    for line in ("next", "units idle", "status"):
        assert "2 armies with a goal could go on (type go-on)." in said(text.text, line)
    assert " head for Upper Ford." in said(text.text, "look")


def test_again_is_the_same_after_reopening(tmp_path: Path) -> None:
    script = ["1", "produce 2", "end yes", "produce 3"]
    played = Played(tmp_path, MARCH, [*script, "again", "quit"])
    told = said(played.text, "again")
    assert "Easthold's turn." in told
    resumed = Played(tmp_path, None, ["load game", "again", "quit"])
    assert said(resumed.text, "again") == told
    assert "Stellan joins" not in told


def test_again_begins_where_the_turn_ended_and_not_at_an_answer(tmp_path: Path) -> None:
    """The attacker answers questions in the turn of its own, and in that of the other."""
    script = [*BEFORE_ATTACK, "attack b2 yes", "1", "again", "quit"]
    told = said(Played(tmp_path, DUEL, script).text, "again").splitlines()
    assert told[0] == "Khalisia begins with 1 Sword, 1 Archer, 1 Shield and 1 Crown on B1."
    assert "Khalisia takes nothing." in told[1:]
    assert "Khalisia attacks The Weald on B2 (Mountain)." in told
    resumed = Played(tmp_path, None, ["load game", "again", "quit"])
    assert said(resumed.text, "again").splitlines() == told


def test_a_road_costs_what_a_march_pays(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["1", "look 7,4", "march 6,4", "go 6,4", "route 7,4"]).text
    assert said(text, "look 7,4") == "7,4: Grass, road, 1 move on foot."
    assert "1 step. It costs 1 move." in said(text, "route 7,4")


@pytest.mark.parametrize(
    ("ruleset", "scenario", "first"),
    [
        ("kaladan", "duel", "1 2 3"),
        ("lordsawar", "ford", "1"),
        ("warlords2", "skirmish", "1"),
        ("weltendaemmerung", "ford", "look"),
    ],
)
def test_units_lists_the_pieces_of_every_side(
    tmp_path: Path, ruleset: str, scenario: str, first: str
) -> None:
    players = (SeatPlayer(0, "One"), SeatPlayer(1, "Two", "easy"))
    start = NewGame(ruleset, scenario, players=players, seed=b"4", name="game")
    script = [first, "units", "units mine", "units enemy", "units idle", "quit"]
    text = Played(tmp_path, start, script).text
    for line in ("units", "units mine", "units idle"):
        assert "There is none." not in said(text, line)
    if ruleset == "kaladan":
        assert "\nCrown of Khalisia on B1: " in f"\n{said(text, 'units mine')}"
        assert "3 Swords of Khalisia on B1: " in said(text, "units mine")
        assert "Khalisia" not in said(text, "units enemy")
        assert "Field" not in said(text, "units")


def test_strength_and_heroes_of_unknown_armies_are_unknown(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["1", "end yes", "reports winners", "quit"]).text
    told = " ".join(said(text, "reports winners").split())
    foe, own = told.split("side Easthold")[1], told.split("side Westhold")[1]
    assert ", strength ?, heroes ?, gold ?," in foe.split("#")[0]
    assert ", heroes 1, gold " in own.split("#")[0]


def test_the_curtain_calls_a_person_and_no_computer(tmp_path: Path) -> None:
    players = (
        SeatPlayer(0, "Warlord", "easy"),
        *(
            SeatPlayer(seat, name)
            for seat, name in enumerate(("Bea", "Cid", "Dan", "Eve", "Fay"), 1)
        ),
    )
    start = NewGame("lordsawar", "marches", players=players, seed=b"3", name="game")
    text = Played(tmp_path, start, ["", "quit"]).text
    before, _, after = text.partition("Press Enter when ")
    assert after.startswith("Bea is here: ")
    assert after.index("Brackwater decides, round 1") < after.index("army of Aldermark moves")
    assert "Aldermark" not in before


def test_why_reads_one_rule_of_the_last_answer_or_none(tmp_path: Path) -> None:
    script = ["1", "end yes", "why", "march 12,7", "why", "no", "look", "why", "why", "quit"]
    text = Played(tmp_path, MARCH, script).text
    reads = [re.split(r"\n[>?] ", part)[0].strip() for part in re.split("[>?] why\n", text)[1:]]
    assert reads[0].count("LW-") <= 2
    assert reads[1] == "There is no rule behind what was said last."
    assert reads[2] == reads[3]
    assert sum(line.startswith("LW-") for line in reads[2].splitlines()) <= 1


def test_a_command_without_a_report_is_confirmed_and_taken_back_by_name(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["1", "group 1; 3,3", "go 3,3", "park", "undo", "quit"]).text
    assert said(text, "park").startswith("Done: Park")
    assert said(text, "undo").startswith("Taken back: Park")


def test_every_sign_of_a_map_and_every_target_has_words(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["1", "map", "press", "go 5,4", "press", "targets", "quit"]).text
    legend = " ".join(said(text, "map").partition("A mark before a sign: ")[2].split())
    assert "> (greater-than sign) is the cursor" in legend
    assert "city: # (number sign), ] (right square bracket)" in legend
    for sign in re.findall(r"(?<= )[^\w\s](?= |,)", legend):
        assert f"{sign} ({unicodedata.name(sign).lower()})" in legend


def test_keys_of_the_screen_are_named_as_commands(tmp_path: Path) -> None:
    text = Played(tmp_path, MARCH, ["press", "1", "G 1 upper ford", "units idle", "quit"]).text
    assert said(text, "press").startswith("First answer the hero (type hire).")
    assert "could go on (type go-on)." in said(text, "units idle")


def test_units_are_armies_and_places_are_lands(tmp_path: Path) -> None:
    script = ["settle", "units", "spawn 2", "seal yes", "units mine", "places", "go skerrow"]
    text = Played(tmp_path, LONE, script).text
    assert said(text, "units") == "There is none."
    assert said(text, "units mine") == "2 armies of A at 1 Skerrow: here"
    assert "\n2 Haldane (neutral): " in said(text, "places")
    assert said(text, "go skerrow").startswith("1 Skerrow")
