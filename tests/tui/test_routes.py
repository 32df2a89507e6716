"""Routes in words: a march that meets nothing takes the turns that ``route`` says."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core import registry
from engine.core.archive import Header, SeatPlayer
from engine.core.notation import write
from engine.kit.grid import Place
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


@pytest.mark.parametrize(
    ("name", "scenario", "goals"),
    [
        ("lordsawar", "border", [(16, 13), (19, 18), (16, 17), (8, 12)]),
        ("warlords2", "skirmish", [(12, 4), (6, 8), (20, 10), (14, 12)]),
    ],
)
def test_a_march_takes_the_turns_that_its_route_says(
    name: str, scenario: str, goals: list[Place]
) -> None:
    """Some goals lie beyond water: ships have moves of their own, and armies land on the way."""
    table, clients = begun(name, scenario)
    compared = 0
    for goal in goals:
        seat = table.to_act()
        assert seat is not None
        client = clients[seat]
        client.give(ANSWERS[0])
        armies = table.game.state.armies.values()
        at = next(army.at for army in armies if army.owner == seat and army.points > 0)
        group = tuple(
            army.id for army in armies if army.owner == seat and army.points and army.at == at
        )
        client.point(*at)
        marks = client.presenter.route(client.view, client.focus, *goal)
        if marks and (marks[-1].x, marks[-1].y) == goal != at:
            turns = arrival(table, clients, March(group, goal))
            assert turns in {None, marks[-1].turn}, (at, goal)
            compared += turns is not None
        end_turns(table, clients, seat)
    assert compared > 1
