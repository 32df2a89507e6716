"""Tests of the library: true examples, light imports, and the same games as the program."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import banneret
from engine.core.codec import decoder
from engine.core.registry import find
from engine.core.ruleset import entry_type
from study.lab.games import play_game
from study.lab.plans import GameTask, LabPlan, setup_of

HOME = Path(__file__).parents[1]
MODULES = ("banneret", *(f"banneret.{name}" for name in ("catalogue", "positions", "games")))
LATE = ("banneret.playing", "banneret.rl")
FORD = ("weltendaemmerung", "ford")
RULESETS = ("weltendaemmerung", "gd6", "warlords2", "lordsawar", "kaladan")
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


# -- examples ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*MODULES, *LATE])
def test_the_examples_of_a_module_are_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HOME)
    found = doctest.testmod(import_module(name), extraglobs={"banneret": banneret})
    assert found.attempted > 3
    assert found.failed == 0


def test_the_examples_of_the_page_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HOME)
    page = HOME / "docs" / "python.md"
    text = "\n".join(PYTHON.findall(page.read_text(encoding="utf-8")))
    examples = doctest.DocTestParser().get_doctest(text, {}, "python.md", str(page), 0)
    found = doctest.DocTestRunner().run(examples)
    assert found.attempted > 30
    assert found.failed == 0


def public() -> Iterator[tuple[str, Any]]:
    for name in banneret.__all__:
        value = getattr(banneret, name)
        if isinstance(value, FunctionType):
            yield name, value
    for kind in (banneret.Game, banneret.Position):
        for name, value in vars(kind).items():
            if isinstance(value, FunctionType) and not name.startswith("_"):
                yield f"{kind.__name__}.{name}", value


@pytest.mark.parametrize(("name", "value"), [pytest.param(*one, id=one[0]) for one in public()])
def test_every_function_has_an_example(name: str, value: Any) -> None:
    assert ">>>" in (value.__doc__ or ""), name


# -- imports -----------------------------------------------------------------------------------


def in_a_new_process(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=HOME
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_importing_the_library_loads_its_parts_on_first_use() -> None:
    heavy = "('numpy', 'msgspec', 'engine', 'host', 'study', 'tui', 'saves', 'pettingzoo')"
    code = f"import sys, banneret; print([name for name in {heavy} if name in sys.modules])"
    assert in_a_new_process(code) == "[]"


def test_playing_loads_neither_screen_nor_environments() -> None:
    code = (
        "import sys, banneret\n"
        "banneret.play_out, banneret.Game\n"
        "heavy = ('textual', 'rich', 'asyncssh', 'pettingzoo', 'gymnasium')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    assert in_a_new_process(code) == "[]"


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = banneret.nothing  # type: ignore[attr-defined]
    assert set(banneret.__all__) == set(dir(banneret))


# -- games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_can_be_begun_shown_and_played(ruleset: str) -> None:
    game = banneret.new_game(ruleset)
    assert game.to_act is not None
    lines = game.text(game.to_act).splitlines()
    assert len(lines) > 10
    assert game.play(game.legal()[0]).seq == 1
    assert len(game.story()) > len(game.seats)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"ruleset": "chess"}, "there is no ruleset 'chess'"),
        ({"ruleset": "kaladan", "scenario": "nowhere"}, "nowhere: no scenario of kaladan"),
        ({"ruleset": "kaladan", "seats": 9}, "for 2 to 6 players, not for 9"),
        ({"ruleset": "kaladan", "options": {"x": 1}}, "there is no option 'x'"),
        ({"ruleset": "kaladan", "bots": {0: "genius"}}, "there is no level 'genius'"),
        ({"ruleset": "kaladan", "bots": {7: "easy"}}, "there is no seat 7"),
    ],
)
def test_impossible_game_is_refused_in_one_line(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(banneret.Wrong, match=text):
        banneret.new_game(**settings)


def test_a_refusal_has_code_text_and_rule_and_changes_nothing() -> None:
    game = banneret.new_game(*FORD)
    before = game.state
    with pytest.raises(banneret.Refused) as caught:
        game.play("attack unit=1 at=3,3")
    assert (str(caught.value.code), caught.value.rule) == ("WRONG_PHASE", "WD-ATT-1")
    with pytest.raises(banneret.Refused, match="is no command here"):
        game.play("fly")
    with pytest.raises(banneret.Refused, match="not your turn"):
        game.play("end-phase", "Dailor")
    assert game.state is before
    assert len(game) == 1


def test_a_record_is_played_like_its_line() -> None:
    one, other = banneret.new_game(*FORD), banneret.new_game(*FORD)
    command = next(one.offers())
    assert one.play(command) == other.play(banneret.notation(command))


def test_branch_is_a_separate_game_and_may_have_its_own_seed() -> None:
    game = banneret.new_game(*FORD, seed=3)
    banneret.play_out(game, {0: "easy", 1: "easy"})
    at = next(entry.seq for entry in game if entry.throws) - 1
    same, others = game.branch(at), [game.branch(at, seed=seed) for seed in range(8)]
    command = game.entries[at + 1].command
    assert command is not None
    throws = {branch.play(command).throws for branch in others}
    assert len(throws) > 1
    assert same.head == at
    assert game.is_over
    assert len(same.entries) == at + 1


def test_a_position_is_found_by_its_entry_on_any_branch() -> None:
    game = banneret.new_game(*FORD)
    game.play("step unit=0 direction=up")
    up = game.state
    game.undo()
    game.play("step unit=0 direction=down")
    assert game.at(1).state == up
    assert game.at(-1).state == game.state
    assert [position.state for position in game.positions()] == [game.at(0).state, game.state]
    with pytest.raises(IndexError, match="no entry 9"):
        game.at(9)
    with pytest.raises(banneret.Refused, match="no entry 9"):
        game.branch(9)


def test_view_and_events_of_a_seat_hide_secret_orders() -> None:
    game = banneret.new_game("gd6", "ring")
    move = next(line for line in game.legal(0) if not line.startswith("seal"))
    before, told = game.view(1), len(game.events(1))
    game.play(move, 0)
    assert game.view(1) == before
    assert len(game.events(1)) == told
    assert game.view(0) != before
    assert len(game.events()) > told


def test_a_save_holds_the_game_with_its_branches_and_verifies(tmp_path: Path) -> None:
    game = banneret.new_game("kaladan", "duel", seed=5, bots={0: "easy", 1: "easy"})
    banneret.play_out(game)
    game.go(game.head - 4)
    read = banneret.open(game.save(tmp_path / "duel.bnr"))
    assert read.engine.log.entries == game.engine.log.entries
    assert (read.head, read.state) == (game.head, game.state)
    assert read.verify().divergence is None
    assert [player.bot for player in read.header.players] == ["easy", "easy"]
    with pytest.raises(banneret.SaveFault, match="is there already"):
        game.save(tmp_path / "duel.bnr")
    with pytest.raises(banneret.SaveFault, match="no such save"):
        banneret.open(tmp_path / "other.bnr")


# -- bots --------------------------------------------------------------------------------------


class Ender:
    """A bot that ends its phases."""

    def plan(self, view: Any, offers: Any, dice: Any) -> list[str]:
        """Return the command that ends the phase."""
        return ["end-phase"]


class RecordEnder:
    """A bot that ends its phases with records, as bots of the lab do."""

    def plan(self, view: Any, offers: Any, dice: Any) -> list[Any]:
        """Return the last offer, which ends the phase."""
        return list(offers())[-1:]


def test_game_of_levels_equals_the_game_of_the_lab() -> None:
    setup = setup_of(LabPlan("kaladan", ("easy", "normal"), scenarios=("duel",)))
    rules = find("kaladan")
    played = play_game(rules, setup, GameTask(0, 0, (0, 1), 4), keeps=True)
    game = banneret.new_game("kaladan", "duel", seed=4, bots={0: "easy", 1: "normal"})
    banneret.play_out(game)
    kind: Any = tuple[entry_type(rules), ...]  # type: ignore[misc]  # known at run time
    entries = decoder(kind).decode(played.log)
    assert entries[0].events == game.entries[0].events
    assert entries[1:] == game.entries[1:]


@pytest.mark.parametrize(
    "bot",
    [
        Ender,
        Ender(),
        lambda view, offers, dice: "end-phase",
        lambda view, offers, dice: list(offers())[-1:],
        f"py:{Path(__file__)}:RecordEnder",
    ],
    ids=["class", "object", "function", "records", "file"],
)
def test_bots_of_all_forms_play_the_same(bot: Any) -> None:
    game = banneret.new_game(*FORD)
    outcome = banneret.play_out(game, {0: Ender, 1: bot})
    assert outcome is not None
    assert outcome.reason == "time"


def test_play_out_stops_at_a_seat_without_a_bot() -> None:
    game = banneret.new_game(*FORD, bots={1: "easy"})
    assert banneret.play_out(game) is None
    assert game.head == 0
    while game.to_act == 0:
        game.play("end-phase")
    banneret.play_out(game)
    assert game.to_act == 0
    assert game.head > 2


def test_failing_bot_raises_in_the_script() -> None:
    def broken(view: Any, offers: Any, dice: Any) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        banneret.play_out(banneret.new_game(*FORD), {0: broken})
    with pytest.raises(banneret.Wrong, match="there is no level 'genius'"):
        banneret.play_out(banneret.new_game(*FORD), {0: "genius"})
    with pytest.raises(banneret.Wrong, match="5 is no bot"):
        banneret.play_out(banneret.new_game(*FORD), {0: 5})  # type: ignore[dict-item]
    with pytest.raises(banneret.Wrong, match="there is no seat 'Nobody'"):
        banneret.play_out(banneret.new_game(*FORD), {"Nobody": "easy"})


def test_turn_of_a_bot_with_refused_commands_is_ended() -> None:
    game = banneret.new_game(*FORD)
    outcome = banneret.play_out(game, {0: Ender, 1: lambda *_: "attack unit=1 at=0,0"})
    assert outcome is not None


def test_the_example_of_a_bot_plays() -> None:
    words = [str(HOME / "docs" / "examples" / "library_bot.py"), "--pairs", "1"]
    run = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, cwd=HOME
    )
    assert run.returncode == 0, run.stderr
    first, *story = run.stdout.splitlines()
    assert re.fullmatch(r"Raider \d : \d easy \(2 games\)", first)
    assert len(story) == 3


def test_a_match_counts_points_for_each_bot_by_its_name() -> None:
    found = banneret.match(FORD[0], "easy", Ender, pairs=2, scenario="ford")
    assert found.bots == ("easy", "Ender")
    assert sum(found.points) == 4
    assert found.wins == (4, 0)
    assert (found.score, str(found)) == (1.0, "easy 4 : 0 Ender (4 games)")
    assert [game.seed for game in found.games] == [1, 1, 2, 2]


def test_match_allows_a_bot_against_itself_and_failures_lose() -> None:
    def broken(view: Any, offers: Any, dice: Any) -> str:
        raise ZeroDivisionError("no idea")

    same = banneret.match(FORD[0], Ender, Ender, pairs=1, scenario="ford")
    assert same.bots == ("Ender", "Ender-2")
    found = banneret.match(FORD[0], broken, "easy", pairs=1, scenario="ford")
    assert list(found.points) == [0, 2]
    assert all(game.fault is not None and "no idea" in game.fault.text for game in found.games)
