"""Names of rulesets, scenarios, options, levels and commands."""

from __future__ import annotations

from engine.core import registry
from engine.core.notation import usage, write
from engine.core.options import Option
from engine.core.record import Command
from tui.play.scenarios import find_rules


def rulesets() -> tuple[str, ...]:
    """Return the names of all rulesets.

    >>> banneret.rulesets()[:2]
    ('weltendaemmerung', 'gd6')
    """
    return registry.names()


def scenarios(ruleset: str) -> tuple[str, ...]:
    """Return the names of the scenarios of a ruleset; the first is the default.

    >>> banneret.scenarios("weltendaemmerung")
    ('thainfal', 'ford')

    Raises:
        Wrong: there is no such ruleset.
    """
    return tuple(find_rules(ruleset).scenarios())


def options(ruleset: str) -> dict[str, Option]:
    """Return the options of a ruleset: ``text``, and ``choices`` or ``low`` and ``high``.

    If an option's ``default`` is None, the scenario sets it.

    >>> banneret.options("weltendaemmerung")["west_edge_win"].choices
    ('on', 'off')

    Raises:
        Wrong: there is no such ruleset.
    """
    return {option.name: option for option in find_rules(ruleset).options}


def levels(ruleset: str) -> tuple[str, ...]:
    """Return the levels of the computer players of a ruleset, weakest first.

    >>> banneret.levels("kaladan")
    ('easy', 'normal', 'hard')

    Raises:
        Wrong: there is no such ruleset.
    """
    return tuple(find_rules(ruleset).bots)


def commands(ruleset: str) -> list[str]:
    """Return the notation of the commands of a ruleset, one line each.

    >>> banneret.commands("weltendaemmerung")[1]
    'move unit=<a whole number> path=<a sequence joined by > of a place x,y>'

    Raises:
        Wrong: there is no such ruleset.
    """
    return usage(find_rules(ruleset).command_type)


def notation(command: Command) -> str:
    """Return the line of notation of a command.

    >>> game = banneret.new_game("weltendaemmerung", scenario="ford")
    >>> banneret.notation(next(game.offers()))
    'step unit=0 direction=up'
    """
    return write(command)
