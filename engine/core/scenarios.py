"""Scenarios: files (TOML or JSON in, JSON out), ranges of their numbers, and their players."""

from __future__ import annotations

import re
import string
import types
import typing
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from engine.core.archive import SeatPlayer
from engine.core.codec import convert, encode, encode_json
from engine.core.documents import read_document
from engine.core.ids import Seat
from engine.core.log import EventLog
from engine.core.printable import clipped, composed
from engine.core.record import Range, Record
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault

_LONGEST_NAME = 60
"""Maximum characters of a field's name in an error text."""

_PATH = re.compile(r"(.*) - at `\$\.?(.*)`$")


def parse(rules: AnyRuleset, data: bytes) -> Scenario:
    """Parse a scenario from the bytes of a file; JSON if it begins with ``{``, else TOML.

    Raises:
        ScenarioFault: with the path of the field and the reason in one line.
    """
    scenario = _typed(rules, _raw(data))
    rules.check(scenario)
    return scenario


def check_ranges(record: Record, place: str = "") -> None:
    """Refuse a record, or one inside it, with a number beyond the ``Range`` of its field.

    Args:
        record: a scenario, or a part of one.
        place: the path of the part within its scenario.

    Raises:
        ScenarioFault: with the path of the first field that is out of bounds, and its rule.
    """
    prefix = f"{place}." if place else ""
    ranges, nested = _constraints(type(record))
    for name, bounds in ranges:
        value = getattr(record, name)
        if value is not None and not bounds.low <= value <= bounds.high:
            text = bounds.text.format(value=value, low=bounds.low, high=bounds.high)
            raise ScenarioFault(prefix + name, text, bounds.rule)
    for name in nested:
        value = getattr(record, name)
        if isinstance(value, Record):
            check_ranges(value, prefix + name)
        elif isinstance(value, tuple):
            for number, row in enumerate(value):
                if isinstance(row, Record):
                    check_ranges(row, f"{prefix}{name}[{number}]")


@cache
def _constraints(kind: type[Record]) -> tuple[tuple[tuple[str, Range], ...], tuple[str, ...]]:
    """Return the fields of a record with a range, and those whose records have one inside."""
    hints = typing.get_type_hints(kind, include_extras=True)
    ranges = tuple(
        (name, bounds)
        for name in kind.__struct_fields__
        for bounds in getattr(hints[name], "__metadata__", ())
        if isinstance(bounds, Range)
    )
    nested = (name for name in kind.__struct_fields__ if any(map(_is_bound, _kinds(hints[name]))))
    return ranges, tuple(nested)


def _is_bound(kind: type[Record]) -> bool:
    return any(_constraints(kind))


def _kinds(hint: Any) -> list[type[Record]]:
    """Return the record types that a type hint mentions."""
    if isinstance(hint, type) and issubclass(hint, Record):
        return [hint]
    return [kind for arg in typing.get_args(hint) for kind in _kinds(arg)]


def dump(scenario: Scenario) -> str:
    """Return a scenario as indented JSON that ``parse`` can read."""
    return msgspec.json.format(encode_json(scenario), indent=1).decode()


def _raw(data: bytes) -> Any:
    try:
        return read_document(data)
    except ValueError as problem:
        raise ScenarioFault("", str(problem)) from None


def _typed(rules: AnyRuleset, raw: Any) -> Scenario:
    _refuse_unknown(raw, rules.scenario_type, "")
    try:
        scenario = convert(raw, rules.scenario_type)
        encode(scenario)
    except msgspec.ValidationError as problem:
        found = _PATH.match(_line(problem))
        place, text = (found[2], found[1]) if found else ("", _line(problem))
        raise ScenarioFault(place, text) from None
    except (OverflowError, UnicodeEncodeError) as problem:
        raise ScenarioFault(_unfit(raw, ""), f"no save can hold that: {_line(problem)}") from None
    assert isinstance(scenario, Scenario)  # noqa: S101 - tells the type checker
    return scenario


def _unfit(raw: Any, path: str) -> str:
    """Return the path of the first value that cannot be encoded."""
    if isinstance(raw, dict):
        parts = [(f"{path}.{name}" if path else str(name), value) for name, value in raw.items()]
    elif isinstance(raw, list):
        parts = [(f"{path}[{number}]", value) for number, value in enumerate(raw)]
    else:
        return path
    for place, value in parts:
        try:
            encode(value)
        except (OverflowError, UnicodeEncodeError):
            return _unfit(value, place)
    return path


def _line(problem: Exception) -> str:
    return " ".join(str(problem).split())


def _refuse_unknown(raw: Any, kind: Any, path: str) -> None:
    """Refuse a field that the record does not have, most likely a typing error."""
    for option in typing.get_args(kind) if _is_union(kind) else (kind,):
        if isinstance(raw, dict) and isinstance(option, type) and issubclass(option, Record):
            hints = _hints(option)
            for name, value in raw.items():
                shown = clipped(str(name), _LONGEST_NAME)
                place = f"{path}.{shown}" if path else shown
                if name not in option.__struct_fields__:
                    raise ScenarioFault(place, "there is no such field")
                _refuse_unknown(value, hints[name], place)
        if isinstance(raw, list) and typing.get_origin(option) is tuple:
            for number, value in enumerate(raw):
                _refuse_unknown(value, typing.get_args(option)[0], f"{path}[{number}]")


@cache
def _hints(kind: type[Record]) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)


# -- seats ----------------------------------------------------------------------------------------


def fitted(
    rules: AnyRuleset, scenario: Scenario, seats: int, computers: frozenset[Seat] = frozenset()
) -> Scenario:
    """Return the scenario for ``seats`` players; ``computers`` are the seats of computer players.

    Raises:
        ScenarioFault: the scenario is for fewer or more players.
    """
    check_count(rules, scenario, seats)
    return rules.with_seats(scenario, seats, computers)


def check_count(rules: AnyRuleset, scenario: Scenario, seats: int) -> None:
    """Refuse a number of players that a scenario does not allow.

    Raises:
        ScenarioFault: the scenario is for fewer or more players.
    """
    least, most = rules.seat_range(scenario)
    if not least <= seats <= most:
        room = f"{least} players" if least == most else f"{least} to {most} players"
        raise ScenarioFault("", f"{scenario.title} is for {room}, not for {seats}")


def names_in(rules: AnyRuleset, log: EventLog[Any, Any]) -> tuple[str, ...]:
    """Return the names of the seats of a game, from the first event of its log."""
    first = next((event for entry in log.line()[:1] for event in entry.events), None)
    if first is None:
        return rules.traits.seat_names
    scenario, _ = rules.setup(first)
    return rules.seat_names(scenario)


def seat_of(names: Sequence[str], word: str) -> Seat | None:
    """Return the seat that a word names: by its name, its number from 0 or its letter from A.

    Names come first, then numbers, then letters; case does not matter. None if nothing fits.

    >>> [seat_of(("The Reed People", "Ash", "B"), word) for word in ("ash", "0", "b", "c", "d")]
    [1, 0, 2, 2, None]
    """
    wanted = _folded(word)
    known = [_folded(name) for name in names]
    if wanted and wanted in known:
        return known.index(wanted)
    others = (list(map(str, range(len(names)))), _LETTERS[: len(names)])
    return next((found.index(wanted) for found in others if wanted in found), None)


_LETTERS: Final = list(string.ascii_lowercase)


def _folded(name: str) -> str:
    """Return a name for comparison: without case, accents composed, one space between words."""
    return " ".join(composed(name).casefold().split())


def computers_among(players: Iterable[SeatPlayer]) -> frozenset[Seat]:
    """Return the seats of the computer players."""
    return frozenset(player.seat for player in players if player.bot)
