"""Scenarios and rulesets by name: shipped ones, the player's own, files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from platformdirs import user_data_path

from engine.core.archive import SeatPlayer
from engine.core.documents import LARGEST
from engine.core.printable import clipped, composed
from engine.core.record import Record, replace
from engine.core.registry import UnknownRuleset, find, names
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import computers_among, fitted, parse
from engine.tabletop.presenter import presenter_of
from tui.console.exits import Wrong
from tui.console.files import content, is_file, is_folder

SUFFIXES = (".toml", ".json")

_LONGEST: Final = 200
"""Characters of an unknown name that an error repeats."""
_SHOWN: Final = 40
"""Characters of a player's name that an error repeats."""
_STEM: Final = 20
"""Characters of a player's name that are kept when a number is added to it."""


class Listed(Record, frozen=True):
    """Scenario in a list to choose from; ``path`` is empty for a shipped one."""

    name: str
    title: str
    path: str = ""
    fault: str = ""


def own_folder(rules: AnyRuleset) -> Path:
    """Return the folder of the player's own scenarios of a game."""
    return user_data_path("banneret", appauthor=False) / "scenarios" / rules.name


def find_rules(name: str) -> AnyRuleset:
    """Return the ruleset with this name or title, in any case, with or without blanks.

    Raises:
        Wrong: no ruleset has that name or title.
    """
    try:
        return find(name)
    except UnknownRuleset as problem:
        wanted = _letters(name)
        for rules in map(find, names()):
            if wanted and _letters(rules.title) == wanted:
                return rules
        raise Wrong(str(problem)) from None


def _letters(text: str) -> str:
    """Return the letters and digits of a name, in the form in which names are compared."""
    return "".join(filter(str.isalnum, _folded(text)))


def resolve_scenario(rules: AnyRuleset, text: str | None) -> Scenario:
    """Return a scenario by its shipped name, its name in the player's folder, or its path.

    None means the default one.

    Raises:
        Wrong: it is missing or cannot be played; the text names the file and the field.
    """
    shipped = rules.scenarios()
    if text is None:
        return next(iter(shipped.values()))
    if text in shipped:
        return shipped[text]
    for path in (Path(text), *(own_folder(rules) / f"{text}{suffix}" for suffix in SUFFIXES)):
        if is_file(path):
            return read_file(rules, path)
    known, said = ", ".join(shipped), clipped(text, _LONGEST)
    raise Wrong(f"{said}: no scenario of {rules.name} and no file; shipped: {known}")


def read_file(rules: AnyRuleset, path: Path) -> Scenario:
    """Return the scenario in a file.

    Raises:
        Wrong: it cannot be read or played; the text names the file and the field.
    """
    try:
        found = parse(rules, content(path, LARGEST))
    except ScenarioFault as fault:
        rule = f" [{fault.rule}]" if fault.rule else ""
        raise Wrong(f"{path}: {fault}{rule}") from None
    for unclear in _name_faults(rules, found):
        raise Wrong(f"{path}: {unclear.place}: {unclear.text}")
    return found


# -- names of players ------------------------------------------------------------------------------


class _NameFault(NamedTuple):
    """Name of a player that cannot be its own, with the row that has it."""

    row: int
    place: str
    text: str


def with_own_names(rules: AnyRuleset, scenario: Scenario) -> tuple[Scenario, tuple[str, ...]]:
    """Give every player a unique name; return the scenario, and a remark for each changed name."""
    remarks: list[str] = []
    field = presenter_of(rules).player_rows
    while fault := next(_name_faults(rules, scenario), None):
        rows = list(getattr(scenario, field))
        taken = {_folded(row.name) for row in rows} | set(map(_folded, rules.seat_names(scenario)))
        stem = " ".join(rows[fault.row].name.split())[:_STEM] or "Player"
        names = (f"{stem} {number}" for number in count(fault.row + 1))
        name = next(one for one in names if _folded(one) not in taken)
        rows[fault.row] = replace(rows[fault.row], name=name)
        scenario = replace(scenario, **{field: tuple(rows)})
        remarks.append(f"{fault.place}: {fault.text}; called {name!r} now")
    return scenario, tuple(remarks)


def _name_faults(rules: AnyRuleset, scenario: Scenario) -> Iterator[_NameFault]:
    """Yield the players whose names are blank or also mean another player."""
    field = presenter_of(rules).player_rows
    rows = getattr(scenario, field) if field else ()
    seats = list(map(_folded, rules.seat_names(scenario)))
    known: dict[str, int] = {}
    for number, row in enumerate(rows):
        place, name, shown = (
            f"{field}[{number}].name",
            _folded(row.name),
            clipped(composed(row.name), _SHOWN),
        )
        if row.name and not name:
            yield _NameFault(number, place, "is blank")
        elif known.setdefault(name, number) != number and name:
            yield _NameFault(number, place, f"{shown!r} is the name of {field}[{known[name]}] too")
    for name, number in known.items():
        seat = getattr(rows[number], "id", number)
        if name and seats[seat : seat + 1] != [name]:
            text = f"{clipped(rows[number].name, _SHOWN)!r} is what another player is called"
            yield _NameFault(number, f"{field}[{number}].name", text)


def _folded(name: str) -> str:
    """Return a name in the form in which names are compared."""
    return " ".join(composed(name).casefold().split())


def listed(rules: AnyRuleset) -> tuple[Listed, ...]:
    """Return the scenarios to choose from: shipped ones first, then the player's own."""
    found = [Listed(name, made.title) for name, made in rules.scenarios().items()]
    for path in _own_files(rules):
        try:
            found.append(Listed(path.stem, read_file(rules, path).title, str(path)))
        except Wrong as wrong:
            found.append(Listed(path.stem, path.stem, str(path), str(wrong)))
    return tuple(found)


def own_scenarios(rules: AnyRuleset) -> tuple[dict[str, Scenario], tuple[str, ...]]:
    """Return the player's own scenarios by file name, and a line for each that cannot be played."""
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
    paths = sorted(folder.glob("*")) if is_folder(folder) else []
    return [path for path in paths if path.suffix in SUFFIXES]


def seed_bytes(seed: int) -> bytes:
    """Return the seed of a game for a number."""
    return str(seed).encode()


def with_seats(rules: AnyRuleset, scenario: Scenario, players: Sequence[SeatPlayer]) -> Scenario:
    """Return a scenario adapted to these players.

    Raises:
        Wrong: the scenario is for fewer or more players.
    """
    try:
        return fitted(rules, scenario, len(players), computers_among(players))
    except ScenarioFault as fault:
        raise Wrong(str(fault)) from None
