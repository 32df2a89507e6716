"""The rules hash covers each module that takes part in decisions, and no picture or bot."""

from __future__ import annotations

import doctest
import json
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from subprocess import run

import pytest

from engine.core import sources
from engine.core.registry import find, names
from engine.core.sources import (
    _hash_of,
    _modules,
    bare,
    deciding_modules,
    players_hash,
    rules_hash,
)

every_shipped = pytest.mark.parametrize("name", [name for name in names() if name != "toy"])


def test_rules_hash_covers_deciding_modules_of_every_layer() -> None:
    found = set(deciding_modules("engine.rulesets.warlords2.rules"))
    assert {
        "engine.core.dice",
        "engine.kit.fields",
        "engine.strategic.duels",
        "engine.rulesets.warlords2.generator",  # imported only when a map is made
    } <= found


LOADING = """
import json, os, sys, msgspec, numpy
for module in sys.argv[1:]:
    if not os.fork():
        __import__(module)
        files = {name: getattr(one, "__file__", None) for name, one in sys.modules.items()}
        long = [name for name, file in files.items() if name.startswith("engine.") and file
                and open(file).read().count("\\n") > 12]
        print(json.dumps([module, long]), flush=True)
        os._exit(0)
    os.wait()
"""
"""Program that prints, per module, the longer engine modules that it loads in a fresh process."""


@cache
def loaded_modules() -> dict[str, set[str]]:
    """Return the modules of the engine that are loaded with each shipped ruleset."""
    modules = [type(find(name)).__module__ for name in names() if name != "toy"]
    command = [sys.executable, "-c", LOADING, *modules]
    ended = run(command, capture_output=True, text=True, check=True)
    return {name: set(found) for name, found in map(json.loads, ended.stdout.splitlines())}


@every_shipped
def test_rules_hash_covers_all_loaded_modules_but_pictures_and_bots(name: str) -> None:
    module = type(find(name)).__module__
    found = set(deciding_modules(module))
    loaded = loaded_modules()[module]
    assert module in loaded
    assert loaded <= found
    shown = {".picture", ".bot", ".imports", ".gdl", ".presenter"}
    assert not {one for one in found for part in shown if part in one}


PARTS = {
    "rules.py": "from {home}.sub import (\n    helper as h,\n)\n\n\nclass Rules:\n"
    "    @property\n    def bots(self):\n        from {home} import bot\n\n        return bot\n",
    "__init__.py": "",
    "bot.py": "LEVEL = 1\n",
    "sub/__init__.py": "",
    "sub/helper.py": "def decide():\n    from . import deep\n",
    "sub/deep.py": "NUMBER = 1\n",
    "data/numbers.toml": "one = 1\n",
    "scenarios/first.toml": "name = 'first'\n",
    "rule_index.toml": "'A-1' = ['cities.income']\n",
}


def write(folder: Path) -> None:
    """Write a small ruleset as a package."""
    for path, text in PARTS.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("{home}", folder.name), encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("rules.py", True),
        ("sub/helper.py", True),
        ("sub/deep.py", True),
        ("data/numbers.toml", True),
        ("bot.py", False),
        ("scenarios/first.toml", False),
        ("rule_index.toml", False),
    ],
)
def test_only_changes_of_deciding_files_change_the_rules_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, *, counts: bool
) -> None:
    home = tmp_path / f"stamped_{sorted(PARTS).index(path)}"
    write(home)
    monkeypatch.syspath_prepend(tmp_path)
    rules = import_module(f"{home.name}.rules").Rules()
    before = rules_hash(rules)
    with (home / path).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert rules_hash(rules) == before  # once in each run of the program
    _hash_of.cache_clear()
    assert (rules_hash(rules) != before) == counts


@every_shipped
def test_only_the_players_hash_covers_bots(name: str) -> None:
    rules = find(name)
    module = type(rules).__module__
    playing = {type(bot).__module__ for bot in rules.bots.values()}
    assert playing.isdisjoint(deciding_modules(module))
    assert playing <= set(_modules(module, *playing))
    assert players_hash(rules) != rules_hash(rules)


def test_bare_source_has_no_docstrings_or_comments(tmp_path: Path) -> None:
    told = [
        b'"""A module."""\n\nX = 1\n"""A number."""\n',
        b"# none\nX = 1\n",
        b"X = 1\n",
    ]
    assert {bare(source) for source in told} == {b"X = 1"}
    inside = b'def f():\n    """It."""\n    if x:\n        """No."""\n    return """It."""\n'
    assert bare(inside) == b'def f():\n    if x:\n    return """It."""'
    assert bare(b"x = [\n    # why\n    1,\n]\n") == b"x = [\n    1,\n]"


def test_examples_of_sources() -> None:
    assert doctest.testmod(sources).failed == 0
