"""Names of all there is: rulesets, scenarios, options, levels, commands."""

from __future__ import annotations

from engine.core import registry
from engine.core.notation import usage, write
from engine.core.options import Option
from engine.core.record import Command
from tui.play.scenarios import find_rules


def rulesets() -> tuple[str, ...]:
    """Names of all games.

    >>> banneret.rulesets()[:2]
    ('weltendaemmerung', 'gd6')
    """
    return registry.names()


def scenarios(ruleset: str) -> tuple[str, ...]:
    """Names of the scenarios of a game; the first is the usual one.

    >>> banneret.scenarios("weltendaemmerung")
    ('thainfal', 'ford')

    Raises:
        Wrong: there is no such ruleset.
    """
    return tuple(find_rules(ruleset).scenarios())


def options(ruleset: str) -> dict[str, Option]:
    """Options of a game, each with ``text``, and its ``choices`` or ``low`` and ``high``.

    A ``default`` of None leaves an option to the scenario.

    >>> banneret.options("weltendaemmerung")["west_edge_win"].choices
    ('on', 'off')

    Raises:
        Wrong: there is no such ruleset.
    """
    return {option.name: option for option in find_rules(ruleset).options}


def levels(ruleset: str) -> tuple[str, ...]:
    """Levels of the computer players of a game, weakest first.

    >>> banneret.levels("kaladan")
    ('easy', 'normal', 'hard')

    Raises:
        Wrong: there is no such ruleset.
    """
    return tuple(find_rules(ruleset).bots)


def commands(ruleset: str) -> list[str]:
    """The commands of a game, a line for each: how it is written.

    >>> banneret.commands("weltendaemmerung")[1]
    'move unit=<a whole number> path=<a sequence joined by > of a place x,y>'

    Raises:
        Wrong: there is no such ruleset.
    """
    return usage(find_rules(ruleset).command_type)


def notation(command: Command) -> str:
    """The line of a command.

    >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
    >>> banneret.notation(next(game.offers()))
    'step unit=0 direction=up'
    """
    return write(command)
