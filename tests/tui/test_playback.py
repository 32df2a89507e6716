"""Animations and playback of other sides' turns; no key ever waits for them."""

from __future__ import annotations

from pathlib import Path

from engine.core.record import replace
from engine.tabletop.board import BoardMark, Line
from engine.tabletop.fact import EventMoment, Fact
from engine.tabletop.roles import MarkSign
from tests.tui.piloted_app import AGAINST_EASY, FORD, Desk, desk
from tests.tui.scenes import orders
from tui.play import playback
from tui.play.playback import PlaybackScene
from tui.play.setup import NewGame


def is_showing(at: Desk) -> bool:
    return at.game.shows.is_on


COMPUTER = NewGame("weltendaemmerung", "ford", players=AGAINST_EASY, seed=b"1", name="game")


async def test_move_glides_and_a_key_ends_it_at_once(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        at.app.speed = 2
        at.game.shows.play([Fact("move", 0, at=(x, 1)) for x in range(12)])
        assert at.game.board.drawing.flashed
        await at.press("right")
        assert not at.game.board.drawing.flashed
        assert not at.game.shows._frames


async def test_battle_fills_the_panel_blow_by_blow_until_a_key(tmp_path: Path) -> None:
    blows = [
        EventMoment((BoardMark(1, 1, MarkSign.TARGET, "x"),), (Line(f"Blow {number}"),))
        for number in range(1, 9)
    ]
    async with desk(tmp_path, start=FORD) as at:
        at.app.speed = 2
        before, panel = at.cursor, at.text
        at.game.shows.play([Fact("attack", 0, 1, at=(1, 1))], blows)
        assert at.game.shows.seconds_left > 0.5
        at.game.sync()
        await at.pilot.pause()
        assert "Blow 1" in at.text
        await at.press("right")
        assert "Blow" not in at.text
        assert at.cursor == (before[0] + 1, before[1])
        at.app.change(replace(at.app.settings, animation="off"))
        at.game.shows.play([Fact("attack", 0, 1, at=(1, 1))], blows)
        assert not at.game.shows.told
        await at.press("left")
        assert at.text == panel


async def test_nothing_is_animated_when_animation_is_off(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        at.app.speed = 2
        for wanted in ({"animation": "off"}, {"reader": "on"}):
            at.app.change(replace(at.app.settings, **wanted))
            at.game.shows.play([Fact("move", 0, at=(1, 1)), Fact("move", 0, at=(2, 1))])
            assert not at.game.board.drawing.flashed


async def test_turns_of_others_are_listed_and_played_back(tmp_path: Path) -> None:
    async with desk(tmp_path, start=COMPUTER) as at:
        await at.press("R")
        assert "Nobody else has moved yet." in at.note
        await at.press("e", "enter")
        await at.press("R")
        assert "While you were away" in at.text
        assert "Dailor: " in at.text
        await at.press("enter")
        await at.app.workers.wait_for_complete()
        await at.rest()
        assert not is_showing(at)
        assert at.game.board.board is at.game.session.board


async def test_playback_of_nothing_is_not_offered(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        for _ in range(2):
            await at.press("e", "enter")
        assert at.game.session.viewer == 0
        await at.press("R")
        assert at.app.screen is at.game
        assert at.note == "Nothing that you could see has happened since."


async def test_key_ends_the_playback_and_acts(tmp_path: Path) -> None:
    async with desk(tmp_path, start=COMPUTER) as at:
        await at.press("e", "enter")
        before = at.cursor
        at.app.speed = 0
        await at.pilot.press("R", "enter")
        await at.pilot.pause()
        assert is_showing(at)
        assert " of " in at.game.phase.text
        await at.press("right")
        await at.app.workers.wait_for_complete()
        await at.rest()
        assert not is_showing(at)
        assert at.cursor == (before[0] + 1, before[1])


async def test_resumed_game_offers_the_playback(tmp_path: Path) -> None:
    async with desk(tmp_path, start=COMPUTER) as at:
        await at.press("e", "enter")
        await at.press("q")
    async with desk(tmp_path, open_name="game") as at:
        while not at.game.log_view.lines:
            await at.pilot.pause()
        await at.rest()
        assert "Press R to see what happened since your last turn" in at.text


def test_playback_range_ends_where_the_seat_acted(tmp_path: Path) -> None:
    class Made:
        def __init__(self, seat: int) -> None:
            self.seat = seat

    def of(*seats: int) -> tuple[int, int]:
        return playback.stretch([Made(seat) for seat in seats], 0)  # type: ignore[misc]  # only seats matter

    assert of(-1) == (0, 0)
    assert of(-1, 0, 0) == (0, 0)
    assert of(-1, 0, 1, 1) == (2, 4)
    assert of(-1, 0, 1, 1, 0) == (2, 4)
    assert of(-1, 1, 0, 1, 0, 0) == (3, 4)


async def held(at: Desk) -> None:
    """Start the playback of a turn's orders, and pause it."""
    at.app.speed = 0
    await at.game.session.submit("move path=6>4 count=12")
    await at.press("s", "enter", "enter", "s")
    await at.pilot.press("enter")
    while not is_showing(at):
        await at.pilot.pause()
    await at.pilot.press("space")
    await at.pilot.pause()


async def turn(at: Desk, *keys: str) -> str:
    """Press keys of the playback; return its first row."""
    for key in keys:
        await at.pilot.press(key)
        while at.game.shows._turned:
            await at.pilot.pause(0.01)
        await at.pilot.pause()
    return at.rows()[0]


async def test_playback_moves_by_steps_and_by_phases(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await held(at)
        assert "held  1 of " in at.rows()[0]
        assert " NATURE " in at.rows()[0]
        assert "2 of " in await turn(at, "right_square_bracket")
        assert " BUILDING " in await turn(at, "right_curly_bracket")
        assert " ITEMS " in await turn(at, "right_curly_bracket")
        assert " BUILDING " in await turn(at, "left_curly_bracket")
        assert "Turn 4" not in at.text
        await at.pilot.press("escape")
        await at.rest()
        assert not is_showing(at)


async def test_playback_can_be_limited_to_one_seat(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await held(at)
        assert "only mine" in await turn(at, "O")
        seat, seen = at.game.session.viewer, []
        for _ in range(30):
            if not is_showing(at):
                break
            seen.append(at.game.shows._scenes[at.game.shows._at])
            await at.pilot.press("right_square_bracket")
            while at.game.shows._turned and is_showing(at):
                await at.pilot.pause(0.01)
        assert 3 < len(seen) < len(at.game.shows._scenes)
        assert all(scene.concerns(seat) for scene in seen)
        assert any(loss.seat == seat for scene in seen for loss in scene.losses)


async def test_losses_pause_the_playback_and_it_continues_after_them(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await held(at)
        for _ in range(5):
            await turn(at, "right_curly_bracket")
        assert "Lost so far" in at.text
        await at.press("P")
        assert "penalty" in at.text
        await at.press("escape")
        assert is_showing(at)
        assert "Lost so far" in at.text
        await at.press("escape")


async def test_minimap_follows_the_playback(tmp_path: Path) -> None:
    async with desk(tmp_path, start=COMPUTER) as at:
        await at.press("M", "e", "enter")
        at.app.speed = 0
        await at.pilot.press("R", "enter")
        await at.pilot.pause()
        assert is_showing(at)
        await at.pilot.press("space")
        while at.game.shows.seconds_left:
            await at.pilot.pause(0.01)
        assert at.game.board.board is not at.game.session.board
        assert at.game.minimap.display
        assert at.game.minimap._board is at.game.board.board
        await at.press("escape")
        await at.app.workers.wait_for_complete()
        await at.rest()
        assert at.game.minimap._board is at.game.session.board


def test_places_that_others_took_are_named() -> None:
    taken = Fact("capture", 1, 0, target="Gorm")
    facts = [taken, Fact("capture", 0, 1, target="Ulm"), Fact("capture", 1, target="Rook")]
    said = playback.places_lost(facts, 0, ["Anna", "Ben"])
    assert [line.text for line in said] == ["Lost to Ben: Gorm."]
    assert playback.has_lost_place([taken], 0)
    assert not playback.has_lost_place(facts[1:], 0)


def test_losses_are_counted_in_pieces() -> None:
    facts = [Fact("loss", 0, amount=3), Fact("loss", 0, amount=1), Fact("attack", 0, amount=9)]
    assert playback.summary(facts, ["Anna"])[0].text == "Anna: 1 attack, 4 losses."


def test_news_of_other_kinds_are_quoted_rather_than_denied() -> None:
    def scene(text: str, *facts: Fact) -> PlaybackScene:
        return PlaybackScene(None, (Line(text),), facts)

    found = [
        scene("The Action Phase begins.", Fact("phase", 0)),
        scene("Cleo founds a Castle."),
        scene("Ben draws a card.", Fact("other", 1)),
    ]
    said = [line.text for line in playback.uncounted(found)]
    assert said == ["Cleo founds a Castle.", "Ben draws a card."]
