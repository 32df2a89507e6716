"""A table: links, news, and secrets."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.core.archive import Header, SeatPlayer
from engine.core.dice import Dice
from engine.core.ids import PUBLIC
from engine.core.link import FeedItem
from engine.core.registry import find
from tests.contract.walks import offered
from tui.play.players import Computer, request_at
from tui.play.table import Table


def table(name: str, on_bug: Any = None, *levels: str) -> Table:
    rules = find(name)
    scenario = next(iter(rules.scenarios().values()))
    seats = range(rules.traits.seats[0])
    named = (*levels, *[""] * len(seats))
    players = tuple(SeatPlayer(seat, f"player {seat}", named[seat]) for seat in seats)
    header = Header(name, rules.schema, b"table", players)
    return Table.begin(rules, scenario, {}, header, on_bug=on_bug)


def heard_by(at: Table, viewer: int) -> list[FeedItem]:
    news: list[FeedItem] = []
    at.link(viewer).feed(news.append)
    return news


def test_open_events_reach_every_viewer() -> None:
    at = table("weltendaemmerung")
    news = [heard_by(at, viewer) for viewer in (0, 1, PUBLIC)]
    assert at.submit(0, "end-phase").ok
    assert [told[0].change for told in news] == ["played"] * 3
    assert [told[0].count for told in news] == [0] * 3


def test_secret_order_and_its_undo_stay_hidden_from_others() -> None:
    at = table("toy")
    own, other = heard_by(at, 0), heard_by(at, 1)
    order = next(c for c in offered(at.game, 0) if type(c).__name__ == "GiveOrder")
    at.game.submit(0, order)
    assert len(own) == 1
    assert at.submit(0, "undo").ok
    assert [news.change for news in own] == ["played", "rewound"]
    assert other == []


def test_game_with_secrets_refuses_branches() -> None:
    at = table("toy")
    order = next(c for c in offered(at.game, 0) if type(c).__name__ == "GiveOrder")
    at.game.submit(0, order)
    assert at.submit(1, "go 0").code == "NO_UNDO"


def test_spectators_give_no_commands() -> None:
    at = table("weltendaemmerung")
    assert at.link(PUBLIC).answer("end-phase").code == "NOT_YOUR_TURN"


@pytest.mark.parametrize("line", ["go 99999", "go -1", "go", "go 1 2", "undo 3", "", "{}", "\x00"])
def test_odd_lines_are_refused(line: str) -> None:
    reply = table("weltendaemmerung").submit(0, line)
    assert not reply.ok
    assert reply.text


def test_fault_in_the_rules_is_reported_and_the_game_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bugs: list[Any] = []
    at = table("weltendaemmerung", bugs.append)
    state = at.game.state

    def broken(_state: Any, _seat: int, _command: Any, _dice: Dice) -> Any:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(type(at.rules), "decide", staticmethod(broken))
    assert at.submit(0, "end-phase").code == "RULES_BUG"
    assert at.game.state is state
    assert "ZeroDivisionError" in bugs[0].trace
    monkeypatch.undo()
    assert at.submit(0, "end-phase").ok


def test_bots_think_in_a_separate_process() -> None:
    at = table("weltendaemmerung", None, "easy")
    lines: list[str] = []

    async def play() -> None:
        computer = Computer()
        try:
            lines.extend(await computer.plan(request_at(at, 0)))
        finally:
            computer.close()

    asyncio.run(play())
    assert lines
    assert at.submit(0, lines[0]).ok
