"""A person's evening with the program, by keys alone in a window of 80 x 24."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.app.window import Window, banneret
from tests.programs import needs_tmux

pytestmark = needs_tmux

MOVES = (
    (("Space", "Up", "Space"), "commander moves to 4,4"),
    (("Tab", "Space", "Left", "Space"), "archers move to 5,4"),
    (("Tab", "Space", "Right", "Space"), "sword bearers move to 9,5"),
    ((*["Tab"] * 4, "Space", "Up", "Space"), "eagle moves to 1,5"),
    ((*["BTab"] * 3, "Space", "Right", "Space"), "spear bearers move to 9,6"),
)
"""Keys that move five units, and the log line of each move."""


def moved_from(window: Window, row: str) -> Callable[[str], bool]:
    """Return a test of whether the terminal's cursor has left a row."""
    return lambda _: window.told("cursor_y") != row


def go_down(window: Window, rows: int) -> None:
    """Move down in a list, row by row."""
    for _ in range(rows):
        row = window.told("cursor_y")
        window.press("Down")
        window.until(moved_from(window, row), "the next row")


def begin(window: Window) -> None:
    """Begin a new game of the ford between two people."""
    window.wait("New game")
    window.press("n")
    window.wait("Scenario", "Start the game")
    go_down(window, 2)
    window.press("Right")
    window.wait("< The Lords of Thainfal >")
    window.press("Left")
    window.wait("< The Ford >")
    go_down(window, 2)
    for _ in range(6):
        before = player(window.text)
        if "< person >" in before:
            break
        window.press("Right")
        window.until(partial(_another, before), "another player")
    window.press("s")
    window.wait("THE FORD", "Round 1 of", "Eldoin ►  MOVE", "COMMANDER")


def player(text: str) -> str:
    """Return the row of the form that says who plays Dailor; "" until it is drawn."""
    found = re.search(r"^ *Dailor +<.*?>", text, re.MULTILINE)
    return found[0] if found else ""


def _another(before: str, text: str) -> bool:
    return player(text) not in ("", before)


def end_phase(window: Window, *following: str) -> None:
    """End the phase and confirm; wait for the texts in ``following``."""
    window.press("e")
    window.wait("End ", "Enter or y: end it")
    window.press("Enter")
    window.wait(*following)


def play(window: Window) -> None:
    """Make five moves, take one back, attack, open a gate, and end the first round."""
    for keys, said in MOVES:
        window.press(*keys)
        window.wait(said)
    window.press("z")
    window.wait("Taken back.")
    end_phase(window, "Dailor ►  MOVE")
    end_phase(window, "Eldoin ► move ►  ATTACK")
    window.press("Tab")
    window.wait("ELDOIN'S WARSHIP", "choose as attacker")
    window.press("Space", "x")
    window.wait("DAILOR'S AXE MEN", "Kills 100 %")
    window.press("Space")
    window.wait("axe men fall at 15,5")
    end_phase(window, "Dailor ► move ►  ATTACK")
    end_phase(window, "Eldoin ► move ► attack ►  GATES")
    window.press("v")
    window.wait("open the gate")
    window.press("Space")
    window.wait("The gate at 7,6 opens", "shut the gate")
    end_phase(window, "Dailor ► move ► attack ►  GATES")
    end_phase(window, "Round 2 of", "Eldoin ►  MOVE")


def to_round_three(window: Window) -> None:
    """End the six phases of round 2."""
    end_phase(window, "Dailor ►  MOVE")
    for earlier, phase in (("move ► ", "ATTACK"), ("move ► attack ► ", "GATES")):
        end_phase(window, f"Eldoin ► {earlier} {phase}")
        end_phase(window, f"Dailor ► {earlier} {phase}")
    end_phase(window, "Round 3 of")


def watch(window: Window) -> None:
    """Open the replay of the last game from the title."""
    window.press("r")
    window.wait("The Ford", "Esc")
    window.press("Enter")
    window.wait("Round 1", "entry 0 of")


def is_saved_in_round_three(text: str) -> bool:
    """Return whether the title says that the last game is in round 3."""
    return "Continue" in text and "round 3 of" in text


def test_person_plays_leaves_continues_watches_and_branches(tmp_path: Path) -> None:
    with banneret(tmp_path) as window:
        begin(window)
        play(window)
        to_round_three(window)
        window.press("q")
        window.wait("Continue")
        window.press("Up")
        window.until(is_saved_in_round_three, "the last game in round 3")
        window.press("q")
        assert window.ended() == 0
    with banneret(tmp_path) as window:
        window.until(is_saved_in_round_three, "the last game in round 3")
        window.press("c")
        window.wait("Round 3 of", "Eldoin ►  MOVE", "8/8 left")
        window.press("q")
        window.wait("Continue")
        watch(window)
        window.press("n")
        window.wait("Round 2 of", "►  MOVE")
        window.press("n")
        window.wait("Round 3 of", "►  MOVE")
        window.press("p")
        window.wait("Round 2 of", "►  MOVE", "entry")
        window.press("g")
        window.wait("Round 2 of", "Eldoin ►  MOVE", "8/8 left")
        window.press("Tab", "Space")
        window.wait("put down")
        window.press("Left", "Space")
        window.wait("moves left")
        window.press("q")
        window.wait("Continue")
        watch(window)
        window.press("b")
        window.wait("Branches", "round 3", "round 2")
