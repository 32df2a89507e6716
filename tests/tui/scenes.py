"""Every screen of every game, and the keys that lead to it."""

from __future__ import annotations

import datetime
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from engine.core import registry, scenarios
from engine.core.archive import SeatPlayer
from engine.rulesets.kaladan import RULES
from engine.rulesets.kaladan.state import Options
from tests.rulesets.kaladan.positions import position
from tests.tui.piloted_app import FORD, TWO_PEOPLE, desk, played_once
from tests.tui.test_game import middle
from tui.play.setup import NewGame

Wanted = Mapping[str, Any]


class Scene(NamedTuple):
    """A screen within a run of the program."""

    name: str
    keys: tuple[str, ...]
    """Keys to press, starting from the previous scene."""
    text: str
    """Text that must be on the screen, in every size and set of signs."""
    board: bool = False
    """True if the board is in front."""


class Run(NamedTuple):
    """A run of the program from one start."""

    name: str
    begin: Callable[[Path], Awaitable[Wanted]]
    """Function that prepares the saves in a folder and returns the arguments of the program."""
    scenes: tuple[Scene, ...]


LARGE = NewGame("weltendaemmerung", players=TWO_PEOPLE, seed=b"1", name="game")
TOY = NewGame(
    "toy", players=(SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch")), seed=b"1", name="toy"
)
REGIONS = NewGame(
    "gd6", "west", players=(SeatPlayer(0, "A"), SeatPlayer(1, "B")), seed=b"1", name="regions"
)

STACKS = NewGame(
    "warlords2",
    "narrows",
    players=(SeatPlayer(0, "A"), SeatPlayer(1, "B")),
    seed=b"1",
    name="stacks",
)

WOUNDS = NewGame(
    "lordsawar",
    "border",
    {"military_advisor": "on"},
    players=(SeatPlayer(0, "A"), SeatPlayer(1, "B")),
    seed=b"1",
    name="wounds",
)


BOXES = "kaladan"
_INTO_THE_SHOP = ("enter", "e", "enter", "g")
_TO_THE_OTHER = ("s", "enter", "enter", "x")


def boxes() -> NewGame:
    """Return a game on nineteen tiles just before an attack."""
    text = """
    FWM FWMF FWMWM FWMM WWM
    C2 0 crown sword+ shield
    B1 0 # sword sword+ catapult archer
    B2 1 sword archer shield
    E1 1 # crown general shield*
    D3 1 archer
    """
    none: dict[int, tuple[str, ...]] = {0: (), 1: ()}
    plain = Options(magic="off")
    state = position(text, gold=(5, 5), hands=none, decks=none, options=plain)
    people = (SeatPlayer(0, "A"), SeatPlayer(1, "B", "easy"))
    return NewGame(BOXES, RULES.position(state), players=people, seed=b"1", name="boxes")


def orders() -> NewGame:
    """Return a game of regions shortly before a fight."""
    text = (Path(__file__).parent / "orders.toml").read_bytes()
    found = scenarios.parse(registry.find("gd6"), text)
    return NewGame("gd6", found, players=REGIONS.players, seed=b"1", name="orders")


def from_start(start: Callable[[], NewGame]) -> Callable[[Path], Awaitable[Wanted]]:
    """Return a function that starts the program with a new game."""

    async def begin(folder: Path) -> Wanted:
        return {"start": start()}

    return begin


async def nothing(folder: Path) -> Wanted:
    """Start the program without saves."""
    return {}


async def a_save(folder: Path) -> Wanted:
    """Start the program with a short game in a save."""
    await _play(folder)
    return {}


async def a_replay(folder: Path) -> Wanted:
    """Start the program with the replay of a short game."""
    await _play(folder)
    return {"replay_name": "game"}


async def _play(folder: Path) -> None:
    async def play() -> None:
        async with desk(folder, start=middle()) as at:
            await at.press("space", "right", "right", "space", "e", "enter", "e", "enter")
            await at.press("tab", "space", "x", "space", "e", "enter", "e", "enter")
            await at.press("e", "enter")

    await played_once("scenes", folder, play)
    played = datetime.datetime(2026, 1, 1, 18, 30, tzinfo=datetime.UTC).timestamp()
    for path in folder.iterdir():
        os.utime(path, (played, played))


RUNS = (
    Run(
        "start",
        nothing,
        (
            Scene("title", (), "New game"),
            Scene("new-game", ("enter", "down", "down"), "Scenario"),
        ),
    ),
    Run(
        "saved",
        a_save,
        (
            Scene("title-saved", (), "Continue"),
            Scene("load", ("l",), "Middle"),
            Scene("rename", ("r",), "ame"),
            Scene("lessons", ("escape", "escape", "t"), "Two rounds as Eldoin"),
            Scene("lesson", ("enter",), "Eldoin", board=True),
        ),
    ),
    Run(
        "large",
        from_start(lambda: LARGE),
        (
            Scene("large", (), "COMMANDER", board=True),
            Scene("look", ("l", "w"), "pavement", board=True),
            Scene("danger", ("D",), "danger", board=True),
            Scene("minimap", ("M",), "danger", board=True),
            Scene("labels", ("M", "escape", "comma"), "jump there"),
            Scene("find", ("escape", "slash", "c", "o", "m", "m"), "commander"),
            Scene("actions", ("escape", "colon"), "What now?"),
            Scene("help", ("escape", "question_mark"), "Keys"),
            Scene("help-rules", ("tab",), "Rules"),
            Scene("help-signs", ("tab",), "Pieces"),
            Scene("settings", ("escape", "S"), "Settings"),
            Scene("why", ("escape", "W"), "WD-"),
            Scene("travel", ("escape", "space", "down", "T"), "128"),
        ),
    ),
    Run(
        "ford",
        from_start(lambda: FORD),
        (
            Scene("held", ("space",), "put down", board=True),
            Scene("moved", ("down", "space"), "left", board=True),
            Scene("intents", ("i",), "Esc"),
            Scene("end-phase", ("escape", "e"), "could still act"),
        ),
    ),
    Run(
        "middle",
        from_start(middle),
        (
            Scene(
                "attack",
                ("space", "right", "right", "space", "e", "enter", "e", "enter", "tab", "space"),
                "ATTACK",
                board=True,
            ),
            Scene("target", ("x",), "AXE MEN", board=True),
            Scene("after-attack", ("space",), "axe", board=True),
            Scene("log", ("L",), "axe"),
            Scene("luck", ("escape", "K"), "expected"),
            Scene("result", ("escape", *("e", "enter") * 10), "eplay"),
        ),
    ),
    Run(
        "replay",
        a_replay,
        (
            Scene("replay", ("right", "right"), "entry", board=True),
            Scene("replay-end", ("end",), "entry", board=True),
            Scene("replay-charts", ("H",), "Esc"),
            Scene("replay-branches", ("escape", "b"), "Esc"),
            Scene("replay-find", ("escape", "slash"), "Esc"),
            Scene("replay-query", ("escape", "slash"), "Esc"),
            Scene("replay-export", ("escape", "E"), "Esc"),
            Scene("replay-comment", ("escape", "c"), "Esc"),
            Scene("replay-help", ("escape", "question_mark"), "STEP"),
        ),
    ),
    Run(
        "toy",
        from_start(lambda: TOY),
        (
            Scene("toy", (), "Amber", board=True),
            Scene("toy-zoom", ("f4",), "Amber", board=True),
            Scene("toy-which", ("f4", "m"), "Which band?"),
            Scene("toy-path", ("enter", "right"), "choose"),
            Scene("toy-text", ("escape", "c"), "Esc"),
            Scene("toy-order", ("h", "o", "enter", "r"), "Who falls first?"),
            Scene("toy-hand-over", ("escape", "s", "enter"), "look away"),
            Scene("toy-other", ("enter",), "Birch", board=True),
        ),
    ),
    Run(
        "regions",
        from_start(lambda: REGIONS),
        (
            Scene("regions", (), "ORDERS", board=True),
            Scene("regions-overview", ("Z",), "ORDERS", board=True),
            Scene("regions-settled", (*("Z",) * 4, "space"), "settle", board=True),
            Scene("regions-other", (*_TO_THE_OTHER, *["down"] * 12, *["right"] * 20), "settle"),
            Scene("regions-list", ("space", "t"), "first acts"),
        ),
    ),
    Run(
        "orders",
        from_start(orders),
        (
            Scene("orders", (), "ORDERS", board=True),
            Scene("orders-held", ("space",), "stay", board=True),
            Scene("orders-sent", ("f", "right", "space"), "line", board=True),
            Scene("orders-build", ("f", "v", "c"), "Build what"),
            Scene("orders-prices", ("escape", "D", "D"), "armies needed"),
            Scene("orders-seal", ("s",), "without an order"),
            Scene("orders-lists", ("escape", "I"), "Load lines"),
            Scene("orders-other", ("escape", "s", "enter", "enter"), "owner B, you", board=True),
            Scene("orders-losses", ("s", "enter", "enter", "P"), "penalty"),
            Scene("orders-log", ("escape", "L", "tab"), "A: mine"),
        ),
    ),
    Run(
        "stacks",
        from_start(lambda: STACKS),
        (
            Scene("stacks", (), "Round 1", board=True),
            Scene("stacks-lands", ("Z",), "Round 1", board=True),
            Scene("stacks-world", ("Z",), "Round 1", board=True),
            Scene("stacks-held", ("Z", "space", *["left"] * 4), "Held", board=True),
            Scene("stacks-group", ("escape", "x", "tab", "g"), "Esc"),
            Scene("stacks-report", ("escape", "J", "tab", "tab", "tab"), "[Gold]"),
            Scene("stacks-history", ("shift+tab",) * 4, "by rounds"),
        ),
    ),
    Run(
        "wounds",
        from_start(lambda: WOUNDS),
        (
            Scene("wounds-offer", ("a",), "for free"),
            Scene("wounds-held", ("enter", "space", *["down"] * 4, *["right"] * 6), "Left then"),
            Scene("wounds-fate", ("space", "enter"), "Occupy"),
            Scene("wounds-fought", ("escape",), "What becomes of", board=True),
            Scene("wounds-muster", ("J", *["shift+tab"] * 3), "[Army by army]"),
        ),
    ),
    Run(
        "boxes",
        from_start(boxes),
        (
            Scene("boxes", (), "MOVE", board=True),
            Scene("boxes-attack", ("y", "space", "right"), "3 pairs; 57 %", board=True),
            Scene("boxes-invasion", ("space", "enter", "c"), "Exactly 3"),
            Scene("boxes-shop", (*["space", "down"] * 3, *_INTO_THE_SHOP), "The shop"),
        ),
    ),
)
