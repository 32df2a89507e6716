"""The cursor on boxes in rows: steps, the remembered column, jumps and highlights."""

from __future__ import annotations

import pytest

from engine.rulesets.kaladan import cursor, panels
from engine.rulesets.kaladan.boxes import ZOOMS, size, spot
from engine.rulesets.kaladan.dialogues import ask
from engine.rulesets.kaladan.picture import PRESENTER, marks
from engine.rulesets.kaladan.state import Options, View
from engine.rulesets.kaladan.view import view
from engine.rulesets.kaladan.words import on
from engine.tabletop.ask import AskOne
from engine.tabletop.focus import Direction, Focus
from engine.tabletop.roles import MarkSign
from tests.rulesets.kaladan.positions import position, tile

WORLD = """
FFF FFFF FFFFF FFFF FFF
A1 0 # crown sword archer
C3 0 shield*
E3 1 # crown
"""
"""A world of nineteen tiles."""


def seen(**more: object) -> View:
    """Return the view of seat 0."""
    return view(position(WORLD, options=Options(magic="off"), **more), 0)  # type: ignore[arg-type]


def walked(start: str, *steps: Direction) -> str:
    """Return the tile after some steps."""
    shown = seen()
    focus = Focus(*spot(19, tile(position(WORLD), start)))
    for step in steps:
        focus = cursor.stepped(shown, focus, step)
    return on(shown, cursor.here(shown, focus))


@pytest.mark.rule("KA-19")
@pytest.mark.parametrize(
    ("start", "step", "end"),
    [
        ("C3", "left", "C2"),
        ("C3", "right", "C4"),
        ("C3", "up-left", "B2"),
        ("C3", "up-right", "B3"),
        ("C3", "down-left", "D2"),
        ("C3", "down-right", "D3"),
        ("C3", "up", "B2"),
        ("C3", "down", "D2"),
        ("C1", "left", "C1"),
        ("A1", "up", "A1"),
        ("A1", "up-left", "A1"),
        ("E3", "down-right", "E3"),
    ],
)
def test_step_leads_to_the_neighbour_or_nowhere(start: str, step: Direction, end: str) -> None:
    assert walked(start, step) == end


@pytest.mark.rule("KA-19")
def test_up_and_down_keep_the_column_of_sideways_steps() -> None:
    assert walked("C3", "up", "up") == "A2"
    assert walked("C3", "up", "down") == "C3"
    assert walked("C3", "up", "up", "down", "down", "down", "down") == "E2"
    assert walked("C1", "up", "down") == "C1"
    assert walked("C3", "up", "right", "down") in ("C3", "C4")


@pytest.mark.rule("KA-19")
def test_idle_tiles_are_jumped_to_and_tiles_found_by_id() -> None:
    shown = seen()
    jumps = PRESENTER.jumps(shown, PRESENTER.start(shown), "idle")
    assert jumps == (spot(19, 1),)
    found = [one for one in PRESENTER.finds(shown) if one.text.startswith("C3 ")]
    assert [one.at for one in found] == [spot(19, tile(position(WORLD), "C3"))]


@pytest.mark.rule("KA-19")
def test_nineteen_tiles_fit_on_the_smallest_screen() -> None:
    assert size(19) == (61, 21)
    assert ZOOMS[0] == "normal"
    shown = seen()
    boards = {zoom: PRESENTER.board(shown, zoom) for zoom in ZOOMS}
    sizes = {zoom: (board.width, board.height) for zoom, board in boards.items()}
    assert sizes == {
        "normal": (61, 21),
        "compact": (41, 16),
        "large": (81, 31),
        "large window": (141, 46),
        "window": (131, 41),
        "small window": (91, 31),
    }


@pytest.mark.rule("KA-19")
def test_units_that_can_act_are_highlighted() -> None:
    shown = seen()
    lit = {(mark.x, mark.y) for mark in marks(shown, PRESENTER.start(shown))
           if mark.sign is MarkSign.IDLE}  # fmt: skip
    assert spot(19, 1) in lit
    assert spot(19, tile(position(WORLD), "C3")) not in lit


@pytest.mark.rule("KA-6.5")
def test_shop_lists_all_goods_with_prices_and_asks_again() -> None:
    shown = seen(phase="purchase", gold=(3, 0))
    focus = PRESENTER.start(shown)
    (intent,) = (one for one in PRESENTER.intents(shown, focus) if one.name == "buy")
    assert intent.repeats
    question = ask(shown, focus, "buy", ())
    assert isinstance(question, AskOne)
    assert question.title == "The shop: you have 3 gold"
    assert [line.text for line in question.lines] == ["New units come to A1 (3 there)."]
    rows = {choice.value: choice for choice in question.choices}
    assert rows["sword"].label == "Sword             D8 / D8       3 left  1 gold"
    assert not rows["general"].reason
    assert rows["upgrade"].label.endswith("3 units1 gold".replace("s1", "s 1"))
    assert ask(shown, focus, "buy", ("general",)) == 'buy unit="general" tile="A1"'


def test_goods_keep_their_numbers_when_a_special_unit_is_in_play() -> None:
    lists = []
    for units in ("", " special"):
        text = f"FF WFM FF\nA1 0 # crown sword{units}\nC2 1 # crown sword\n"
        shown = view(position(text, phase="purchase", gold=(9, 0)), 0)
        question = ask(shown, PRESENTER.start(shown), "buy", ())
        assert isinstance(question, AskOne)
        lists.append(question.choices)
    waits, played = ([choice.value for choice in choices] for choices in lists)
    assert waits == played
    (special,) = (choice for choice in lists[1] if choice.value.startswith("in-"))
    assert special.reason == "in play already"


def test_units_can_be_found_beside_their_crown() -> None:
    shown = view(position("FF WFM FF\nA1 0 # crown sword sword\nC2 1 # crown\n"), 0)
    units = [one.text for one in PRESENTER.finds(shown) if one.kind == "unit"]
    assert "2 Swords of Khalisia on A1" in units
    assert not any("C2" in text and "Crown" not in text for text in units)


def test_a_look_names_the_neighbours() -> None:
    shown = view(position("FF WFM FF\nA1 0 # crown sword\nC2 1 # crown\n"), 0)
    told = [line.text for line in panels.look(shown, 1)]
    assert told[1] == "Beside it: A2, B1 and B2."
