"""Rules that no game of the soak corpus fires: exactly these are listed, each with a reason.

The corpus consists of the games of ``tests.contract.option_games``, in which every value of every
option is played (random orders, then computer players of all levels), and of whole games of small
scenarios.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from engine.core.game import Game
from engine.debug.line import GameLine, whole_line
from engine.debug.tracing import trace_of
from study.debug.rules_used import sentences_of
from tests.contract.option_games import option_games, option_grounds
from tests.contract.plans import carry_out, first_plan
from tests.contract.walks import SEED, AnyGame, numbers, walk
from tests.debug.recorded import SMALL, recorded

NEVER: Final = tomllib.loads((Path(__file__).parent / "rules_never.toml").read_text("utf-8"))
"""Reason why no entry of the corpus fires a rule, by ruleset and rule id."""

ORDERS: Final = 60
"""Random orders at the start of each game; turns of computer players follow."""

TURNS: Final = {
    "gd6": 80,
    "kaladan": 150,
    "weltendaemmerung": 150,
    "warlords2": 40,
    "lordsawar": 40,
}

WHOLE: Final = (b"never 1", b"never 2", b"never 3")


def corpus(name: str) -> Iterator[GameLine]:
    """Yield the lines of the games of a ruleset."""
    for seed in WHOLE:
        yield recorded(name, seed, 500)
    for number, drawn in enumerate(option_games(name)):
        scenario = option_grounds(recorded(name).rules)[drawn.ground]
        game: AnyGame = Game.begin(recorded(name).rules, scenario, drawn.options, SEED)
        for _ in walk(game, numbers(f"never {name} {number}", ORDERS)):
            pass
        levels = list(game.rules.bots)
        for turn in range(TURNS[name]):
            if game.rules.owes(game.state):
                carry_out(game, *first_plan(game, levels[turn % len(levels)]))
        yield whole_line(game.rules, game.log)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", SMALL)
def test_exactly_the_rules_that_never_fire_are_listed(ruleset: str) -> None:
    fired: set[str] = set()
    for line in corpus(ruleset):
        for index in range(len(line.entries)):
            trace = trace_of(line, index)
            assert trace is not None
            fired |= trace.ran
    never = set(sentences_of(ruleset)) - fired
    listed = set(NEVER[ruleset])
    assert sorted(never - listed) == [], "never fires, and no reason is given"
    assert sorted(listed - never) == [], "is listed, but does fire"


def test_listed_rules_exist_and_have_reasons() -> None:
    assert set(NEVER) == set(SMALL)
    for ruleset, reasons in NEVER.items():
        assert set(reasons) <= set(sentences_of(ruleset))
        assert all(reasons.values())
