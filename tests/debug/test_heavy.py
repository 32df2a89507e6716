"""All self-checks: sound games pass, and each planted fault is caught at its first event."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core import registry
from engine.core.archive import Opened
from engine.core.game import Game
from engine.core.ruleset import AnyRuleset
from engine.debug.line import whole_line
from engine.debug.selfchecks import CHECKS, Pace, SelfCheckFault, SelfChecks
from saves.archive import Folder
from study.debug.debugger import Answer
from study.debug.heavy import checked
from tests import toy
from tests.contract.walks import begun, numbers, walk
from tests.debug.faulty import Faulty
from tests.toy import commands as do
from tui.play.seats import header_of, players_of
from tui.play.table import save_at

SAMPLES = Path(__file__).parents[2] / "saves" / "samples"


def faults(rules: AnyRuleset, log: Any, pace: Pace = "event") -> list[SelfCheckFault]:
    checks = SelfChecks(rules, whole_line(rules, log), pace)
    return [found for found in checks.run() if isinstance(found, SelfCheckFault)]


@pytest.mark.parametrize("name", registry.names())
def test_heavy_passes_random_games_of_every_ruleset(name: str) -> None:
    rules = registry.find(name)
    game = begun(rules)
    for _ in walk(game, numbers("heavy", 25)):
        pass
    assert faults(rules, game.log) == []


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.bnr")), ids=lambda path: path.stem)
def test_heavy_passes_the_sample_saves(path: Path) -> None:
    opened = Folder().read(str(path))
    assert faults(registry.find(opened.header.ruleset), opened.log, "entry") == []


# -- planted faults --------------------------------------------------------------------------------


@pytest.fixture
def faulty(request: pytest.FixtureRequest) -> Iterator[Faulty]:
    """The toy game with a fault, registered while the test runs."""
    rules = Faulty(request.param)
    registry.register(rules)
    yield rules
    registry.register(toy.RULES)


def game_with(rules: Faulty, folder: Path) -> Opened:
    """Save a game with two cries, then secret ranks."""
    scenario = next(iter(rules.scenarios().values()))
    header = header_of(rules, scenario, players_of(rules, scenario, ()), 1)
    path = folder / "game.bnr"
    with save_at(Folder(), str(path), header) as file:
        game: Any = Game.begin(rules, scenario, {}, b"heavy", journal=file)
        game.submit(0, do.RaiseCry("hold"))
        game.submit(1, do.RaiseCry("forward"))
        bands = [band.id for band in game.state.bands.values() if band.clan == 1]
        game.submit(1, do.SetRanks(tuple(reversed(bands))))
    return Folder().read(str(path))


def told(rules: Faulty, folder: Path) -> list[Answer]:
    """Return the answers of all checks about such a game, including another process."""
    opened = game_with(rules, folder)
    program = (sys.executable, "-m", "tests.debug.faulty_program", rules.fault, "verify", "--json")
    return list(checked(Folder(), opened, whole_line(rules, opened.log), "event", program))


CAUGHT_ELSEWHERE = ["set order", "hash", "float sum"]

CAUGHT_HERE = [
    ("clock", "1", "decide"),
    ("extra throw", "1", "decide"),
    ("shared mutable", "1", "evolve"),
    ("missing in codec", "1", "codec"),
    ("leak", "3", "redacted"),
]


@pytest.mark.parametrize("faulty", CAUGHT_ELSEWHERE, indirect=True)
def test_heavy_catches_a_fault_that_shows_in_another_process(
    faulty: Faulty, tmp_path: Path
) -> None:
    found = told(faulty, tmp_path)
    named = [(answer.place, answer.data["check"]) for answer in found[:-1]]
    assert ("1.1", "other machine") in named, found
    assert named[0][0] == "1.1", "another check failed earlier"
    assert found[-1].data["failed"] == len(named)


@pytest.mark.parametrize(("faulty", "place", "check"), CAUGHT_HERE, indirect=["faulty"])
def test_heavy_catches_a_planted_fault(
    faulty: Faulty, place: str, check: str, tmp_path: Path
) -> None:
    log = game_with(faulty, tmp_path).log
    line = whole_line(faulty, log)
    named = [(line.place(found.step), found.check) for found in faults(faulty, log)]
    assert (place, check) in named
    assert named[0][0] == place, "another check failed earlier"


@pytest.mark.parametrize("faulty", ["none"], indirect=True)
def test_heavy_reports_no_fault_in_a_sound_game(faulty: Faulty, tmp_path: Path) -> None:
    found = told(faulty, tmp_path)
    assert [answer.data["failed"] for answer in found] == [0]
    assert found[0].data["checks"] == len(CHECKS) + 1
