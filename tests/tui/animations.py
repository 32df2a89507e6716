"""Animations of games between computers: each scene with its boards, and its bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from engine.core import registry
from engine.core.archive import SeatPlayer
from engine.core.ids import Viewer
from engine.tabletop.presenter import presenter_of
from saves.archive import Folder
from study.screens.reasons import ReplayReasons
from tests.tui.piloted_app import Desk, InProcess
from tests.tui.scenes import orders
from tests.tui.two_terminals import Keeping
from tui.app.local import LocalApp
from tui.console.faults import keep
from tui.play.animation import BoardChange, PlaybackFrame, frames
from tui.play.playback import PlaybackScene
from tui.play.players import planned, request_at
from tui.play.setup import NewGame, begin, chosen_scenario, usual_level
from tui.play.table import Table

_LONGEST = 12
"""Maximum consecutive plans without an accepted command before a game is abandoned."""


class Animated(NamedTuple):
    """A scene that moves, with the boards before and after it."""

    scene: PlaybackScene
    change: BoardChange

    @property
    def frames(self) -> list[PlaybackFrame]:
        """Frames of the scene."""
        return frames(self.scene.facts, self.scene.moments, self.change)


def play(folder: Path, ruleset: str, scenario: str, entries: int, seed: bytes = b"1") -> None:
    """Save a game ``game`` in which computers have played up to ``entries`` entries."""
    rules = registry.find(ruleset)
    found = chosen_scenario(rules, scenario)
    names = rules.seat_names(found)[: rules.default_seats(found)]
    level = usual_level(rules)
    players = tuple(SeatPlayer(seat, name) for seat, name in enumerate(names))
    start = NewGame(ruleset, scenario, players=players, seed=seed, name="game")
    table = begin(Folder(folder), start, keep)
    idle = 0
    while len(table.game.log) < entries and idle < _LONGEST:
        owing = table.rules.owes(table.game.state)
        if not owing:
            break
        idle = 0 if _planned(table, min(owing), level, rests=idle > 1) else idle + 1
    table.close()


def play_orders(folder: Path) -> None:
    """Save a game ``game`` of regions with a turn of crossing attacks."""
    table = begin(Folder(folder), replace(orders(), name="game"), keep)
    for seat, line in ((0, "move path=6>4 count=12"), (0, "seal"), (1, "seal")):
        assert table.submit(seat, line).ok
    table.close()


def _planned(table: Table, seat: int, level: str, *, rests: bool) -> bool:
    """Submit a plan of a seat; return whether any command was accepted."""
    lines = planned(request_at(table, seat, rests=rests)._replace(level=level))
    accepted = [table.submit(seat, line).ok for line in lines]
    return any(accepted)


def animated(table: Table, viewer: Viewer, zoom: str = "") -> Iterator[Animated]:
    """Yield the scenes of a game that move, as a viewer sees them."""
    presenter = presenter_of(table.rules)
    zoom = zoom or presenter.zooms[0]
    chronicle = table.chronicle(viewer)
    for scene in chronicle.scenes(1, len(chronicle)):
        boards = (presenter.board(view, zoom) for view in (scene.before, scene.view) if view)
        before, *after = boards
        shown = Animated(scene, BoardChange(before, after[0] if after else before))
        if shown.frames:
            yield shown


@asynccontextmanager
async def watching(folder: Path, size: tuple[int, int]) -> AsyncIterator[tuple[Desk, Keeping]]:
    """Open the saved game on a screen whose output is kept."""
    app = LocalApp(Folder(folder), lambda: ReplayReasons, computer=InProcess(), open_name="game")
    app.driver_class = Keeping
    app.speed = 2
    try:
        async with app.run_test(headless=False, size=size) as pilot:
            at = Desk(app, pilot)
            await at.rest()
            while app.screen is not at.game:  # who is to act next, or how it ended
                app.pop_screen()
            await at.press("right", "left")
            assert isinstance(app._driver, Keeping)
            yield at, app._driver
    finally:
        app.close_all()


async def bytes_of(at: Desk, driver: Keeping, shown: Animated) -> int:
    """Return the bytes that an animation adds to a screen that already shows the end of its
    scene.
    """
    shows, board = at.game.shows, at.game.board
    spots = [fact.at for fact in shown.scene.facts if fact.at is not None]
    if spots:
        board.reveal(*spots[-1])
    shows.end_frames()
    at.game.sync()
    board.show(shown.change.after)
    await at.rest()
    driver.take()
    shows.play(shown.scene.facts, shown.scene.moments, shown.change)
    while shows.seconds_left:
        await at.pilot.pause(0.01)
    await at.rest()
    sent = len(driver.take().encode())
    at.game.sync()  # the game as it stands, under the last lines of a fight
    await at.rest()
    driver.take()
    shows.end_frames()
    await at.rest()
    return sent + len(driver.take().encode())
