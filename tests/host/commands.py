"""Games and answers for tests of ``ssh HOST COMMAND``."""

from __future__ import annotations

import asyncssh

from engine.core.archive import SeatPlayer
from tests.host.fakes import ANNA, BERT, FakeHosted
from tests.host.shell import Shell
from tui.console.exits import Exit
from tui.play.setup import NewGame

FORD = NewGame(
    "weltendaemmerung",
    "ford",
    players=(SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor")),
    seed=b"1",
    name="ford",
)
WEST = NewGame(
    "gd6",
    "west",
    players=tuple(SeatPlayer(seat, "ABC"[seat]) for seat in range(3)),
    seed=b"1",
    name="west",
)
TOY = NewGame(
    "toy", players=(SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch")), seed=b"1", name="toy"
)


async def finished(shell: Shell) -> FakeHosted:
    """Play a game of Anna and Bert to its end."""
    hosted = shell.game_server.start(ANNA, FORD)
    await hosted.sit(BERT, 1)
    while not hosted.is_over:
        person = ANNA if 0 in hosted.owing else BERT
        assert (await hosted.submit(person, min(hosted.owing), "end-phase")).ok
    return hosted


def said(ended: asyncssh.SSHCompletedProcess) -> str:
    assert ended.exit_status == Exit.OK, ended.stderr
    assert isinstance(ended.stdout, str)
    return ended.stdout
