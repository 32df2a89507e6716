"""How many play: the scenario for a number of players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.core.archive import Player
from engine.core.ids import Seat
from engine.core.log import EventLog
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault


def fitted(
    rules: AnyRuleset, scenario: Scenario, seats: int, computers: frozenset[Seat] = frozenset()
) -> Scenario:
    """The scenario for so many players; ``computers`` are the seats of those that are none.

    Raises:
        ScenarioFault: it is for fewer or more.
    """
    least, most = rules.room(scenario)
    if not least <= seats <= most:
        room = f"{least} players" if least == most else f"{least} to {most} players"
        raise ScenarioFault("", f"{scenario.title} is for {room}, not for {seats}")
    return rules.seated(scenario, seats, computers)


def names_in(rules: AnyRuleset, log: EventLog[Any, Any]) -> tuple[str, ...]:
    """What the seats of a game are called, out of the first event of its log."""
    first = next((event for entry in log.line()[:1] for event in entry.events), None)
    if first is None:
        return rules.traits.seat_names
    scenario, _ = rules.setup(first)
    return rules.seat_names(scenario)


def computers_among(players: Iterable[Player]) -> frozenset[Seat]:
    """The seats that computer players begin on."""
    return frozenset(player.seat for player in players if player.bot)
