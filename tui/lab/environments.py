"""Environments for learning, as PettingZoo knows them, and ``banneret lab env-check``.

``TurnEnv`` asks one seat after the other. It takes every ruleset: where all act at once, seats are
asked in their order, and none sees in its view what another has ordered, so nothing is gained by
being asked last. ``OrdersEnv`` is for those rulesets only and asks all that owe orders together.
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
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, say, say_json
from tui.lab.env_game import EnvGame, EnvSetup, env_setup, read_options, write_game
from tui.lab.positions import board_text
from tui.lab.verbs import LabPorts

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as missing:
    raise Wrong(f"{missing}; environments need: pip install 'banneret[rl]'") from None

Observation: TypeAlias = dict[str, Any]
"""``observation``, the arrays of a view, and ``action_mask``."""

_INT32: Final = np.iinfo(np.int32)


def agent_name(seat: Seat) -> str:
    """Name of an agent.

    >>> agent_name(0)
    'seat_0'
    """
    return f"seat_{seat}"


def agent_seat(agent: str) -> Seat:
    """Seat of an agent."""
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
        """The game that is played."""
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
        """Space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Space of an agent's actions."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """The whole game as text, if the render mode is ``ansi``."""
        if self.render_mode is None:
            return None
        return board_text(self.setup.rules, self.table.game.view(REFEREE), REFEREE)

    def close(self) -> None:
        """Nothing is open."""

    def save(self, path: str | Path) -> Path:
        """Write the game as it stands as a new save; its path.

        Raises:
            SaveFault: there is such a file, or it cannot be written.
        """
        if self._archive is None:
            raise Wrong("this environment was made without an archive")
        write_game(self._archive, path, self.table.header(), self.table.game.log)
        return Path(path)

    def _restart(self, seed: int | None) -> None:
        """Begin the next game: with a seed, or with the one after the last."""
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
        """Begin a game: with a seed, or with the one after the last."""
        self._restart(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._turn({})

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent that is to act; None if it is out of the game."""
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
        """The observation of an agent; no action is possible but for the one that is to act."""
        acts = agent == self.agent_selection and not self._is_done()
        return self._observed(agent, acts=acts)

    def _turn(self, refusals: Mapping[Seat, str]) -> None:
        """Say who is to act, and who is out of the game."""
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
    the least answer is its only action, and does nothing.
    """

    def reset(
        self,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,  # noqa: ARG002 - as PettingZoo calls it
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game: with a seed, or with the one after the last."""
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
        """Carry out an action of each agent; one without an action does nothing."""
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
    """An environment in which one seat acts at a time, for any ruleset.

    Args:
        ruleset: its name.
        seed: of the first game; the others have the next ones.
        archive: a store that games can be saved in.
        render_mode: ``ansi`` if ``render`` is to give text.
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
    """An environment in which all give their orders at once, for rulesets that are so played.

    Args:
        ruleset: its name.
        seed: of the first game; the others have the next ones.
        archive: a store that games can be saved in.
        render_mode: ``ansi`` if ``render`` is to give text.
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
    """Result of a check of an environment; no fault: it passed."""

    name: str
    seconds: float
    fault: str = ""


def env_checks(archive: Archive, ruleset: str, cycles: int, **settings: Any) -> Iterator[EnvCheck]:
    """The checks of PettingZoo for a ruleset, and that the save of a game verifies."""
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
    """The reason in a line why a check fails; empty if it passes."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check()
    except Exception as problem:  # noqa: BLE001 - whatever it is, the check has failed
        text = " ".join(str(problem).split())
        return f"{type(problem).__name__}: {text}"
    return ""


def check_save(archive: Archive, env: TurnEnv, cycles: int) -> None:
    """Play with chance actions, save the game, and decide all its commands again.

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
        Wrong: there is no such ruleset, scenario or option.
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
