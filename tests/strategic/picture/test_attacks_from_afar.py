"""Forecasts of attacks from afar have the strengths of the battles that follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from engine.core import registry
from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.ids import REFEREE
from engine.core.options import Value
from engine.core.refused import Refused
from engine.core.scenarios import fitted
from engine.strategic.commands import March
from engine.strategic.events import BattleFought, Fighter
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.forecast import battle_forecast
from engine.strategic.picture.moving import reach_of
from engine.strategic.picture.presenter import StrategicPicture
from engine.strategic.pieces import Army
from engine.tabletop.presenter import presenter_of

ADVISED: dict[str, dict[str, Value]] = {"warlords2": {}, "lordsawar": {"military_advisor": "on"}}


def positions(name: str, scenario: str, rounds: int) -> Iterator[tuple[Any, Any]]:
    """Yield ruleset and game before each turn of computer players."""
    rules: Any = registry.find(name)
    scene = rules.scenarios()[scenario]
    most = rules.seat_range(scene)[1]
    seated = fitted(rules, scene, most, frozenset(range(most)))
    game: Any = Game.begin(rules, seated, ADVISED[name], b"afar")
    while rules.owes(game.state) and game.state.turn <= rounds:
        yield rules, game
        seat = min(rules.owes(game.state))
        view, dice = game.view(seat), Seeded(b"afar", len(game.log), f"bot:{seat}")
        for command in rules.bots["easy"].plan(view, partial(rules.offers, view), dice):
            if seat not in rules.owes(game.state):
                break
            with suppress(Refused):
                game.submit(seat, command)


def forces(fighters: Iterable[Fighter]) -> dict[int, int]:
    return {one.army: one.strength for one in fighters}


def stacks(context: PictureContext) -> Iterator[tuple[Army, ...]]:
    """Yield the stacks of the side to act that have moves left."""
    for stack in context.stacks.values():
        if stack[0].owner == context.actor and (able := tuple(a for a in stack if a.points)):
            yield able


@pytest.mark.parametrize(
    ("name", "scenario", "rounds"),
    [("warlords2", "skirmish", 5), ("lordsawar", "isles", 2), ("lordsawar", "ford", 16)],
)
def test_forecast_from_afar_has_the_strengths_of_the_battle(
    name: str, scenario: str, rounds: int
) -> None:
    picture = presenter_of(registry.find(name))
    assert isinstance(picture, StrategicPicture)
    compared = 0
    for rules, game in positions(name, scenario, rounds):
        context = picture.context(game.view(REFEREE))
        for group in stacks(context):
            for at, start in reach_of(context, group).targets.items():
                if start == group[0].at:
                    continue
                order = March(tuple(army.id for army in group), at)
                try:
                    events = rules.decide(game.state, context.actor, order, Seeded(b"dice", 0, ""))
                except Refused:
                    continue
                battle = next((event for event in events if isinstance(event, BattleFought)), None)
                found = battle_forecast(context, group, at)
                if battle is None or found is None or found.forecast.lineup is None:
                    continue
                foreseen = found.forecast.lineup
                assert forces(foreseen.attackers.fighters) == forces(battle.attackers)
                assert forces(foreseen.defenders.fighters) == forces(battle.defenders)
                compared += 1
    assert compared > 20
