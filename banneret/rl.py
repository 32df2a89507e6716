"""Banneret's games as environments of PettingZoo; it needs ``pip install 'banneret[rl]'``.

>>> from banneret import rl
>>> env = rl.turn_env("kaladan", scenario="duel", bots={1: "easy"})
>>> env.reset(seed=3)
>>> for agent in env.agent_iter():
...     seen, reward, over, cut, info = env.last()
...     env.step(None if over or cut else env.action_space(agent).sample(seen["action_mask"]))
>>> env.table.is_over, env.agents
(True, [])

**Actions** are numbers below ``actions`` (512). Number k is offer k of the seat, in the order of
``banneret.Position.offers``; their lines are ``info["offers"]``. The last two numbers are no
offers: ``actions - 2`` is the smallest answer that advances the game (``info["rest"]``: the end of
the turn, or of a question), and ``actions - 1`` turns to the next page of offers, if there are more
than ``actions - 2``. ``action_mask`` is 1 for possible actions; any other action counts as
``actions - 2``.

**Observations** are exactly what the seat sees: see ``study.lab.positions``. Planes are
arrays, rosters and lists are tables with a fixed number of rows, and everything else is one row of
``numbers``; ``env.columns`` names all columns. ``rows={"armies": 256}`` sets a table's rows.

**Rewards** come at the end: 1 for a seat that wins alone, and -1 shared by the others; without a
winner all have 0. ``rewards`` can replace this by a function of a change of the game (with
``rules``, ``entry``, and the states ``before`` and ``after``) and the number of seats that returns
the rewards of all seats.

**Games in which all seats act at once** have two environments. ``orders_env`` asks all seats
together: the actions of a step are all chosen in the same position, and a seat that has sealed its
orders waits. ``turn_env`` asks one seat after the other; as a view contains no orders of other
seats, it is the same game. Neither environment wraps the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.core.options import Value
from saves.archive import Folder
from study.lab.env_game import ACTIONS, LONGEST_GAME, Rewards, share_of_victory
from tui.console.exits import Wrong

try:
    from study.lab import environments
except Wrong as missing:
    raise ImportError(str(missing)) from None

if TYPE_CHECKING:
    from study.lab.environments import OrdersEnv, TurnEnv
else:
    OrdersEnv, TurnEnv = environments.OrdersEnv, environments.TurnEnv

__all__ = ["OrdersEnv", "Rewards", "TurnEnv", "orders_env", "share_of_victory", "turn_env"]


def turn_env(  # noqa: PLR0913 - as an environment is named
    ruleset: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, Value] | None = None,
    seats: int | None = None,
    bots: Mapping[int, str] | None = None,
    seed: int = 1,
    actions: int = ACTIONS,
    longest: int = LONGEST_GAME,
    rewards: Rewards | None = None,
    rows: Mapping[str, int] | None = None,
    render_mode: str | None = None,
) -> TurnEnv:
    """Return an environment for any ruleset where one seat acts at a time (PettingZoo's AEC).

    >>> env = banneret.rl.turn_env("weltendaemmerung", scenario="ford")
    >>> env.reset(seed=1)
    >>> seen, reward, over, cut, info = env.last()
    >>> info["offers"][0], seen["observation"]["terrain"].shape
    ('step unit=0 direction=up', (12, 20))
    >>> env.step(0)

    Args:
        ruleset: name of the ruleset.
        scenario: name or file; by default the first one.
        options: the options that are not at their defaults.
        seats: number of seats; by default that of the scenario.
        bots: levels of the computer players by seat; these seats are no agents.
        seed: seed of the first game; each ``reset`` without a seed takes the next seed.
        actions: number of actions.
        longest: number of actions after which a game is cut off.
        rewards: function of a change of the game and the number of seats.
        rows: number of rows of observation tables, by name.
        render_mode: ``ansi`` to make ``render`` return text.

    Raises:
        Wrong: a setting is not possible.
    """
    return environments.TurnEnv(
        ruleset,
        scenario=scenario,
        options=options,
        seats=seats,
        bots=bots,
        seed=seed,
        actions=actions,
        longest=longest,
        rewards=rewards,
        rows=rows,
        render_mode=render_mode,
        archive=Folder(),
    )


def orders_env(  # noqa: PLR0913 - as an environment is named
    ruleset: str,
    *,
    scenario: str | None = None,
    options: Mapping[str, Value] | None = None,
    seats: int | None = None,
    bots: Mapping[int, str] | None = None,
    seed: int = 1,
    actions: int = ACTIONS,
    longest: int = LONGEST_GAME,
    rewards: Rewards | None = None,
    rows: Mapping[str, int] | None = None,
    render_mode: str | None = None,
) -> OrdersEnv:
    """Return an environment where all seats act at once (PettingZoo's ParallelEnv).

    It is for rulesets with simultaneous orders.

    >>> env = banneret.rl.orders_env("gd6", scenario="ring")
    >>> seen, infos = env.reset(seed=1)
    >>> env.agents
    ['seat_0', 'seat_1', 'seat_2']
    >>> seen, rewards, over, cut, infos = env.step({agent: 0 for agent in env.agents})

    Args:
        ruleset: name of the ruleset.
        scenario: name or file; by default the first one.
        options: the options that are not at their defaults.
        seats: number of seats; by default that of the scenario.
        bots: levels of the computer players by seat; these seats are no agents.
        seed: seed of the first game; each ``reset`` without a seed takes the next seed.
        actions: number of actions.
        longest: number of steps after which a game is cut off.
        rewards: function of a change of the game and the number of seats.
        rows: number of rows of observation tables, by name.
        render_mode: ``ansi`` to make ``render`` return text.

    Raises:
        Wrong: a setting is not possible, or the game is played in turns.
    """
    return environments.OrdersEnv(
        ruleset,
        scenario=scenario,
        options=options,
        seats=seats,
        bots=bots,
        seed=seed,
        actions=actions,
        longest=longest,
        rewards=rewards,
        rows=rows,
        render_mode=render_mode,
        archive=Folder(),
    )
