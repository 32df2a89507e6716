"""Received runs and reports: reading one starts none of the bots that it names."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from app import main
from engine.core.codec import encode
from engine.core.record import replace
from engine.core.registry import find
from study.farm.runs import Done
from study.farm.supervisor import Farm
from study.lab.checking import opening
from study.lab.plans import LabPlan, game_key, meetings, playable_start, schedule, setup_of
from study.lab.proofs import proof_text, prove
from study.lab.store import RunFolder
from tests.farm import works
from tests.lab import runs
from tests.programs import python
from tui.console.exits import Exit
from tui.play.players import PlanRequest, PlanWorkers

HOME: Final = Path(__file__).parents[2]

CLASS: Final = """
from pathlib import Path

Path({owned!r}).touch()


class Copy:
    def plan(self, view, offers, dice):
        return [next(iter(offers()))]
"""

LEAVES: Final = "import pathlib, sys; pathlib.Path(sys.argv[1]).touch()"

READING: Final = (
    ("lab", "games", "RUN"),
    ("lab", "games", "RUN", "--faults", "--json"),
    ("lab", "status", "RUN", "--json"),
    ("lab", "rate", "RUN"),
    ("lab", "report", "RUN"),
)
"""Commands that need no bot."""

REPLAYING: Final = (
    ("lab", "games", "RUN", "--where", "round > 0", "--jobs", "1"),
    ("lab", "open", "RUN", "1", "--no-screen", "--no-fate"),
    ("lab", "sample", "RUN", "-o", "OUT"),
    ("lab", "part", "RUN", "1st", "easy", "--jobs", "1"),
    ("lab", "part", "RUN", "easy", "1st", "--jobs", "1"),
    ("lab", "verify", "PROOF"),
    ("lab", "verify", "PROOF", "--anyway", "--sample", "1"),
)
"""Commands that replay games of a run."""


def received(folder: Path, bot: str) -> Path:
    """Build a run as another person may send it: its rows fit its plan but were never played."""
    plan = LabPlan("weltendaemmerung", (bot, "easy"), ("ford",), pairs=1, keep="none")
    setup = setup_of(plan)
    played = runs.run(folder / "levels", runs.plan("easy", "normal", pairs=1, keep="none"))
    tasks = list(schedule(plan, setup, meetings(plan.format, 2, setup.seats)))
    rows = [
        replace(game.result, key=game_key(setup, task), bots=("1st", "easy"))
        for game, task in zip(played, tasks, strict=True)
    ]
    path = folder / "run"
    with RunFolder.create(path, plan) as made:
        made.keep_setup(setup)
        made.add(rows)
    proof = prove(RunFolder.read(path), brief=True)
    (folder / "proof.json").write_bytes(proof_text(proof))
    return path


def answer(words: Sequence[str], folder: Path) -> Exit | int:
    given = {
        "RUN": str(folder / "run"),
        "OUT": str(folder / "out.jsonl"),
        "PROOF": str(folder / "proof.json"),
    }
    return main([given.get(word, word) for word in words])


@pytest.fixture(params=["cmd", "py"])
def evil(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of a received run; its bot leaves a file ``owned`` if it ever runs."""
    owned = tmp_path / "owned"
    if request.param == "cmd":
        received(tmp_path, f"1st=cmd:{python(LEAVES, owned)}")
    else:
        (tmp_path / "bot.py").write_text(CLASS.format(owned=str(owned)), encoding="utf-8")
        received(tmp_path, f"1st=py:{tmp_path}/bot.py:Copy")
    assert not owned.exists(), "making the run starts nothing"
    return tmp_path


def test_reading_a_received_run_starts_nothing(
    evil: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in READING:
        assert answer(words, evil) == Exit.OK, words
        assert not (evil / "owned").exists(), words
    assert capsys.readouterr().out


def test_replaying_a_received_run_starts_its_bots_only_when_asked(
    evil: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in REPLAYING:
        assert answer(words, evil) == Exit.USAGE, words
        told = capsys.readouterr().err
        assert "1st=" in told, words
        assert told.endswith("--run-bots allows it\n"), words
        assert told.count("\n") == 1, words
        assert not (evil / "owned").exists(), words
    answer(("lab", "open", "RUN", "1", "--no-screen", "--no-fate", "--run-bots"), evil)
    assert (evil / "owned").exists(), "asked for, it starts"


def test_changed_class_is_not_imported_even_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    owned, bot = tmp_path / "owned", tmp_path / "bot.py"
    bot.write_text(CLASS.format(owned=str(owned)), encoding="utf-8")
    received(tmp_path, f"1st=py:{bot}:Copy")
    bot.write_text(bot.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    for words in REPLAYING:
        if "--anyway" not in words:
            answer((*words, "--run-bots"), tmp_path)
            assert not owned.exists(), words
    assert "code of 1st=py:" in capsys.readouterr().err


def test_page_of_results_starts_no_bot_of_its_plans(tmp_path: Path) -> None:
    owned, bot = tmp_path / "owned", tmp_path / "bot.py"
    bot.write_text(CLASS.format(owned=str(owned)), encoding="utf-8")
    received(tmp_path, f"1st=py:{bot}:Copy")
    folder = tmp_path / "results"
    folder.mkdir()
    (tmp_path / "run" / "plan.toml").rename(folder / "night.toml")
    (tmp_path / "proof.json").rename(folder / "night.json")
    (folder / "prose.md").write_text("# Results\n\n{{night}}\n", encoding="utf-8")
    main(["lab", "report", str(folder), "--check"])
    assert not owned.exists()


def test_hashing_a_class_in_a_package_does_not_import_the_package(tmp_path: Path) -> None:
    package, owned = tmp_path / "pack", tmp_path / "owned"
    package.mkdir()
    (package / "__init__.py").write_text(CLASS.format(owned=str(owned)), encoding="utf-8")
    (package / "bot.py").write_text(CLASS.format(owned=str(owned)), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(tmp_path))
        made = setup_of(LabPlan("weltendaemmerung", ("py:pack.bot:Copy",), ("ford",)))
    assert len(made.hashes) == 2
    assert not owned.exists()


POISONED: Final = ("json.py", "multiprocessing.py", "msgspec.py", "random.py", "sitecustomize.py")


@pytest.fixture
def poisoned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with modules that leave a file ``owned`` when imported."""
    for name in POISONED:
        text = f"open({str(tmp_path / 'owned')!r}, 'w').close()\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_worker_of_a_farm_imports_nothing_from_the_current_folder(poisoned: Path) -> None:
    with Farm(works.squares, 1, workers=1) as farm:
        assert [result.value for result in farm.run([2]) if isinstance(result, Done)] == [5]
    assert not (poisoned / "owned").exists()


def test_process_of_a_computer_player_imports_nothing_from_the_current_folder(
    poisoned: Path,
) -> None:
    rules = find("weltendaemmerung")
    level = next(iter(rules.bots))
    state = opening(rules, playable_start(rules, rules.scenarios()["ford"], "ford", 2))
    view = encode(rules.view(state, 0))
    workers = PlanWorkers()
    try:
        plan = asyncio.run(workers.plan(PlanRequest(rules.name, level, view, 0, b"1", 1)))
    finally:
        workers.close()
    assert plan
    assert not (poisoned / "owned").exists()


# -- bots start in one place only --------------------------------------------------------------

STARTING: Final = {
    "tui/console/lifeline.py": "what its callers give it: this program, git, a command line",
    "study/debug/tree_process.py": "a tree that the command line names",
    "study/debug/trees.py": "git",
    "tui/terminal/capabilities.py": "the terminal's own tools",
    "study/farm/links.py": "this interpreter, or ssh",
    "study/farm/worker.py": "this interpreter",
    "study/farm/machines.py": "the way to another machine",
    "study/lab/families.py": "this interpreter",
    "study/lab/processes.py": "a bot, through the door",
    "tui/play/players.py": "this interpreter",
}
"""Modules that start processes, and what they start."""

IMPORTING: Final = {
    "banneret/__init__.py": "modules of this program",
    "engine/core/base_ruleset.py": "modules of a ruleset",
    "engine/core/registry.py": "installed rulesets",
    "engine/debug/tracing.py": "modules of a ruleset",
    "study/debug/decider_program.py": "modules of a tree that the command line names",
    "study/debug/tree_program.py": "modules of this version, in a process of another tree",
    "study/debug/verbs.py": "modules of this program",
    "study/farm/protocol.py": "the work that a supervisor sends",
    "study/farm/dask_workers.py": "dask",
    "study/lab/bot_code.py": "a bot, behind the door",
    "study/lab/verbs.py": "modules of this program",
}
"""Modules that import names known only at run time."""

_STARTS: Final = {"subprocess", "multiprocessing", "pty"}
_IMPORTS: Final = {"importlib", "importlib.util", "importlib.machinery", "runpy", "imp"}
_HARMLESS: Final = {"files", "entry_points", "version", "PackageNotFoundError", "Traversable"}
_DANGEROUS: Final = {"exec", "eval", "compile", "__import__"}
_PICKLES: Final = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}


_TELLING: Final = re.compile(
    r"subprocess|multiprocessing|\bpty\b|importlib|runpy|pickle|marshal|shelve|joblib|\bdill\b"
    r"|\bFarm\(|\bBotProcess\(|(?<![.\w])(?:exec|eval|compile|__import__)\("
    r"|\bos\.(?:system|popen|fork|posix_spawn|exec|spawn)|from os import|\bimp\b"
)
"""Words without which a module cannot start anything; modules without them are not parsed."""


@cache
def sources() -> dict[str, ast.Module]:
    """Return the syntax trees of the modules that may start something, by path."""
    paths = [HOME / "app.py"]
    for top in ("engine", "host", "saves", "study", "tui", "banneret"):
        paths += sorted((HOME / top).rglob("*.py"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {
        path.relative_to(HOME).as_posix(): ast.parse(text)
        for path, text in texts.items()
        if _TELLING.search(text)
    }


def imported(tree: ast.Module) -> set[str]:
    """Return the imported modules, except those from which only harmless names are taken."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {name.name for name in node.names} - _HARMLESS
            found.update({node.module} if names else ())
    return found


def test_only_known_modules_start_processes_or_import_by_name() -> None:
    trees = sources()
    starting = {name for name, tree in trees.items() if imported(tree) & _STARTS}
    importing = {name for name, tree in trees.items() if imported(tree) & _IMPORTS}
    assert starting == STARTING.keys()
    assert importing == IMPORTING.keys()


def test_no_module_runs_text_or_unpickles() -> None:
    for name, tree in sources().items():
        assert not imported(tree) & _PICKLES, name
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func
                if isinstance(called, ast.Name):
                    assert called.id not in _DANGEROUS, f"{name}:{node.lineno}"
                if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
                    is_os = called.value.id == "os"
                    starts = called.attr in {"system", "popen", "fork", "posix_spawn"}
                    starts = starts or called.attr.startswith(("exec", "spawn"))
                    assert not (is_os and starts), f"{name}:{node.lineno}"


def test_every_farm_of_the_lab_gets_only_allowed_bots() -> None:
    seen = 0
    for name, tree in sources().items():
        if not name.startswith("study/lab/") or name == "study/lab/simulate.py":
            continue  # simulate knows levels only
        checked = {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and _is_asked(node.value)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Farm":
                seen += 1
                setup = node.args[1]
                is_checked = isinstance(setup, ast.Name) and setup.id in checked
                assert is_checked or _is_asked(setup), f"{name}:{node.lineno}"
    assert seen >= 7


def _is_asked(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "asked"


def test_only_lab_commands_start_the_program_of_a_bot() -> None:
    users = [
        name
        for name, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BotProcess"
    ]
    assert users == ["study/lab/command_bots.py"]
