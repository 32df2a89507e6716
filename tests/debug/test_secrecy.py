"""Secrecy of the debugger: answers to a seat do not depend on things hidden from it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, ScenarioFault
from engine.debug.line import seat_line
from study.debug.debugger import Debugger
from study.debug.prompt import completions
from study.debug.verbs import REMOTE
from tests.contract.veils import look_alike
from tests.contract.walks import SEED, AnyGame, grounds
from tests.debug.games import ask, bench_of, opened
from tui.console.exits import Wrong

SEAT: Seat = 1
"""The seat whose debugger is asked."""

ROUNDS = 12
"""Maximum number of commands common to both games."""


class Twins:
    """Two games that differ only in things hidden from one seat."""

    def __init__(self, rules: AnyRuleset, seed: int) -> None:
        self.chance = random.Random(f"twins {seed}")  # noqa: S311 - what is tried
        listed = grounds(rules)
        options: dict[str, Any] = {}
        if any(option.name == "hidden_map" for option in rules.options):
            options["hidden_map"] = "on"
        ground = listed[seed % len(listed)]
        self.rules = rules
        self.games = [Game.begin(rules, ground, options, SEED) for _ in range(2)]
        self.secrets = 0
        self._begin_apart()
        for _ in range(ROUNDS):
            if not self._goes_on():
                break

    def _begin_apart(self) -> None:
        """Begin both games from different positions that look alike to the seat, if possible."""
        state = self.games[0].state
        for _ in range(6 if SEAT in self.rules.owes(state) else 0):
            twin = look_alike(self.rules, state, SEAT, self.chance)
            begun = self.games
            with suppress(ScenarioFault):
                scenes = [self.rules.position(one) for one in (state, twin)]
                self.games = [Game.begin(self.rules, scene, {}, SEED) for scene in scenes]
                if self.games[0].state != self.games[1].state and self.tell_alike():
                    self.secrets += 1
                    return
            self.games = begun

    def _goes_on(self) -> bool:
        """Give one command in both games, and secret ones in the second.

        Return whether any was accepted.
        """
        one, other = self.games
        owing = sorted(self.rules.owes(one.state) & self.rules.owes(other.state))
        if not owing:
            return False
        seat = self.chance.choice(owing)
        if seat != SEAT:
            self._secretly(other, seat)
        commands = list(self.rules.offers(one.view(seat)))
        for command in self.chance.sample(commands, min(8, len(commands))):
            heads = [game.head for game in self.games]
            with suppress(Refused):
                for game in self.games:
                    game.submit(seat, command)
                if self.tell_alike():
                    return True
            for game, head in zip(self.games, heads, strict=True):
                game.go(head)
        return False

    def _secretly(self, game: AnyGame, seat: Seat) -> None:
        """Give commands of another seat that change nothing the watching seat can see."""
        for _ in range(3):
            before, seen = game.head, game.view(SEAT)
            commands = list(self.rules.offers(game.view(seat)))
            if not commands or seat not in self.rules.owes(game.state):
                return
            with suppress(Refused):
                game.submit(seat, self.chance.choice(commands))
                if game.view(SEAT) == seen and self.tell_alike():
                    self.secrets += 1
                    continue
            game.go(before)

    def tell_alike(self) -> bool:
        """Return whether the seat received the same events and saw the same states in both."""
        lines = [seat_line(self.rules, game.log, SEAT) for game in self.games]
        told = [[step.event for step in line.steps()] for line in lines]
        return told[0] == told[1] and lines[0].states() == lines[1].states()


def questions(bench: Debugger) -> Iterator[str]:
    """Yield lines for every verb that a seat may use."""
    middle = bench.line.place(len(bench.line) // 2)
    yield from ("where", "back", "back 3", "go start", "go 50%", f"go {middle}^", "on 2", "go ^")
    yield from ("go r1", "go r2", "mark here", "mark", "go 2", "go 3.1", "go 999", "go @here")
    queries = ("move", "loss or capture", "other or order", "entry > 3", "round = 1", "units > 1")
    for query in queries:
        yield from (f"until '{query}'", "go end", f"back until '{query}' --fence start", "go end")
    for name in bench.state.__struct_fields__:
        yield from (f"last {name}", f"history {name}", f"history {name} --since {middle}")
    yield from (
        f"history {name}.{bench.seats[0]}" for name in bench.rules.statistics(bench.rules.empty())
    )
    yield from ("history nothing", "diff start end", f"diff {middle} end", "diff 10% . --as patch")


def answered(bench: Debugger, line: str) -> list[str]:
    """Return all answers to a line, as text and as JSON, or its refusal."""
    try:
        found = ask(bench, line)
    except Wrong as wrong:
        return [str(wrong)]
    return [part for answer in found for part in (answer.text, answer.json())]


def test_answers_to_a_seat_do_not_depend_on_hidden_things(
    rules: AnyRuleset,
) -> None:
    if not rules.traits.hidden:
        pytest.skip("nothing is hidden in this game")
    compared = secrets = 0
    for seed in range(3):
        twins = Twins(rules, seed)
        if not twins.secrets or not twins.tell_alike():
            continue
        secrets += twins.secrets
        assert twins.games[0].log.entries != twins.games[1].log.entries
        one, other = (Debugger(opened(game), SEAT, is_running=True) for game in twins.games)
        for line in questions(one):
            assert answered(one, line) == answered(other, line), line
            compared += 1
        for text in ("", "history ", "last u", "go @"):
            word = text.split(" ")[-1]
            assert completions(one, text, word) == completions(other, text, word)
    assert compared > 50
    assert secrets >= 3


def test_questions_cover_every_verb_that_a_seat_may_use() -> None:
    asked = {line.split()[0] for line in questions(bench_of("toy", SEAT))}
    assert asked == REMOTE
