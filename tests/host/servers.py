"""Game servers with games in a folder, and people in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from engine.core.archive import SeatPlayer
from host.server.game_server import GameServer
from host.server.people import KeyInfo, Person
from host.server.ports import Ports
from host.server.store import Store
from saves.archive import Folder
from saves.reader import as_json, as_text
from tui.play.players import PlanRequest, PlanWorkers, planned
from tui.play.setup import NewGame

ANNA, BERT, CARL = (Person(number, name) for number, name in enumerate(("Anna", "Bert", "Carl"), 1))
FORD = NewGame(
    "weltendaemmerung",
    "ford",
    players=(SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor")),
    seed=b"1",
    name="ford",
)
AGAINST_EASY = NewGame(
    "weltendaemmerung",
    "ford",
    players=(SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor", "easy")),
    seed=b"1",
    name="easy",
)


class InLoop(PlanWorkers):
    """Computer players that plan in this process."""

    async def plan(self, request: PlanRequest) -> tuple[str, ...]:
        return planned(request)


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
async def game_server(folder: Path) -> AsyncIterator[GameServer]:
    """Run a game server with accounts for three people."""
    store = Store.open(folder / "host.sqlite3")
    for person in (ANNA, BERT, CARL):
        if store.person(person.number) is None:
            store.enrol(store.invite(by=0), person.name, KeyInfo(f"SHA256:{person.name}"))
    made = GameServer(ports(folder), store)
    made.plan_workers = InLoop()
    await made.open_all()
    try:
        yield made
    finally:
        await made.close()
        store.close()
