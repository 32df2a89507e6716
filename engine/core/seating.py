"""How many play: the scenario for a number of players."""

from __future__ import annotations

from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault


def fitted(rules: AnyRuleset, scenario: Scenario, seats: int) -> Scenario:
    """The scenario for so many players.

    Raises:
        ScenarioFault: it is for fewer or more.
    """
    least, most = rules.room(scenario)
    if not least <= seats <= most:
        room = f"{least} players" if least == most else f"{least} to {most} players"
        raise ScenarioFault("", f"{scenario.title} is for {room}, not for {seats}")
    return rules.seated(scenario, seats)
