"""Scenarios and rulesets by name: shipped ones, the player's own, files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_data_path

from engine.core.archive import SeatPlayer
from engine.core.documents import LARGEST
from engine.core.record import Record
from engine.core.registry import UnknownRuleset, find
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import computers_among, fitted, parse
from tui.console.exits import Wrong
from tui.console.input_files import content

SUFFIXES = (".toml", ".json")


class Listed(Record, frozen=True):
    """Scenario to choose; ``path`` is empty for a shipped one."""

    name: str
    title: str
    path: str = ""
    fault: str = ""


def own_folder(rules: AnyRuleset) -> Path:
    """Folder of a player's own scenarios of a game."""
    return user_data_path("banneret", appauthor=False) / "scenarios" / rules.name


def find_rules(name: str) -> AnyRuleset:
    """Ruleset by name.

    Raises:
        Wrong: there is none.
    """
    try:
        return find(name)
    except UnknownRuleset as problem:
        raise Wrong(str(problem)) from None


def resolve_scenario(rules: AnyRuleset, text: str | None) -> Scenario:
    """Scenario by its shipped name, its name in the player's folder, or its path.

    None means the default one.

    Raises:
        Wrong: there is none, or it cannot be played; names the file and the field.
    """
    shipped = rules.scenarios()
    if text is None:
        return next(iter(shipped.values()))
    if text in shipped:
        return shipped[text]
    for path in (Path(text), *(own_folder(rules) / f"{text}{suffix}" for suffix in SUFFIXES)):
        if path.is_file():
            return read_file(rules, path)
    raise Wrong(f"{text}: no scenario of {rules.name} and no file; shipped: {', '.join(shipped)}")


def read_file(rules: AnyRuleset, path: Path) -> Scenario:
    """Scenario in a file.

    Raises:
        Wrong: it cannot be read or played; names the file and the field.
    """
    try:
        return parse(rules, content(path, LARGEST))
    except ScenarioFault as fault:
        rule = f" [{fault.rule}]" if fault.rule else ""
        raise Wrong(f"{path}: {fault}{rule}") from None


def listed(rules: AnyRuleset) -> tuple[Listed, ...]:
    """Scenarios to choose from: shipped ones first, then the player's own."""
    found = [Listed(name, made.title) for name, made in rules.scenarios().items()]
    for path in _own_files(rules):
        try:
            found.append(Listed(path.stem, read_file(rules, path).title, str(path)))
        except Wrong as wrong:
            found.append(Listed(path.stem, path.stem, str(path), str(wrong)))
    return tuple(found)


def own_scenarios(rules: AnyRuleset) -> tuple[dict[str, Scenario], tuple[str, ...]]:
    """Player's own scenarios by file name, and the reasons why others cannot be played."""
    found: dict[str, Scenario] = {}
    faults: list[str] = []
    for path in _own_files(rules):
        try:
            found[path.stem] = read_file(rules, path)
        except Wrong as wrong:
            faults.append(str(wrong))
    return found, tuple(faults)


def _own_files(rules: AnyRuleset) -> list[Path]:
    folder = own_folder(rules)
    paths = sorted(folder.glob("*")) if folder.is_dir() else []
    return [path for path in paths if path.suffix in SUFFIXES]


def seed_bytes(seed: int) -> bytes:
    """Seed of a game from a number."""
    return str(seed).encode()


def with_seats(rules: AnyRuleset, scenario: Scenario, players: Sequence[SeatPlayer]) -> Scenario:
    """Scenario for these players.

    Raises:
        Wrong: it is for fewer or more.
    """
    try:
        return fitted(rules, scenario, len(players), computers_among(players))
    except ScenarioFault as fault:
        raise Wrong(str(fault)) from None
