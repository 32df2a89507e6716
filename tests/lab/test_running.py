"""Runs: the same command resumes a run, and the rows depend only on the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from study.farm.runs import Lost
from study.lab.games import play_games
from study.lab.plans import GameTask, game_key, setup_of
from study.lab.reporting import short_report
from study.lab.running import lost_game
from study.lab.stages import games_of
from study.lab.store import RunFolder
from tests.lab.runs import plan, run, setup, sorted_rows
from tests.programs import FAILS, QUITS

QUITTER, FAILER = f"quitter=cmd:{QUITS}", f"failer=cmd:{FAILS}"

BOT = """
from engine.core.registry import find


class Copy:
    def plan(self, view, offers, dice):
        return find("weltendaemmerung").bots["easy"].plan(view, offers, dice){0}
"""


def test_known_game_is_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "run"
    assert len(run(path, plan(pairs=1), jobs=0)) == 2
    assert run(path, plan(pairs=1), jobs=0) == []


def test_stopped_run_resumes_to_the_same_rows(tmp_path: Path) -> None:
    run(tmp_path / "whole" / "run", plan())
    stopped = tmp_path / "parts" / "run"
    assert len(run(stopped, plan(), stop_after=1)) == 2, "the pair that was begun is finished"
    assert RunFolder.read(stopped).is_stopped
    assert len(run(stopped, plan())) == 2
    assert not RunFolder.read(stopped).is_stopped
    assert sorted_rows(stopped) == sorted_rows(tmp_path / "whole" / "run")
    assert short_report(RunFolder.read(stopped)) == short_report(
        RunFolder.read(tmp_path / "whole" / "run")
    )


def test_rows_of_a_neighbouring_run_are_reused(tmp_path: Path) -> None:
    run(tmp_path / "one", plan(pairs=1))
    other = "other=py:tests.lab.planted:Planted"
    games = run(tmp_path / "two", plan("new=normal", "easy", other, pairs=1))
    assert {game.result.bots for game in games} == {
        ("new", "other"),
        ("other", "new"),
        ("easy", "other"),
        ("other", "easy"),
    }
    rows = RunFolder.read(tmp_path / "two").rows.values()
    assert ("new", "easy") in {row.bots for row in rows}, "under the names of this run"


def test_number_of_workers_does_not_change_the_rows(tmp_path: Path) -> None:
    for jobs in (0, 2):
        run(tmp_path / str(jobs) / "run", plan(pairs=3), jobs=jobs)
    rows = [sorted_rows(tmp_path / str(jobs) / "run") for jobs in (0, 2)]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 6


def test_only_games_of_a_changed_bot_are_played_again(tmp_path: Path) -> None:
    bot = tmp_path / "copy.py"
    bot.write_text(BOT.format(""), encoding="utf-8")
    made = plan("easy", "normal", f"py:{bot}:Copy", pairs=1)
    before = setup_of(made)
    bot.write_text(BOT.format("[:1]"), encoding="utf-8")
    after = setup_of(made)
    changed = [a != b for a, b in zip(before.hashes, after.hashes, strict=True)]
    assert changed == [False, False, False, True]
    for task in (GameTask(0, 0, (0, 1), 1), GameTask(0, 0, (1, 0), 2)):
        assert game_key(before, task) == game_key(after, task)
    for task in (GameTask(0, 0, (0, 2), 1), GameTask(0, 0, (2, 1), 2)):
        assert game_key(before, task) != game_key(after, task)
    with pytest.raises(ValueError, match=r"the code of py:.*:Copy is not the one"):
        play_games(before)


@pytest.mark.parametrize(
    ("field", "value"),
    [("seed", 2), ("options", {"rounds": 5}), ("longest", 50), ("scenarios", ("thainfal",))],
)
def test_every_input_of_a_game_changes_its_key(field: str, value: object) -> None:
    made = plan(pairs=1)
    other = plan(**{"pairs": 1, field: value})
    (key, *_), (another, *_) = (
        [game.key for game in games_of(one, setup_of(one), {})] for one in (made, other)
    )
    assert key != another


def test_settings_that_do_not_affect_a_game_keep_its_key() -> None:
    made = setup("easy", "normal")
    longer = setup_of(plan(pairs=9, keep="all", fault="void"))
    task = GameTask(0, 0, (0, 1), 1)
    assert game_key(made, task) == game_key(longer, task)


def test_bot_against_itself_plays_each_game_once(tmp_path: Path) -> None:
    made = plan("easy", "same=easy")
    assert len(run(tmp_path / "run", made)) == 2
    folder = RunFolder.read(tmp_path / "run")
    assert [row.points for row in short_report(folder).bots] == [2.0, 2.0]


@pytest.mark.parametrize(
    ("bots", "kind", "seat"),
    [
        (("easy", QUITTER), "died", 1),
        ((QUITTER, "easy"), "deadline", 0),
        ((QUITTER, FAILER), "died", -1),
        (("easy", "normal"), "died", -1),
        (("easy", QUITTER), "raised", -1),
    ],
)
def test_only_foreign_bot_is_blamed_for_a_lost_game(
    bots: tuple[str, ...], kind: str, seat: int
) -> None:
    task = GameTask(0, 0, (0, 1), 1)
    lost = lost_game(setup_of(plan(*bots)), Lost(0, task, kind, "a cause"))
    assert lost.result.fault is not None
    assert (lost.result.fault.seat, lost.result.fault.kind) == (seat, kind)


def test_swiss_rematches_have_new_games(tmp_path: Path) -> None:
    made = plan(format="swiss", rounds=3, pairs=2)
    run(tmp_path / "run", made)
    games = games_of(made, setup_of(made), RunFolder.read(tmp_path / "run").rows)
    assert len({game.key for game in games}) == len(games) == 12
    assert sorted({game.task.seed for game in games}) == [1, 2, 3, 4, 5, 6]
