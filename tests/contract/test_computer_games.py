"""Games of computer players end with any options, and no plan runs into a foreseeable refusal."""

from __future__ import annotations

from functools import partial

import pytest

from engine.core import registry
from engine.core.options import Value
from tests.contract.aids import aids_of
from tests.contract.chosen import names
from tests.contract.computer_games import SECRETIVE, Drawn, drawn, played
from tests.contract.test_bots import levels
from tests.contract.walks import AnyGame, begun, grounds, long_walk, walk

ENOUGH = 2_000
"""Maximum turns of a small game."""


def games() -> list[Drawn]:
    """Return a small game with all options that hide or forbid things, for every level."""
    found = []
    for name, level in levels():
        rules = registry.find(name)
        known = {option.name: option.choices for option in rules.options}
        options: dict[str, Value] = {
            name: "on" if "on" in known[name] else known[name][0]
            for name in SECRETIVE
            if name in known
        }
        scenario = min(grounds(rules), key=rules.default_seats)
        players = (level,) * rules.default_seats(scenario)
        seed = aids_of(rules).seeds.get(level, 1)
        found.append(Drawn(name, scenario.name, options, players, seed))
    return found


@pytest.mark.parametrize("game", games(), ids=str)
def test_a_game_ends_whatever_is_hidden_or_forbidden(game: Drawn) -> None:
    done = played(game, ENOUGH)
    assert done.stuck == ""
    assert not [refusal for refusal in done.refusals if refusal.known]


def stopped() -> list[Drawn]:
    """Return the games that once got stuck, of all rulesets."""
    aids = [(name, aids_of(registry.find(name))) for name in names()]
    return [Drawn(name, *game) for name, known in aids for game in known.once_stopped]


@pytest.mark.parametrize("game", stopped(), ids=str)
def test_games_that_once_stopped_go_on_to_their_end(game: Drawn) -> None:
    done = played(game, ENOUGH)
    assert done.stuck == ""
    assert not [refusal for refusal in done.refusals if refusal.known]


@pytest.mark.parametrize("name", names())
def test_players_who_rest_end_their_turns_wherever_they_stand(name: str) -> None:
    rules = registry.find(name)
    for ground in range(len(grounds(rules))):
        game = begun(rules, [ground])
        for _ in walk(game, long_walk(60)):
            pass
        end = game.head
        for level in rules.bots:
            game.go(end)
            for _ in range(3):
                rested(game, level)


def rested(game: AnyGame, level: str) -> None:
    """Let the first seat that owes rest until it owes nothing, or an entry has a mark."""
    if not game.rules.owes(game.state):
        return
    seat = min(game.rules.owes(game.state))
    for _ in range(4):
        view = game.view(seat)
        commands = game.rules.bots[level].rest(view, partial(game.rules.offers, view))
        entries = [game.submit(seat, command) for command in commands]
        if any(entry.mark is not None for entry in entries):
            return
        if seat not in game.rules.owes(game.state):
            return
    raise AssertionError(f"{level} of {game.rules.name} does not end its turn")


def test_the_games_of_a_seed_are_always_the_same() -> None:
    assert drawn(7) == drawn(7)
    assert len({str(drawn(seed)) for seed in range(40)}) == 40
