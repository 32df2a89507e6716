"""Twin games that differ only in hidden things: bots and environments receive the same."""

from __future__ import annotations

from pathlib import Path

from study.lab.bot_code import allow
from study.lab.bots import read_bot
from study.lab.environments import TurnEnv
from study.lab.games import play_games
from study.lab.plans import GameTask, LabPlan, setup_of
from tests.lab.zoo_games import PYTHON

REST = 510
"""Action that ends the orders."""

LISTENS = """
import json, sys
heard = open(sys.argv[1], "w")
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    kind = json.loads(line)["type"]
    if kind == "hello":
        print('{"type":"ready"}', flush=True)
    elif kind == "turn":
        break
"""
"""Program that exits at its first turn."""


def first_heard(path: Path, other: str) -> list[str]:
    """Return the lines sent to a program at the second seat before its first orders."""
    (path / "listens.py").write_text(LISTENS)
    heard = path / other
    bots = (other, f"{PYTHON} {path / 'listens.py'} {heard}")
    allow(map(read_bot, bots))
    setup = setup_of(LabPlan("gd6", bots, ("west",), seats=2))
    played = play_games(setup)(GameTask(0, 0, (0, 1), 7))
    assert played.result.fault is not None
    return heard.read_text().splitlines()


def test_program_receives_nothing_of_sealed_orders(tmp_path: Path) -> None:
    heard = [first_heard(tmp_path, level) for level in ("easy", "normal")]
    assert len(heard[0]) > 2
    assert heard[0] == heard[1]


def test_environment_shows_nothing_of_sealed_orders() -> None:
    seen = []
    for shift in (0, 1):
        env = TurnEnv("gd6", scenario="west", seats=2)
        env.reset(seed=7)
        agent = env.agent_selection
        env.step(shift)
        while env.agent_selection == agent:
            env.step(REST)
        observation, _, _, _, info = env.last()
        seen.append((repr(observation), info["offers"], info["rest"]))
    assert seen[0] == seen[1]
