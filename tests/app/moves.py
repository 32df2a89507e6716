"""Count moves, and look for them in the saves after everything that happened to the host."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import asyncssh

from engine.core.codec import encode_json
from host.server.store import Store
from saves.archive import Folder
from tests.app.host_program import HostProgram
from tests.app.lines import Bot, Line


class Moves:
    """Record of one person's moves in games where they play both seats."""

    def __init__(self, seed: int) -> None:
        self.acknowledged = 0
        self._chance = random.Random(seed)  # noqa: S311 - which moves are made
        self._done: dict[int, list[tuple[bool, tuple[int, Any]]]] = {}
        """By game: each requested move, and whether it was acknowledged."""

    async def play(self, line: Line, game: int, most: int) -> bool:
        """Make up to ``most`` moves while the connection lasts; return whether the game goes on."""
        bots = [await line.bot(game, seat) for seat in ("Eldoin", "Dailor")]
        try:
            return await self._play_on(game, bots, most)
        except (asyncssh.Error, EOFError, OSError):
            # The game may have ended while no bot listened.
            if any([await bot.is_over() for bot in bots]):
                return False
            raise

    async def _play_on(self, game: int, bots: Sequence[Bot], most: int) -> bool:
        for bot in bots:
            await bot.ready()
        for _ in range(most):
            for seat, bot in enumerate(bots):
                offers = (await bot.ask(type="offers")).get("commands", ())
                if offers:
                    await self._make(game, seat, bot, self._chance.choice(offers))
                    break
            else:
                return False
        return True

    async def _make(self, game: int, seat: int, bot: Bot, command: Any) -> None:
        done = self._done.setdefault(game, [])
        done.append((False, (seat, command)))
        answer = await bot.ask(type="act", command=command)
        if answer["type"] == "done":
            done[-1] = True, done[-1][1]
            self.acknowledged += 1
        else:
            done.pop()

    def lost(self, host: HostProgram) -> list[str]:
        """Return the games whose saves lack an acknowledged move or hold a move that was never
        made.
        """
        archive = Folder(host.folder / "games")
        store = Store.open(host.folder / "host.sqlite3")
        saves = {row.number: row.save for row in store.games()}
        store.close()
        wrong = []
        for game, done in self._done.items():
            entries = [
                (entry.seat, json.loads(encode_json(entry.command)))
                for entry in archive.read(saves[game]).log.line()
                if entry.seat >= 0
            ]
            if not _agree(entries, done):
                wrong.append(saves[game])
        return wrong


def _agree(entries: list[tuple[int, Any]], done: list[tuple[bool, tuple[int, Any]]]) -> bool:
    """Return whether entries are all acknowledged moves and perhaps some unacknowledged ones."""
    places = {0}
    for was_told, deed in done:
        after = {at + 1 for at in places if at < len(entries) and entries[at] == deed}
        places = after if was_told else places | after
    return len(entries) in places
