"""``whatif``: two timelines compared, and a branch that can be kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.core import registry
from engine.core.codec import encode
from engine.core.dice import unpack
from engine.core.replay import fold, verify
from engine.core.ruleset import AnyRuleset
from saves.archive import Folder
from study.debug.debugger import Debugger
from tests.app.cli import banneret, is_one_line_fault
from tests.debug.games import ask, bench_of, texts
from tests.debug.planted import copied, rewrite
from tests.saves.games import saved
from tui.console.exits import Exit, Wrong

FORD = "weltendaemmerung"


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(tmp_path_factory.mktemp("saves"))


def bench_at(save: Path) -> Debugger:
    archive = Folder(save.parent)
    return Debugger(archive.read(str(save)), archive=archive)


def throw_in(bench: Debugger) -> tuple[int, int, int]:
    """Return the entry, sides and value of the first throw of a command."""
    entry = next(one for one in bench.line.entries if one.throws and one.command)
    sides, got = next(unpack(entry.throws))
    return entry.seq, sides, got


def test_unchanged_timeline_is_reported_for_every_game(rules: AnyRuleset) -> None:
    lines = texts(bench_of(rules.name), "whatif --at start")
    assert "the same happens, to the last event" in lines
    recorded, branch = lines[-2:]
    assert recorded.split()[1:] == branch.split()[1:]


def test_changed_throw_names_the_place_of_the_first_difference(save: Path) -> None:
    bench = bench_at(save)
    entry, sides, got = throw_in(bench)
    answers = ask(bench, f"whatif --at {entry} --throw 1={got % sides + 1}")
    difference = answers[1]
    assert difference.place == f"{entry}.1"
    assert bench.step_at(difference.place) == bench.line.step_at(f"{entry}.1")
    assert str(answers[0].data["what_if"]).startswith(f"throw 1 of entry {entry} were")


def test_first_illegal_entry_is_named(save: Path) -> None:
    bench = bench_at(save)
    answers = ask(bench, "whatif --at 1 --command end-phase")
    played = next(answer for answer in answers if "played" in answer.data)
    illegal = played.data["illegal"]
    assert str(illegal["seq"]) == played.place
    assert illegal["reason"] in played.text
    assert f"entry {illegal['seq']} cannot be: " in played.text
    assert illegal["seq"] == 1 + played.data["played"]


def test_bots_continue_on_request(save: Path) -> None:
    bench = bench_at(save)
    answers = ask(bench, "whatif --at 1 --command end-phase --then bots")
    branch = answers[-1].data
    assert branch["line"] == "branch"
    assert branch["winners"] is not None
    assert any(answer.data.get("bots", 0) > 0 for answer in answers)


def test_numbers_are_compared_round_by_round(save: Path) -> None:
    bench = bench_at(save)
    answers = ask(bench, "whatif --at 1 --command end-phase --then bots")
    rows = [answer for answer in answers if "recorded" in answer.data and "round" in answer.data]
    assert rows
    for row in rows:
        if row.data["recorded"] is not None:
            assert row.place == f"r{row.data['round']}"
    first = rows[0].data
    assert first["recorded"] != first["branch"]
    end = bench.rules.statistics(bench.line.state(len(bench.line)))
    last = max((row.data for row in rows if row.data["recorded"]), key=lambda row: row["round"])
    assert last["recorded"] == {name: list(numbers) for name, numbers in end.items()}


def test_changed_option_begins_the_game_again(save: Path) -> None:
    bench = bench_at(save)
    answers = ask(bench, "whatif --option rounds=2")
    assert answers[-1].data["round"] <= 2
    with pytest.raises(Wrong, match="leave --at out"):
        ask(bench, "whatif --at 3 --option rounds=2")


# -- keeping ---------------------------------------------------------------------------------------


def test_save_is_unchanged_and_a_kept_branch_verifies(save: Path) -> None:
    before = {path.name: path.read_bytes() for path in save.parent.iterdir()}
    bench = bench_at(save)
    entry, sides, got = throw_in(bench)
    line = f"whatif --at {entry} --throw 1={got % sides + 1} --then bots"
    ask(bench, line)
    assert {path.name: path.read_bytes() for path in save.parent.iterdir()} == before
    kept = ask(bench, f"{line} --keep branch")[-1].data["kept"]
    assert save.read_bytes() == before[save.name]
    opened = Folder(save.parent).read(kept)
    assert verify(bench.rules, opened.log).divergence is None
    assert bench.rules.outcome(fold(bench.rules, opened.log.line())) is not None
    recorded = bench.opened.log.entries
    assert opened.log.entries[:entry] == recorded[:entry]
    assert opened.log.entries[entry] != recorded[entry]


@pytest.mark.parametrize("option", ["-o", "--keep"])
def test_kept_unchanged_branch_has_the_same_entries(save: Path, option: str) -> None:
    bench = bench_at(save)
    kept = ask(bench, f"whatif --at 20 {option} alike")[-1].data["kept"]
    assert encode(Folder(save.parent).read(kept).log.entries) == encode(bench.opened.log.entries)


def test_changed_value_begins_a_new_game_from_its_position(save: Path) -> None:
    bench = bench_at(save)
    middle = bench.line.entries[len(bench.line.entries) // 2].seq
    state = bench.line.state(bench.step_at(str(middle)))
    unit = next(row for row in state.units.values() if row.alive)
    answers = ask(bench, f"whatif --at {middle} --set 'units[{unit.id}].v=1' --keep other")
    opened = Folder(save.parent).read(answers[-1].data["kept"])
    assert verify(bench.rules, opened.log).divergence is None
    scenario, _ = bench.rules.setup(opened.log[0].events[0])
    bench.rules.check(scenario)
    entry = next(one for one in bench.line.entries[1:] if len(one.events) > 1)
    with pytest.raises(Wrong, match="between two entries"):
        ask(bench, f"whatif --at {entry.seq}.1 --set rounds=3")


# -- other rules -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the rules that reads a die of weltendaemmerung in reverse."""
    top = copied(tmp_path_factory.mktemp("tree") / "sources")
    file = top / "engine" / "rulesets" / FORD / "fighting.py"
    right, wrong = "dice.roll(len(MODIFIERS)) - 1", "len(MODIFIERS) - dice.roll(len(MODIFIERS))"
    text = file.read_text(encoding="utf-8")
    assert right in text
    rewrite(file, text.replace(right, wrong))
    return top


def test_other_rules_part_at_the_first_die_read_differently(save: Path, tree: Path) -> None:
    bench = bench_at(save)
    entry, _, _ = throw_in(bench)
    difference = ask(bench, f"whatif --rules {tree}")[1]
    assert difference.place == f"{entry}.1"


def test_same_rules_in_another_process_decide_the_same(save: Path) -> None:
    own = Path(engine.__path__[0]).parent
    assert "the same happens, to the last event" in texts(bench_at(save), f"whatif --rules {own}")


def test_unusable_rules_are_refused(save: Path, tmp_path: Path) -> None:
    with pytest.raises(Wrong, match="no tree of sources"):
        ask(bench_at(save), f"whatif --rules {tmp_path}")
    (tmp_path / "engine" / "core").mkdir(parents=True)
    (tmp_path / "engine" / "__init__.py").write_text("raise RuntimeError('torn')")
    (tmp_path / "saves").mkdir()
    (tmp_path / "saves" / "__init__.py").touch()
    with pytest.raises(Wrong, match="RuntimeError: torn"):
        ask(bench_at(save), f"whatif --rules {tmp_path}")


# -- the command line ------------------------------------------------------------------------------


def test_json_output_has_a_row_for_each_line(save: Path) -> None:
    words = ("debug", "--json", str(save), "whatif", "--at", "1", "--command", "end-phase")
    found = [json.loads(line) for line in banneret(*words).stdout.splitlines()]
    assert found[0]["place"] == "1"
    assert [row["line"] for row in found[-2:]] == ["recorded", "branch"]


@pytest.mark.parametrize(
    "words",
    [
        "--throw six",
        "--throw 1=6 --at 0",
        "--command nonsense",
        "--option rounds",
        "--set rounds",
        "--set nothing=1",
        "--throw 1=2 --command end-phase",
        "--at 9999",
    ],
)
def test_impossible_change_is_refused_in_one_line(save: Path, words: str) -> None:
    with pytest.raises(Wrong) as wrong:
        ask(bench_at(save), f"whatif {words}")
    assert "\n" not in str(wrong.value)


def test_whatif_is_refused_where_it_would_reveal_secrets(tmp_path: Path) -> None:
    file = saved(tmp_path, "secret", entries=9)
    ended = banneret("debug", str(file), "whatif", "--at", "99")
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)
    with pytest.raises(Wrong, match="hidden"):
        ask(bench_of("gd6", 0), "whatif")
    assert registry.find("gd6").traits.hidden
