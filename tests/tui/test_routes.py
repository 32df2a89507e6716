"""Routes in words: a march that meets nothing takes the turns that ``route`` says."""

from __future__ import annotations

import random
from typing import Final

import pytest

from engine.core import registry
from engine.core.archive import Header, SeatPlayer
from engine.core.notation import write
from engine.strategic.commands import March
from tui.linemode.line_seat import LineSeat
from tui.play.setup import chosen_scenario, usual_players
from tui.play.table import Table

ANSWERS: Final = ("hire accept=no", "settle fate=occupy", "ask-sage wish=gold")
"""Answers to the questions that an end of a turn may meet."""


def begun(name: str, scenario: str) -> tuple[Table, dict[int, LineSeat]]:
    """Return a game of people, and their seats."""
    rules = registry.find(name)
    scene = chosen_scenario(rules, scenario)
    players = tuple(SeatPlayer(one.seat, one.name) for one in usual_players(rules, scene))
    scene = rules.with_seats(scene, len(players), frozenset())
    header = Header(name, rules.schema, bytes(16), players)
    table = Table.begin(rules, scene, {}, header)
    return table, {one.seat: LineSeat(table, one.seat) for one in players}


def end_turns(table: Table, clients: dict[int, LineSeat], until: int) -> None:
    """End the turn of a seat and those of all others."""
    for turn in range(2 * len(clients)):
        acting = table.to_act()
        if acting is None or (turn and acting == until):
            break
        client = clients[acting]
        while not client.give("end-turn").ok:
            assert any(client.give(line).ok for line in ANSWERS)
    clients[until].give(ANSWERS[0])


def arrival(table: Table, clients: dict[int, LineSeat], order: March) -> int | None:
    """March until the goal is reached; return the turn, or None if something came between."""
    seat = table.to_act()
    assert seat is not None
    for turn in range(15):
        reply = clients[seat].give(write(order))
        rows = [table.game.state.armies.get(army) for army in order.armies]
        if None in rows or table.game.state.pending is not None or not reply.ok:
            return None
        if all(row.at == order.to for row in rows):
            return turn
        end_turns(table, clients, seat)
    return None


@pytest.mark.parametrize(("name", "scenario"), [("lordsawar", "border"), ("warlords2", "skirmish")])
def test_a_march_takes_the_turns_that_its_route_says(name: str, scenario: str) -> None:
    table, clients = begun(name, scenario)
    chance, compared = random.Random(5), 0  # noqa: S311 - no secret
    for _ in range(12):
        seat = table.to_act()
        assert seat is not None
        client = clients[seat]
        client.give(ANSWERS[0])
        group = table.game.state.armies.values()
        able = [army for army in group if army.owner == seat and army.points > 0]
        army = chance.choice(able)
        client.point(*army.at)
        goal = chance.randrange(client.board.width), chance.randrange(client.board.height)
        marks = client.presenter.route(client.view, client.focus, *goal)
        if marks and (marks[-1].x, marks[-1].y) == goal != army.at:
            stack = [one for one in able if one.at == army.at and one.aboard == army.aboard]
            turns = arrival(table, clients, March(tuple(one.id for one in stack), goal))
            assert turns in {None, marks[-1].turn}, (army.at, goal)
            compared += turns is not None
        end_turns(table, clients, seat)
    assert compared > 2
