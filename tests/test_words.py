"""One word has one meaning: names of types and modules, and the glossary."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

HOME = Path(__file__).parents[1]
CLASS: Final = re.compile(r"^class (\w+)", re.M)
"""Matches a class at the top level of a module."""

CAMEL: Final = r"_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*"
MAY_ALIAS: Final = re.compile(rf"^(?:{CAMEL} =|\w+: TypeAlias\b).*\n(?:[\s)\]}}].*\n)*", re.M)
"""Matches a top-level statement that may define a type alias."""

GLOSSARY = (HOME / "docs" / "glossary.md").read_text(encoding="utf-8")

EACH_RULESET: Final = "each ruleset has its own; outside of it the ruleset's name stands before it"
IN_SCHEMA: Final = "the name stands in the published schemas of two rulesets"

SHARED: Final[Mapping[str, str]] = {
    "AnyCommand": EACH_RULESET,
    "AnyEvent": EACH_RULESET,
    "BotBoard": EACH_RULESET,
    "CellArray": EACH_RULESET,
    "Choices": EACH_RULESET,
    "CityPlaced": EACH_RULESET,
    "Decision": EACH_RULESET,
    "End": EACH_RULESET,
    "LandPlanes": EACH_RULESET,
    "Made": EACH_RULESET,
    "NewMap": EACH_RULESET,
    "Options": EACH_RULESET,
    "OriginalImporter": EACH_RULESET,
    "Phase": EACH_RULESET,
    "Player": EACH_RULESET,
    "Refusal": EACH_RULESET,
    "SidePlaced": EACH_RULESET,
    "State": EACH_RULESET,
    "StateOrView": EACH_RULESET,
    "Terrain": EACH_RULESET,
    "TerrainRow": EACH_RULESET,
    "Unit": EACH_RULESET,
    "UnitRow": EACH_RULESET,
    "View": EACH_RULESET,
    "Attack": IN_SCHEMA,
    "EndPhase": IN_SCHEMA,
    "GameEnded": IN_SCHEMA,
    "GameSet": IN_SCHEMA,
    "Map": IN_SCHEMA,
    "March": IN_SCHEMA,
    "Now": IN_SCHEMA,
    "PhaseBegan": IN_SCHEMA,
    "Resign": IN_SCHEMA,
    "RoundEnded": IN_SCHEMA,
    "Site": IN_SCHEMA,
    "SitePlaced": IN_SCHEMA,
    "Spawn": IN_SCHEMA,
    "TurnBegan": IN_SCHEMA,
    "World": "gd6 publishes its own; the strategic layer's is the base of its rulesets' states",
}
"""Names of types that several modules define, with the reason."""

KEPT: Final[Mapping[str, str]] = {
    "engine/core/decision.py: BaseDecision": "base of the rulesets' Decision",
    "engine/rulesets/gd6/state.py: Deed": "the name stands in the published schema",
    "tui/screens/frame.py": "the frame around a screen, not a scenario",
}
"""Names that the glossary rules out but that stay, with the reason."""


@cache
def modules() -> Mapping[str, tuple[str, ...]]:
    """Return the names of classes and type aliases of each module, by its path in the project."""
    files = [HOME / "app.py"]
    for folder in ("engine", "host", "saves", "study", "tui"):
        files += sorted((HOME / folder).rglob("*.py"))
    return {
        file.relative_to(HOME).as_posix(): _read(file.read_text(encoding="utf-8")) for file in files
    }


def _read(text: str) -> tuple[str, ...]:
    """Return the types at the top level of a module. Only possible aliases are parsed."""
    classes = CLASS.findall(text)
    aliases = aliases_of(ast.parse("".join(MAY_ALIAS.findall(text))))
    return (*classes, *aliases)


def aliases_of(tree: ast.Module) -> Iterator[str]:
    """Yield the names of type aliases at the top level of a module."""
    for node in tree.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_alias(name, value):
                yield name


def _is_alias(name: str, value: ast.expr) -> bool:
    return bool(re.fullmatch(CAMEL, name)) and not isinstance(value, ast.Call | ast.Constant)


def test_a_type_name_means_one_thing() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, types in modules().items():
        for name in types:
            places[name].append(path)
    several = {name: where for name, where in places.items() if len(where) > 1}
    assert {name: where for name, where in several.items() if name not in SHARED} == {}
    assert [name for name in SHARED if name not in several] == [], "no exception any more"


def test_names_in_schemas_are_in_schemas() -> None:
    for name in (name for name, reason in SHARED.items() if reason is IN_SCHEMA):
        assert sum(name in json.loads(text)["$defs"] for text in _schemas()) > 1, name


def test_ruleset_defines_a_shared_name_only_once() -> None:
    for name in (name for name, reason in SHARED.items() if reason is EACH_RULESET):
        folders = [_folder(path) for path, types in modules().items() if name in types]
        assert len(set(folders)) == len(folders), name
        assert all(each.startswith(("engine/rulesets/", "engine/strategic")) for each in folders)


def _folder(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:3] if parts[1] == "rulesets" else parts[:2])


def test_the_glossary_names_modules_and_types_that_exist() -> None:
    words = re.findall(r"^\| [a-z ]+ \| .* \| `([\w/]+\.py)`(?:: `(\w+)`)? \|$", GLOSSARY, re.M)
    assert len(words) > 50
    for path, name in words:
        assert path in modules()
        assert not name or name in modules()[path], f"{path}: {name}"


def test_glossary_defines_each_word_once() -> None:
    words = re.findall(r"^\| ([a-z ]+) \|", GLOSSARY, re.M)
    defined = [word for word in words if word not in {"word", "not used"}]
    assert sorted(set(defined)) == sorted(defined)


def test_words_the_glossary_rules_out_name_no_type_or_module() -> None:
    rows = re.findall(r"^\| (`[^|]*) \| `[^|]* \|$", GLOSSARY, re.M)
    unused = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    assert len(unused) > 50
    found = {path for path in modules() if Path(path).stem.removeprefix("_") in unused}
    for path, types in modules().items():
        found |= {f"{path}: {name}" for name in types if name.removeprefix("_") in unused}
    assert found == set(KEPT)


@cache
def _schemas() -> tuple[str, ...]:
    folder = HOME / "tests" / "contract" / "schemas"
    return tuple(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.json")))
