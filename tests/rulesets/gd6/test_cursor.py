"""Cursor, button, routes, layers and dialogues."""

from __future__ import annotations

import pytest

from engine.rulesets.gd6 import cursor, dialogues, picture
from engine.rulesets.gd6.canvas import spot, territory_at
from engine.rulesets.gd6.descriptions import panel
from engine.rulesets.gd6.picture import PRESENTER
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.territories import free_sites
from engine.tabletop.ask import AskAmount, AskConfirm, AskOne, AskOrder, AskPlace
from engine.tabletop.focus import NOTHING, Direction, Focus
from engine.tabletop.roles import MarkSign
from tests.rulesets.gd6.table import Play, begin, say
from tests.rulesets.gd6.words_table import BLUE, MIDDLE

WEST = """
map = "west16"
seats = 2
players = [
  { id = 0, status = "active", hq_built = true, ip = 100, dynamite = 1, crop = 1 },
  { id = 1, status = "active", hq_built = true },
]
territories = [
  { id = 6, owner = 0, army = 5, hq = 0 },
  { id = 5, owner = 0 },
  { id = 4, owner = 1, army = 3, construct = "watchtower" },
  { id = 11, owner = 1, army = 1, hq = 1 },
]
"""


def focus(view: View, at: int, held: int = NOTHING) -> Focus:
    return Focus(*spot(view.world, at), held)


def place(view: View, at: int) -> str:
    x, y = spot(view.world, at)
    return f"{x},{y}"


@pytest.fixture
def game() -> Play:
    return begin(WEST)


@pytest.mark.rule("GD-CELL-5")
@pytest.mark.parametrize(
    ("start", "direction", "end"),
    [(6, "right", 4), (6, "left", 5), (6, "up", 3), (1, "right", 3), (3, "left", 1), (9, "up", 7)],
)
def test_fast_cursor_goes_to_the_neighbour_in_a_direction(
    game: Play, start: int, direction: Direction, end: int
) -> None:
    view = game.view(0)
    assert end in view.world.beside(start)
    found = cursor.strode(view, focus(view, start), direction)
    assert territory_at(view.world, found.x, found.y) == end


@pytest.mark.rule("GD-CELL-5")
def test_fast_cursor_returns_from_the_sea(game: Play) -> None:
    view = game.view(0)
    assert territory_at(view.world, 0, 0) == 0
    found = cursor.strode(view, Focus(0, 0), "down-right")
    assert territory_at(view.world, found.x, found.y) > 0


def test_cursor_stays_on_the_map(game: Play) -> None:
    view = game.view(0)
    width, height = cursor.size(view.world)
    assert cursor.stepped(view, Focus(0, 0), "up-left") == Focus(0, 0)
    corner = Focus(width - 1, height - 1)
    assert cursor.stepped(view, corner, "down-right") == corner


@pytest.mark.rule("GD-HQ-1")
def test_button_settles() -> None:
    view = begin('map = "west16"\nseats = 2\n').view(1)
    assert cursor.fired(view, focus(view, 6)).line == "hq at=6"
    assert cursor.hint(view, focus(view, 6)) == "Settle here"
    assert not cursor.fired(view, Focus(0, 0)).line


@pytest.mark.rule("GD-HQ-1", "GD-HQ-5")
def test_second_site_replaces_the_first() -> None:
    rival = "players = [{ id = 1, status = 'active', hq_built = true }]\n"
    rival += "territories = [{ id = 16, owner = 1, hq = 1 }]\n"
    free = begin(f'map = "west16"\nseats = 2\n{rival}')
    say(free, 0, "hq at=6")
    view = free.view(0)
    pushed = PRESENTER.fire(view, focus(view, 5))
    assert pushed.line == 'list lines="hq at=5"'
    assert dialogues.ask(view, 5, "settle", ()) == pushed.line
    refused = PRESENTER.fire(view, focus(view, 16))
    assert not refused.line
    assert refused.note == "16 Gullrock belongs to B."


@pytest.mark.rule("GD-SPAWN-1")
def test_headquarters_is_idle_while_armies_can_be_raised(game: Play) -> None:
    view = game.view(0)
    assert cursor.to_raise_at(view)
    home = cursor.to_raise_at(view)[0]
    assert spot(view.world, home) in PRESENTER.jumps(view, focus(view, 6), "idle")
    say(game, 0, f"spawn at={home} count={cursor.spawn_left(view)}")
    assert cursor.to_raise_at(game.view(0)) == []


@pytest.mark.rule("GD-MOVE-1", "GD-MOVE-2")
def test_button_picks_up_units_and_sends_the_free_ones(game: Play) -> None:
    view = game.view(0)
    held = cursor.fired(view, focus(view, 6)).focus
    assert held.held == 6
    assert cursor.hint(view, focus(view, 8, 6)) == "Send 5 here"
    sent = cursor.fired(view, focus(view, 8, 6))
    assert sent.line == "move path=6>7>8 count=5"
    assert cursor.fired(view, focus(view, 6, 6)).focus.held == NOTHING
    assert "Too far for this turn." in cursor.fired(view, focus(view, 16, 6)).note
    assert "waits here" in cursor.fired(view, focus(view, 4)).note
    say(game, 0, "move path=6>4 count=3")
    view = game.view(0)
    assert cursor.free_units(view, 6) == {"army": 2}
    assert cursor.left_to_send(view) == 2


@pytest.mark.rule("GD-MOVE-2")
def test_routes_prefer_own_land_within_the_speed(game: Play) -> None:
    ways = cursor.ways(game.view(0), 6, "army")
    assert all(2 <= len(way) <= 3 for way in ways.values())
    assert ways[2] == (6, 5, 2)
    assert 16 not in ways


def test_raised_armies_can_be_sent_in_the_same_turn(game: Play) -> None:
    say(game, 0, "spawn at=6 count=2")
    assert cursor.free_units(game.view(0), 6) == {"army": 7}


@pytest.mark.rule("GD-SECRET-1")
def test_orders_of_others_are_never_drawn(game: Play) -> None:
    before = picture.marks(game.view(1), focus(game.view(1), 6))
    say(game, 0, "move path=6>4 count=3", "spawn at=6 count=2", "build at=5 construct=library")
    assert picture.marks(game.view(1), focus(game.view(1), 6)) == before
    own = picture.marks(game.view(0), focus(game.view(0), 6))
    texts = [mark.text for mark in own if mark.sign is MarkSign.PATH]
    assert {"+2", "+L", ">", "3"} <= set(texts)


def test_layers_show_threats_and_prices(game: Play) -> None:
    view = game.view(0)
    danger = {
        territory_at(view.world, m.x, m.y): m.text
        for m in PRESENTER.layer(view, focus(view, 6), "danger")
    }
    assert danger[6] == "3"
    prices = {
        territory_at(view.world, m.x, m.y): m.text
        for m in PRESENTER.layer(view, focus(view, 6), "price")
    }
    assert prices == {4: "8"}
    spawn = {
        territory_at(view.world, m.x, m.y) for m in PRESENTER.layer(view, focus(view, 6), "spawn")
    }
    assert spawn == {6, *view.world.beside(6)} - {4}
    with pytest.raises(ValueError, match="no layer"):
        PRESENTER.layer(view, focus(view, 6), "gold")


def test_route_spans_several_turns(game: Play) -> None:
    view = game.view(0)
    way = PRESENTER.route(view, focus(view, 6), *spot(view.world, 10))
    assert [mark.turn for mark in way] == [(number // 2) for number in range(len(way))]
    assert territory_at(view.world, way[-1].x, way[-1].y) == 10
    assert PRESENTER.route(view, focus(view, 6), 0, 0) == ()


# -- dialogues -----------------------------------------------------------------------------------


def test_move_dialogue_asks_hop_by_hop(game: Play) -> None:
    view = game.view(0)
    first = dialogues.ask(view, 6, "move", [])
    assert isinstance(first, AskPlace)
    prices = dict(zip(first.cells, first.labels, strict=True))
    assert prices[spot(view.world, 4)] == "8"
    assert prices[spot(view.world, 3)] == "ok"
    second = dialogues.ask(view, 6, "move", [place(view, 3)])
    assert isinstance(second, AskPlace)
    assert second.cells[0] == spot(view.world, 3)
    amount = dialogues.ask(view, 6, "move", [place(view, 3), place(view, 1)])
    assert isinstance(amount, AskAmount)
    assert (amount.least, amount.most) == (1, 5)
    whole = dialogues.ask(view, 6, "move", [place(view, 3), place(view, 1), "4"])
    assert whole == "move path=6>3>1 count=4"
    assert dialogues.ask(view, 6, "move", [place(view, 3), place(view, 3), "2"]) == (
        "move path=6>3 count=2"
    )


@pytest.mark.parametrize(
    ("intent", "at", "answers", "line"),
    [
        ("spawn", 6, ["2"], "spawn at=6 count=2"),
        ("build", 5, ["library"], "build at=5 construct=library"),
        ("buy", 6, ["toxic"], "buy item=toxic"),
        ("seal", 6, ["yes"], "seal"),
    ],
)
def test_dialogues_end_in_a_line(
    game: Play, intent: str, at: int, answers: list[str], line: str
) -> None:
    say(game, 0, "move path=6>4 count=1")
    assert dialogues.ask(game.view(0), at, intent, answers) == line


def test_use_dialogue_asks_for_source_and_target(game: Play) -> None:
    view = game.view(0)
    found = dialogues.ask(view, 6, "use", ["dynamite", place(view, 6)])
    assert isinstance(found, AskPlace)
    whole = dialogues.ask(view, 6, "use", ["dynamite", place(view, 6), place(view, 4)])
    assert whole == "dynamite source=6 target=4"
    crop = dialogues.ask(view, 6, "use", ["crop", place(view, 5), "5"])
    assert isinstance(crop, str)
    assert crop.startswith("crop lots=")
    say(game, 0, crop)


@pytest.mark.parametrize(
    ("intent", "answers", "fault"),
    [
        ("spawn", ["many"], "'many' is no number from 1 to"),
        ("build", ["castle"], "'castle' cannot be chosen"),
        ("use", ["crop", "home"], "'home' is no cell x,y"),
        ("move", ["6"], "'6' is no cell x,y"),
        ("list", ["7"], "'7' cannot be chosen"),
        ("list", ["order", "0>0"], "each order once"),
    ],
)
def test_wrong_answers_are_refused(game: Play, intent: str, answers: list[str], fault: str) -> None:
    say(game, 0, "move path=6>4 count=1", "move path=6>3 count=1")
    with pytest.raises(ValueError, match=fault):
        dialogues.ask(game.view(0), 6, intent, answers)


@pytest.mark.rule("GD-LIST-1")
def test_order_table_edits_the_list(game: Play) -> None:
    say(game, 0, "move path=6>4 count=3", "move path=6>3 count=2")
    view = game.view(0)
    table = dialogues.ask(view, 6, "list", [])
    assert isinstance(table, AskOne)
    assert len(table.choices) == 5
    assert dialogues.ask(view, 6, "list", ["1", "first"]) == "shift place=1 to=0"
    assert dialogues.ask(view, 6, "list", ["0", "drop"]) == "drop places=0"
    assert dialogues.ask(view, 6, "list", ["0", "count", "1"]) == "change place=0 count=1"
    assert isinstance(dialogues.ask(view, 6, "list", ["order"]), AskOrder)
    line = dialogues.ask(view, 6, "list", ["order", "1>0"])
    assert isinstance(line, str)
    say(game, 0, line)
    assert [order.path[-1] for order in game.view(0).players[0].orders] == [3, 4]  # type: ignore[union-attr]  # both are moves


@pytest.mark.rule("GD-LIST-3")
def test_sealing_asks_for_confirmation_of_idle_units(game: Play) -> None:
    found = dialogues.ask(game.view(0), 6, "seal", [])
    assert isinstance(found, AskConfirm)
    assert "5 units without an order." in " ".join(line.text for line in found.lines)
    say(game, 0, "move path=6>4 count=5", "spawn at=5 count=2", "move path=5>2 count=2")
    left = dialogues.ask(game.view(0), 6, "seal", [])
    assert isinstance(left, AskConfirm)
    assert not any("without an order" in line.text for line in left.lines)
    say(game, 0, "seal")
    view = game.view(0)
    assert [intent.name for intent in dialogues.intents(view, 6)] == ["unseal", "concede"]
    assert dialogues.ask(view, 6, "unseal", []) == "unseal"


@pytest.mark.rule("GD-END-6")
def test_conceding_comes_last_and_is_confirmed_once(game: Play) -> None:
    view = game.view(0)
    last = dialogues.intents(view, 6)[-1]
    assert (last.name, last.reason, last.ends) == ("concede", "", "game")
    found = dialogues.ask(view, 6, "concede", [])
    assert isinstance(found, AskConfirm)
    assert "lose 2 territories with all units" in found.lines[0].text
    line = dialogues.ask(view, 6, "concede", ["yes"])
    assert line == "concede"
    say(game, 0, line)
    assert dialogues.intents(game.view(0), 6)[-1].reason == "You have given up."
    assert dialogues.why_not(game.view(0), "m") == "You have given up."


def test_cursor_starts_at_home(game: Play) -> None:
    view = game.view(0)
    start = PRESENTER.start(view)
    assert territory_at(view.world, start.x, start.y) == 6


def test_questions_name_units_and_places_in_words() -> None:
    view = begin(MIDDLE).view(BLUE)
    which = dialogues.ask(view, 1, "move", ())
    assert isinstance(which, AskOne)
    assert [choice.label for choice in which.choices] == ["4 armies", "1 spy"]
    made = dialogues.ask(view, 1, "promote", ())
    assert isinstance(made, AskOne)
    assert made.choices[0].label.startswith("Cavalry, ")
    count = dialogues.ask(view, 1, "promote", ("spy",))
    assert isinstance(count, AskAmount)
    where = dialogues.ask(view, 1, "move", ("army",))
    assert isinstance(where, AskPlace)
    assert where.title == "March where?"
    x, y = where.cells[0]
    on = dialogues.ask(view, 1, "move", ("army", f"{x},{y}"))
    assert isinstance(on, AskPlace)
    assert on.title == "March on from territory 2, or stop"


@pytest.mark.rule("GD-SPAWN-2", "GD-CHECK-1")
def test_seat_can_settle_raise_and_march_in_one_turn() -> None:
    game = begin('map = "west16"\nseats = 2')
    assert next(iter(dialogues.intents(game.view(0), 6))).name == "settle"
    assert "spawn" not in {intent.name for intent in dialogues.intents(game.view(0), 6)}
    assert cursor.to_raise_at(game.view(0)) == []
    say(game, 0, "hq at=6")
    view = game.view(0)
    assert cursor.to_raise_at(view) == [6]
    assert "to raise: 2 of 2" in {line.text for line in panel(view, 6)}
    assert PRESENTER.layer(view, focus(view, 6), "spawn")
    intents = {intent.name: intent.reason for intent in dialogues.intents(view, 6)}
    assert intents["spawn"] == ""
    assert intents["move"] == "No unit of yours waits here."
    say(game, 0, str(dialogues.ask(view, 6, "spawn", ("2",))))
    view = game.view(0)
    assert PRESENTER.status(view).todo == 2
    assert PRESENTER.fire(view, focus(view, 6)).focus.held == 6
    pushed = PRESENTER.fire(view, focus(view, 5, held=6))
    say(game, 0, pushed.line)
    assert PRESENTER.status(game.view(0)).todo == 0
    assert PRESENTER.fire(game.view(0), focus(view, 16)).line.startswith("list ")


@pytest.mark.rule("GD-CHECK-2", "GD-LIST-1")
def test_order_table_speaks_in_words() -> None:
    game = begin('map = "west16"\nseats = 2')
    say(game, 0, "hq at=6", "spawn at=6 count=2")
    pushed = PRESENTER.fire(game.view(0), focus(game.view(0), 16)).line
    say(game, 0, pushed)
    table = dialogues.ask(game.view(0), 6, "list", ())
    assert isinstance(table, AskOne)
    labels = [choice.label for choice in table.choices]
    assert labels[0] == "  1. settle at 16 Gullrock"
    assert labels[1] == "  2. raise 2 armies at 6 Oxhill  (refused)"
    line = dialogues.ask(game.view(0), 6, "list", ("1",))
    assert isinstance(line, AskOne)
    assert line.title.startswith("Raise 2 armies at 6 Oxhill. 6 Oxhill is no free land")


@pytest.mark.rule("GD-HQ-1")
def test_jump_leads_to_free_sites_before_one_is_chosen() -> None:
    game = begin('map = "west16"\nseats = 2\n')
    view = game.view(0)
    cells = PRESENTER.jumps(view, focus(view, 1), "idle")
    assert PRESENTER.status(view).left == "1 site to choose"
    assert {territory_at(view.world, *cell) for cell in cells} == set(free_sites(view))
    say(game, 0, "hq at=6")
    assert not PRESENTER.status(game.view(0)).left.endswith("site to choose")
