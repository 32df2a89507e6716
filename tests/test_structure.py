"""Structure of the whole tree: no import cycles, and few files with a single importer."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import bench.structure
from bench.structure import (
    MOST_IMPORTED_ONCE,
    Imports,
    circles,
    imported_once,
    imports,
    riddles,
    shared_type_names,
)
from engine.core.registry import find, names
from tests.app.cli import ROOT


@cache
def product_imports() -> Imports:
    """Return the imports of the product, cached: reading them takes seconds."""
    return imports(bench.structure.product())


def test_product_has_no_import_cycles() -> None:
    assert "engine.core.game" in product_imports()["tui.play.table"], "imports are not found"
    assert circles(product_imports()) == []


def test_few_files_have_a_single_importer() -> None:
    """The limit allows chapters of two rulesets and of the debugger, and some twenty files of the
    lab.
    """
    once = imported_once(product_imports())
    assert len(once) <= MOST_IMPORTED_ONCE, once


# -- the measures ------------------------------------------------------------------------------


def made(folder: Path, **files: str) -> tuple[bench.structure.Module, ...]:
    """Write a product with these modules of ``engine`` and return its modules."""
    (folder / "engine").mkdir()
    for name, text in files.items():
        (folder / "engine" / f"{name}.py").write_text(text, encoding="utf-8")
    return bench.structure.product(folder)


def test_imports_are_found_in_all_their_forms(tmp_path: Path) -> None:
    modules = made(
        tmp_path,
        __init__="",
        one="import engine.two\nimport os\n",
        two="from engine import three\n",
        three="def late():\n    from engine.four import value\n",
        four="value = 1\n",
    )
    assert imports(modules) == {
        "engine": frozenset(),
        "engine.one": {"engine.two"},
        "engine.two": {"engine.three"},
        "engine.three": {"engine.four"},
        "engine.four": frozenset(),
    }


def test_cycles_of_any_length_are_found_once() -> None:
    found: Imports = {
        "a": frozenset("b"),
        "b": frozenset("c"),
        "c": frozenset("ad"),
        "d": frozenset("e"),
        "e": frozenset("d"),
        "f": frozenset("a"),
    }
    assert circles(found) == [("a", "b", "c"), ("d", "e")]
    assert imported_once(found) == {"b": "a", "c": "b", "e": "d"}


def test_ambiguous_type_names_and_riddle_words_are_found(tmp_path: Path) -> None:
    modules = made(
        tmp_path,
        one='class Grid:\n    """Most cells."""\n\n\nSIZE = (1, 2)\nT = TypeVar("T")\n',
        two='Grid: TypeAlias = int\nCell = list[int]\nx = "anew"  # nobody is told of it\n',
        three="Cell = tuple[int, int]\nT = TypeVar('T')\nSIZE = 3\n",
    )
    assert shared_type_names(modules) == {
        "Cell": ("engine.three", "engine.two"),
        "Grid": ("engine.one", "engine.two"),
    }
    assert riddles(modules) == [
        ("engine.one", 2, "Most"),
        ("engine.two", 3, "is told"),
        ("engine.two", 3, "nobody"),
    ]


def test_no_text_outside_the_rulesets_names_a_ruleset() -> None:
    """This includes docstrings and their examples."""
    known = {word for rules in map(find, names()) for word in (rules.name, rules.title)}
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, sorted(known)))})\b", re.IGNORECASE)
    tops = ("host", "saves", "study", "tui")
    files = [ROOT / "app.py", *(path for top in tops for path in (ROOT / top).rglob("*.py"))]
    files += [
        path
        for path in (ROOT / "engine").rglob("*.py")
        if not path.is_relative_to(ROOT / "engine" / "rulesets")
    ]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert len(files) > 300
    assert found == []
