"""Houses with games in a folder, and people in them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engine.core.archive import Player
from engine.core.codec import decoder
from engine.core.ids import Seat
from engine.core.notation import write
from engine.core.registry import find
from saves.archive import Folder
from saves.dump import as_json, as_text
from tui.host.computers import Thinkers
from tui.host.game_server import GameHouse
from tui.host.people import KeyInfo, Person
from tui.host.ports import Ports
from tui.host.store import Store
from tui.play.players import think
from tui.play.setup import NewGame

ANNA, BERT, CARL = (Person(number, name) for number, name in enumerate(("Anna", "Bert", "Carl"), 1))
FORD = NewGame(
    "weltendaemmerung",
    "ford",
    players=(Player(0, "Eldoin"), Player(1, "Dailor")),
    seed=b"1",
    name="ford",
)
AGAINST_EASY = NewGame(
    "weltendaemmerung",
    "ford",
    players=(Player(0, "Eldoin"), Player(1, "Dailor", "easy")),
    seed=b"1",
    name="easy",
)


class InLoop(Thinkers):
    """Computer players without processes."""

    async def think(
        self,
        ruleset: str,
        level: str,
        view: bytes,
        seat: Seat,
        seed: bytes,
        entry: int,
        *,
        rests: bool = False,
    ) -> tuple[str, ...]:
        rules = find(ruleset)
        seen = decoder(rules.view_type).decode(view)
        return tuple(map(write, think(rules, level, seen, seat, seed, entry, rests=rests)))


def ports(folder: Path) -> Ports:
    archive = Folder(folder / "games")
    return Ports(
        archive=archive,
        dump=as_text,
        dump_json=as_json,
        raw=lambda name: archive.find(name).read_bytes(),
        on_bug=lambda bug: None,
        versions={},
    )


@asynccontextmanager
async def house(folder: Path) -> AsyncIterator[GameHouse]:
    """A house with three people."""
    store = Store.open(folder / "host.sqlite3")
    for person in (ANNA, BERT, CARL):
        if store.person(person.number) is None:
            store.enrol(store.invite(by=0), person.name, KeyInfo(f"SHA256:{person.name}"))
    made = GameHouse(ports(folder), store)
    made.thinkers = InLoop()
    await made.open_all()
    try:
        yield made
    finally:
        await made.close()
        store.close()


async def until(holds: Callable[[], Any], seconds: float = 10.0) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)
