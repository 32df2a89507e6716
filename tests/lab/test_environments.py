"""Environments for learning: actions, observations, rewards, saves, and PettingZoo's own tests."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test

from app import main
from engine.core.ids import REFEREE
from engine.core.notation import read
from engine.core.registry import find
from engine.core.replay import verify
from engine.core.ruleset import Outcome
from saves.archive import Folder
from study.lab.env_game import Menu, env_setup, victory_shares
from study.lab.environments import OrdersEnv, TurnEnv, env_checks
from study.lab.positions import ViewLayout
from tui.console.exits import Wrong

QUICK: Mapping[str, str] = {
    "weltendaemmerung": "ford",
    "gd6": "isthmus",
    "warlords2": "last_stand",
    "lordsawar": "ford",
    "kaladan": "duel",
}
"""The smallest scenario of each ruleset."""

HOME = Path(__file__).parents[2]


def env_of(ruleset: str, **settings: Any) -> TurnEnv:
    return TurnEnv(ruleset, scenario=QUICK[ruleset], archive=Folder(), **settings)


def by_chance(env: TurnEnv, actions: int, seed: int = 1) -> list[dict[str, Any]]:
    """Act at random within the mask. Return the infos of the acting agents."""
    infos = []
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    for agent in env.agent_iter(actions):
        seen, _, over, cut, info = env.last()
        if over or cut:
            break
        assert seen is not None
        infos.append(info)
        env.step(env.action_space(agent).sample(seen["action_mask"]))
    return infos


@pytest.fixture(scope="module", params=QUICK)
def walked(request: pytest.FixtureRequest) -> tuple[TurnEnv, list[dict[str, Any]]]:
    """The environment of each ruleset after some random actions, and the infos of those."""
    env = env_of(request.param)
    env.reset(seed=2)
    return env, by_chance(env, 25)


# -- PettingZoo's own tests --------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", QUICK)
def test_every_ruleset_passes_the_pettingzoo_api_test(ruleset: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env_of(ruleset), num_cycles=16)


def test_sealed_orders_pass_the_pettingzoo_parallel_test() -> None:
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(OrdersEnv("gd6", scenario="ring"), num_cycles=15)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", QUICK)
def test_all_checks_pass_on_the_default_scenario(ruleset: str) -> None:
    found = list(env_checks(Folder(), ruleset, 150))
    assert {check.name for check in found} >= {"api_test", "seed_test", "save"}
    assert [check for check in found if check.fault] == []


def test_failing_check_names_the_fault() -> None:
    def broken(change: Any, seats: int) -> list[float]:
        raise ZeroDivisionError("no reward")

    found = list(env_checks(Folder(), "kaladan", 5, scenario="duel", rewards=broken))
    assert {check.fault for check in found} == {"ZeroDivisionError: no reward"}


# -- actions -----------------------------------------------------------------------------------


def test_action_within_the_mask_is_never_refused(
    walked: tuple[TurnEnv, list[dict[str, Any]]],
) -> None:
    env, infos = walked
    assert len(infos) > 10
    assert [info["refused"] for info in infos if "refused" in info] == []
    assert len(env.table.game.log) > 10


def test_action_is_an_offer_number_or_ends_the_phase() -> None:
    env = env_of("weltendaemmerung")
    env.reset(seed=1)
    info = env.infos["seat_0"]
    before = env.table.game.view(0)
    offers = list(find("weltendaemmerung").offers(before))
    env.step(2)
    assert env.table.game.log[1].command == offers[2]
    assert len(info["offers"]) == len(offers)
    env.step(510)
    assert info["rest"] == ("end-phase",)
    assert env.table.game.log[2].events[0].ends_phase


def test_every_offer_is_on_one_page() -> None:
    env = env_of("weltendaemmerung", actions=9)
    env.reset(seed=1)
    offers = list(find("weltendaemmerung").offers(env.table.game.view(0)))
    found: list[str] = []
    for page in range(-(-len(offers) // 7)):
        seen, _, _, _, info = env.last()
        assert seen is not None
        assert seen["observation"]["page"].tolist() == [page, -(-len(offers) // 7)]
        assert seen["action_mask"].sum() == len(info["offers"]) + 2
        found += info["offers"]
        env.step(8)
    assert len(set(found)) == len(offers)
    assert env.table.menu(0).page == 0
    assert len(env.table.game.log) == 1


@pytest.mark.parametrize("action", [8, 100, -1, 510, 511])
def test_impossible_action_plays_the_rest_command(action: int) -> None:
    env = env_of("kaladan")
    env.reset(seed=1)
    seat = env.table.owing[0]
    rest = env.table.menu(seat).rest
    env.step(action)
    assert env.table.game.log[1].command == rest[0]


def test_only_the_refused_seat_sees_the_refusal() -> None:
    env = env_of("weltendaemmerung")
    env.reset(seed=1)
    attack = read("attack unit=1 at=3,3", find("weltendaemmerung").command_type)
    rewards, refusals = env.table.carry_out({0: (attack,), 1: (attack,)})
    assert rewards == [0, 0]
    assert list(refusals) == [0]
    assert refusals[0].startswith("attack unit=1 at=3,3: Units attack in the attack phase")


def test_empty_menu_has_no_action() -> None:
    assert Menu((), (), 5).mask.tolist() == [0, 0, 0, 0, 0]
    assert Menu((), (), 5).commands(3) == ()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"ruleset": "chess"}, "there is no ruleset 'chess'"),
        ({"ruleset": "kaladan", "scenario": "x"}, "no scenario of kaladan"),
        ({"ruleset": "kaladan", "seats": 7}, "for 2 to 6 players"),
        ({"ruleset": "kaladan", "actions": 2}, "at least 3 actions, not 2"),
        ({"ruleset": "kaladan", "bots": {2: "easy"}}, "there is no seat 2"),
        ({"ruleset": "kaladan", "bots": {0: "genius"}}, "there is no level 'genius'"),
        ({"ruleset": "kaladan", "bots": {0: "easy", 1: "easy"}}, "no seat is left"),
        ({"ruleset": "kaladan", "rows": {"men": 5}}, "there is no table 'men'"),
        ({"ruleset": "kaladan", "options": {"x": 1}}, "there is no option 'x'"),
    ],
)
def test_bad_setting_is_refused(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(Wrong, match=text):
        env_setup(**settings)


# -- observations ------------------------------------------------------------------------------


def test_observation_holds_the_numbers_of_the_view() -> None:
    env = env_of("weltendaemmerung")
    env.reset(seed=1)
    view, seen = env.table.game.view(0), env.observe("seat_0")["observation"]
    assert (seen["terrain"] == view.terrain.cells).all()
    columns = env.columns["units"]
    rows = seen["units"][seen["units"][:, 0] == 1]
    for field in ("id", "x", "y"):
        at = columns.index(field)
        assert rows[:, at].tolist() == [getattr(unit, field) for unit in view.units.values()]
    assert not seen["units"][len(view.units) :].any()
    numbers = dict(zip(env.columns["numbers"], seen["numbers"].tolist(), strict=True))
    assert numbers["rounds"] == view.rounds
    assert numbers["reason.is_there"] == 0


def test_observations_keep_the_shapes_of_their_space(
    walked: tuple[TurnEnv, list[dict[str, Any]]],
) -> None:
    env, _ = walked
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))


def test_table_rows_can_be_limited() -> None:
    env = env_of("weltendaemmerung", rows={"units": 3})
    env.reset(seed=1)
    seen = env.observe("seat_0")["observation"]["units"]
    assert seen.shape[0] == 3
    assert seen[:, 0].tolist() == [1, 1, 1]


def test_seat_does_not_observe_the_orders_of_another() -> None:
    env = TurnEnv("gd6", scenario="ring")
    env.reset(seed=1)
    before = env.observe("seat_1")
    step = next(n for n, line in enumerate(env.infos["seat_0"]["offers"]) if "seal" not in line)
    env.step(step)
    assert data_equivalence(before, env.observe("seat_1"))
    assert not data_equivalence(before["observation"], env.observe("seat_0")["observation"])


def test_only_the_acting_agent_has_actions() -> None:
    env = env_of("weltendaemmerung")
    env.reset(seed=1)
    assert env.observe("seat_0")["action_mask"].any()
    assert not env.observe("seat_1")["action_mask"].any()
    assert env.infos["seat_1"] == {}


def test_layout_fits_planes_of_another_size() -> None:
    rules = find("weltendaemmerung")
    small, large = env_of("weltendaemmerung"), TurnEnv("weltendaemmerung", scenario="thainfal")
    layout = ViewLayout(rules, small.table.game.view(0), 2)
    found = layout.arrays(large.table.game.view(0))
    assert {name: cells.shape for name, cells in found.items()} == layout.shapes
    terrain = large.table.game.view(0).terrain.cells
    assert (found["terrain"] == terrain[:12, :20]).all()


# -- rewards, seeds, ends ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winners", "seats", "shares"),
    [
        ((0,), 2, [1, -1]),
        ((0, 1), 2, [0, 0]),
        ((), 3, [0, 0, 0]),
        ((2,), 3, [-0.5, -0.5, 1]),
        ((1, 3), 4, [-1 / 3, 1 / 3, -1 / 3, 1 / 3]),
    ],
)
def test_victory_is_shared_among_the_winners(
    winners: tuple[int, ...], seats: int, shares: list[float]
) -> None:
    assert victory_shares(Outcome("won", winners), seats) == pytest.approx(shares)
    assert victory_shares(None, seats) == [0] * seats


def test_rewards_come_at_the_end_for_all_agents() -> None:
    env = env_of("kaladan")
    env.reset(seed=3)
    rewards: dict[str, float] = dict.fromkeys(env.agents, 0.0)
    for agent in env.possible_agents:
        env.action_space(agent).seed(3)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        rewards[agent] += reward
        assert seen is not None
        done = over or cut
        env.step(None if done else env.action_space(agent).sample(seen["action_mask"]))
    outcome = env.table.outcome
    assert outcome is not None
    winner = f"seat_{outcome.winners[0]}"
    assert rewards == {agent: 1.0 if agent == winner else -1.0 for agent in rewards}
    assert env.agents == []


def test_reward_function_sees_every_change() -> None:
    def by_events(change: Any, seats: int) -> list[float]:
        return [float(len(change.entry.events))] * seats

    env = env_of("weltendaemmerung", rewards=by_events)
    env.reset(seed=1)
    env.step(0)
    assert env.rewards == {"seat_0": 1.0, "seat_1": 1.0}


def test_seed_determines_the_game_and_defaults_to_the_next_one() -> None:
    env, other = env_of("kaladan", seed=7), env_of("kaladan")
    env.reset()
    assert env.table.seed == 7
    env.reset()
    assert env.table.seed == 8
    other.reset(seed=8)
    by_chance(env, 30)
    by_chance(other, 30)
    assert env.table.game.log.entries == other.table.game.log.entries
    other.reset(seed=9)
    by_chance(other, 30)
    assert env.table.game.log.entries != other.table.game.log.entries


def test_long_game_is_truncated() -> None:
    env = env_of("weltendaemmerung", longest=3)
    env.reset(seed=1)
    for _ in range(3):
        assert env.truncations == {"seat_0": False, "seat_1": False}
        env.step(0)
    assert env.truncations == {"seat_0": True, "seat_1": True}
    assert not any(env.terminations.values())
    env.step(None)
    env.step(None)
    assert env.agents == []


def test_computers_play_their_assigned_seats() -> None:
    env = env_of("kaladan", bots={1: "easy"})
    env.reset(seed=3)
    assert env.agents == ["seat_0"]
    by_chance(env, 400)
    seats = {entry.seat for entry in env.table.game.log.entries[1:]}
    assert seats == {0, 1}
    assert env.table.is_over


# -- sealed orders -----------------------------------------------------------------------------


def ring(**settings: Any) -> OrdersEnv:
    return OrdersEnv("gd6", scenario="ring", archive=Folder(), **settings)


def test_all_seats_that_owe_orders_act_in_one_step() -> None:
    env = ring()
    _, infos = env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, 0))
    entries = env.table.game.log.entries[1:]
    assert [entry.seat for entry in entries] == [0, 1, 2]
    assert all(info["offers"] for info in infos.values())


def test_sealed_seat_waits_for_the_others() -> None:
    env = ring()
    env.reset(seed=1)
    seen, *_, infos = env.step({"seat_0": 510})
    assert env.table.owing == (1, 2)
    assert np.flatnonzero(seen["seat_0"]["action_mask"]).tolist() == [510]
    assert infos["seat_0"] == {}
    count = len(env.table.game.log)
    env.step({"seat_0": 510})
    assert len(env.table.game.log) == count
    env.step({"seat_1": 510, "seat_2": 510})
    assert 0 in env.table.owing


def test_equal_seeds_and_actions_give_equal_games() -> None:
    one, other = ring(), ring()
    seen = [env.reset(seed=5)[0] for env in (one, other)]
    for env in (one, other):
        for number, agent in enumerate(env.agents):
            env.action_space(agent).seed(number)
    while one.agents:
        assert data_equivalence(seen[0], seen[1])
        for at, env in enumerate((one, other)):
            actions = {
                agent: env.action_space(agent).sample(seen[at][agent]["action_mask"])
                for agent in env.agents
            }
            seen[at], *_ = env.step(actions)
    assert one.table.is_over
    assert other.agents == []


def test_ruleset_in_turns_has_no_sealed_orders_environment() -> None:
    with pytest.raises(Wrong, match="kaladan is played in turns; its environment is turn_env"):
        OrdersEnv("kaladan")


# -- saves, text, the verb ---------------------------------------------------------------------


def test_saved_environment_game_verifies(
    walked: tuple[TurnEnv, list[dict[str, Any]]], tmp_path: Path
) -> None:
    env, _ = walked
    opened = Folder().read(str(env.save(tmp_path / "game.bnr")))
    assert opened.log.entries == env.table.game.log.entries
    assert verify(env.setup.rules, opened.log).divergence is None


def test_save_names_the_levels_of_the_computers(tmp_path: Path) -> None:
    env = env_of("weltendaemmerung", bots={1: "easy"})
    env.reset(seed=1)
    by_chance(env, 30)
    opened = Folder().read(str(env.save(tmp_path / "game.bnr")))
    assert [player.bot for player in opened.header.players] == ["", "easy"]
    assert verify(find("weltendaemmerung"), opened.log).divergence is None


def test_saved_sealed_orders_game_verifies(tmp_path: Path) -> None:
    env = ring()
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, 0))
    env.step(dict.fromkeys(env.agents, 510))
    opened = Folder().read(str(env.save(tmp_path / "game.bnr")))
    assert opened.log.entries == env.table.game.log.entries
    assert verify(find("gd6"), opened.log).divergence is None


def test_environment_renders_as_text_only_in_ansi_mode() -> None:
    env = env_of("weltendaemmerung", render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert text.splitlines()[0].startswith("Eldoin")
    assert env_of("weltendaemmerung").render() is None
    with pytest.raises(Wrong, match="there is no render mode 'human'"):
        env_of("weltendaemmerung", render_mode="human")
    assert env.table.game.view(REFEREE) is not None


def test_verb_prints_the_result_of_each_check(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["lab", "env-check", "kaladan", "--scenario", "duel", "--cycles", "12"])
    lines = capsys.readouterr().out.splitlines()
    assert code == 0
    assert [line.split()[:2] for line in lines] == [
        ["api_test", "passed"],
        ["seed_test", "passed"],
        ["save", "passed"],
    ]


def test_verb_refuses_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "env-check", "kaladan", "--option", "x=1"]) == 2
    assert capsys.readouterr().err == (
        "banneret: there is no option 'x'; known: world_building, castle_die, magic, events,"
        " start_gold, round_limit\n"
    )


def test_missing_pettingzoo_is_reported_with_the_install_command() -> None:
    code = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "from app import main\n"
        "code = main(['lab', 'env-check', 'kaladan'])\n"
        "try:\n    import banneret.rl\n"
        "except ImportError as problem:\n    sys.exit(f'{code}: {problem}')"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=HOME
    )
    line, again = run.stderr.splitlines()
    assert line.startswith("banneret: ")
    assert line.endswith("environments need: pip install 'banneret[rl]'")
    assert again == f"2: {line.removeprefix('banneret: ')}"
