"""Environments for learning, as PettingZoo defines them, and ``banneret lab env-check``.

``TurnEnv`` asks one seat after another and supports every ruleset. In simultaneous games seats are
asked in their order. No view shows the orders of another seat, so being asked last is no advantage.
``OrdersEnv`` supports only simultaneous games and asks all seats that owe orders together.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from engine.core.archive import Archive
from engine.core.codec import encode_json
from engine.core.ids import REFEREE, Seat
from engine.core.notation import write
from engine.core.record import Record
from engine.core.replay import verify
from study.lab.env_game import EnvGame, EnvSetup, env_setup, read_options, write_game
from study.lab.positions import board_text
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, say, say_json

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as missing:
    raise Wrong(f"{missing}; environments need: pip install 'banneret[rl]'") from None

Observation: TypeAlias = dict[str, Any]
"""``observation``, the arrays of a view, and ``action_mask``."""

_INT32: Final = np.iinfo(np.int32)


def agent_name(seat: Seat) -> str:
    """Return the name of an agent.

    >>> agent_name(0)
    'seat_0'
    """
    return f"seat_{seat}"


def agent_seat(agent: str) -> Seat:
    """Return the seat of an agent."""
    return int(agent.removeprefix("seat_"))


class _EnvCore:
    """Common part of both kinds of environments: the game, the spaces, saves."""

    def __init__(
        self, setup: EnvSetup, seed: int, archive: Archive | None, render_mode: str | None
    ) -> None:
        if render_mode not in {None, "ansi"}:
            raise Wrong(f"there is no render mode {render_mode!r}; known: ansi")
        self.setup, self.render_mode, self._archive = setup, render_mode, archive
        self.table = EnvGame(setup, seed)
        """The current game."""
        self._next_seed = seed
        self.metadata: dict[str, Any] = {
            "name": f"{setup.rules.name}_v1",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.possible_agents = [agent_name(seat) for seat in self.table.learners]
        self.agents: list[str] = []
        self.columns = self.table.layout.columns
        """Names of the columns of each table of an observation, and of its numbers."""
        seen = spaces.Dict(
            {
                name: spaces.Box(_INT32.min, _INT32.max, shape, np.int32)
                for name, shape in (*self.table.layout.shapes.items(), ("page", (2,)))
            }
        )
        mask = spaces.Box(0, 1, (setup.actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(setup.actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """Return the whole game as text if the render mode is ``ansi``, or else None."""
        if self.render_mode is None:
            return None
        return board_text(self.setup.rules, self.table.game.view(REFEREE), REFEREE)

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def save(self, path: str | Path) -> Path:
        """Write the current game as a new save; return its path.

        Raises:
            SaveFault: the file exists already, or cannot be written.
        """
        if self._archive is None:
            raise Wrong("this environment was made without an archive")
        write_game(self._archive, path, self.table.header(), self.table.game.log)
        return Path(path)

    def _restart(self, seed: int | None) -> None:
        """Begin the next game with ``seed``, or with the seed after the last one."""
        self.table.restart(self._next_seed if seed is None else seed)
        self._next_seed = self.table.seed + 1
        self.agents = list(self.possible_agents)

    def _is_done(self) -> bool:
        return self.table.is_over or self.table.is_cut

    def _observed(self, agent: str, *, acts: bool) -> Observation:
        seat = agent_seat(agent)
        mask = self.table.menu(seat).mask if acts else np.zeros(self.setup.actions, np.int8)
        return {"observation": self.table.observation(seat), "action_mask": mask}

    def _info(self, agent: str, refusals: Mapping[Seat, str], *, acts: bool) -> dict[str, Any]:
        refusal = refusals.get(agent_seat(agent))
        info: dict[str, Any] = {} if refusal is None else {"refused": refusal}
        if acts:
            menu = self.table.menu(agent_seat(agent))
            info["offers"] = menu.notation()
            info["rest"] = tuple(map(write, menu.rest))
        return info


class TurnEnv(_EnvCore, AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Environment in which one seat acts at a time; use ``turn_env``."""

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:  # noqa: ARG002 - as PettingZoo calls it
        """Begin a game with ``seed``, or with the seed after the last one."""
        self._restart(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._turn({})

    def step(self, action: int | None) -> None:
        """Execute an action of the agent that must act; None if that agent is out of the game."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = agent_seat(agent)
        commands = self.table.commands(seat, -1 if action is None else int(action))
        gained, refusals = self.table.carry_out({seat: commands})
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {one: gained[agent_seat(one)] for one in self.agents}
        self._accumulate_rewards()
        self._turn(refusals)

    def observe(self, agent: str) -> Observation:
        """Return the observation of an agent; only the agent that must act has possible actions."""
        acts = agent == self.agent_selection and not self._is_done()
        return self._observed(agent, acts=acts)

    def _turn(self, refusals: Mapping[Seat, str]) -> None:
        """Set the agent that must act, and the agents that are out of the game."""
        self.terminations = dict.fromkeys(self.agents, self.table.is_over)
        self.truncations = dict.fromkeys(self.agents, self.table.is_cut)
        acts = not self._is_done()
        seat = self.table.owing[0] if acts else agent_seat(self.agents[0])
        self.agent_selection = agent_name(seat)
        self.infos = {
            agent: self._info(agent, refusals, acts=acts and agent == self.agent_selection)
            for agent in self.agents
        }


class OrdersEnv(_EnvCore, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Environment in which all seats give orders at once; use ``orders_env``.

    The actions of a step were all possible in the same position. An agent that owes nothing waits:
    its only action is the least answer, which does nothing.
    """

    def reset(
        self,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,  # noqa: ARG002 - as PettingZoo calls it
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game with ``seed``, or with the seed after the last one.

        Return (observations, infos) by agent.
        """
        self._restart(seed)
        return self._seen(), self._infos({})

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Execute an action of each agent; an agent without an action does nothing.

        Return (observations, rewards, terminations, truncations, infos) by agent, as PettingZoo
        defines.
        """
        owing = self.table.owing
        orders = {
            seat: self.table.commands(seat, int(actions[agent_name(seat)]))
            for seat in owing
            if agent_name(seat) in actions
        }
        gained, refusals = self.table.carry_out(orders)
        agents = self.agents
        rewards = {agent: gained[agent_seat(agent)] for agent in agents}
        over, cut = self.table.is_over, self.table.is_cut
        seen, infos = self._seen(), self._infos(refusals)
        if over or cut:
            self.agents = []
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, cut), infos

    def _seen(self) -> dict[str, Observation]:
        return {agent: self._seen_by(agent) for agent in self.agents}

    def _seen_by(self, agent: str) -> Observation:
        found = self._observed(agent, acts=self._acts(agent))
        if not found["action_mask"].any():
            found["action_mask"][-2] = 1
        return found

    def _infos(self, refusals: Mapping[Seat, str]) -> dict[str, dict[str, Any]]:
        return {agent: self._info(agent, refusals, acts=self._acts(agent)) for agent in self.agents}

    def _acts(self, agent: str) -> bool:
        return not self._is_done() and agent_seat(agent) in self.table.owing


def turn_env(
    ruleset: str,
    *,
    seed: int = 1,
    archive: Archive | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> TurnEnv:
    """Create an environment in which one seat acts at a time, for any ruleset.

    Args:
        ruleset: its name.
        seed: seed of the first game; later games increase it by one.
        archive: store in which games can be saved.
        render_mode: ``ansi`` if ``render`` must return text.
        settings: those of ``env_setup``.

    Raises:
        Wrong: a setting does not fit.
    """
    return TurnEnv(env_setup(ruleset, **settings), seed, archive, render_mode)


def orders_env(
    ruleset: str,
    *,
    seed: int = 1,
    archive: Archive | None = None,
    render_mode: str | None = None,
    **settings: Any,
) -> OrdersEnv:
    """Create an environment in which all seats give orders at once, for simultaneous rulesets.

    Args:
        ruleset: its name.
        seed: seed of the first game; later games increase it by one.
        archive: store in which games can be saved.
        render_mode: ``ansi`` if ``render`` must return text.
        settings: those of ``env_setup``.

    Raises:
        Wrong: a setting does not fit, or the game is played in turns.
    """
    setup = env_setup(ruleset, **settings)
    if not setup.rules.traits.simultaneous:
        raise Wrong(f"{ruleset} is played in turns; its environment is turn_env")
    return OrdersEnv(setup, seed, archive, render_mode)


# -- banneret lab env-check --------------------------------------------------------------------


class EnvCheck(Record, frozen=True):
    """Result of a check of an environment; it passed if ``fault`` is empty."""

    name: str
    seconds: float
    fault: str = ""


def env_checks(archive: Archive, ruleset: str, cycles: int, **settings: Any) -> Iterator[EnvCheck]:
    """Yield the results of PettingZoo's checks for a ruleset, and of verifying a save."""
    from pettingzoo.test import (  # noqa: PLC0415 - loads a second's worth of modules
        api_test,
        parallel_api_test,
        parallel_seed_test,
        seed_test,
    )

    def turns() -> TurnEnv:
        return turn_env(ruleset, archive=archive, **settings)

    def orders() -> OrdersEnv:
        return orders_env(ruleset, archive=archive, **settings)

    setup = env_setup(ruleset, **settings)
    seats = len(setup.seats)
    checks: dict[str, Callable[[], object]] = {
        "api_test": lambda: api_test(turns(), num_cycles=cycles),
        "seed_test": lambda: seed_test(turns, num_cycles=max(1, cycles // seats)),
        "save": lambda: check_save(archive, turns(), cycles),
    }
    if setup.rules.traits.simultaneous:
        checks["parallel_api_test"] = lambda: parallel_api_test(orders(), num_cycles=cycles)
        checks["parallel_seed_test"] = lambda: parallel_seed_test(orders, num_cycles=cycles)
    for name, check in checks.items():
        began = time.perf_counter()
        fault = _fault_of(check)
        yield EnvCheck(name, round(time.perf_counter() - began, 2), fault)


def _fault_of(check: Callable[[], object]) -> str:
    """Run a check; return the reason for its failure in one line, or an empty text."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check()
    except Exception as problem:  # noqa: BLE001 - whatever it is, the check has failed
        text = " ".join(str(problem).split())
        return f"{type(problem).__name__}: {text}"
    return ""


def check_save(archive: Archive, env: TurnEnv, cycles: int) -> None:
    """Play with random actions, save the game, and verify the save.

    Raises:
        ValueError: the save does not verify, or holds another game.
    """
    env.reset(seed=1)
    space = env.action_space(env.agents[0])
    space.seed(1)
    for _ in range(cycles):
        if env.table.is_over or env.table.is_cut:
            break
        env.step(space.sample(env.observe(env.agent_selection)["action_mask"]))
    with tempfile.TemporaryDirectory() as folder:
        path = env.save(Path(folder) / "game.bnr")
        opened = archive.read(str(path))
    if opened.log.entries != env.table.game.log.entries:
        raise ValueError("the save holds another game")
    found = verify(env.setup.rules, opened.log).divergence
    if found is not None:
        raise ValueError(str(found))


def env_check_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Run PettingZoo's own tests on the environments of a ruleset.

    Raises:
        Wrong: the ruleset, the scenario or an option is unknown.
    """
    settings: dict[str, Any] = {
        "scenario": args.scenario,
        "options": read_options(args.option),
        "seats": args.seats,
    }
    archive = ports.archive(Path())
    found: list[EnvCheck] = []
    for check in env_checks(archive, args.ruleset, args.cycles, **settings):
        found.append(check)
        if args.json:
            say_json(encode_json(check).decode())
    if not args.json:
        say(*columns(_rows(found)))
    return Exit.REFUSED if any(check.fault for check in found) else Exit.OK


def _rows(found: Sequence[EnvCheck]) -> list[list[str]]:
    return [[check.name, check.fault or "passed", f"{check.seconds:.2f} s"] for check in found]
