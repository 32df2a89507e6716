"""Hostile files: sound files, changed in a few places.

Everything follows from a number, so each finding can be reproduced.
"""

from __future__ import annotations

import copy
import io
import json
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import msgpack

from engine.core.archive import Header, SeatPlayer
from engine.core.notation import write
from engine.core.registry import find
from engine.core.scenarios import dump, fitted
from saves.archive import Folder
from saves.frames import ENTRY, HEADER, START, Frame, pack_frame, scan
from tests.app.test_foreign_games import TEXT
from tests.rulesets.lordsawar import original_files as lordsawar
from tests.rulesets.warlords2 import original_files as warlords2
from tests.rulesets.weltendaemmerung import original_files as weltendaemmerung
from tui.play.players import think
from tui.play.table import Table

ENTRIES: Final = 14
"""Number of entries of a sample save: a command on it takes some milliseconds."""

EVIL: Final = "a\x1b[2J\x9b1m\x7f\u202eb\r\nc"
EXTREMES: Final[tuple[Any, ...]] = (
    *(0, 1, -1, 2, 7, 255, 256, 1000, -1000, 2**31, 2**32, 10**6, 10**9, 10**18, -(10**18)),
    *(2**63 - 1, -(2**63), 0.5, float("nan"), float("inf"), 1e300),
    *("", EVIL, "none", "x" * 5000, b"", b"\xff" * 9, None, True, False, [], {}),
    *([0] * 300, [[]] * 50, {"t": "turn-ended"}, {"id": 1}),
)

GAMES: Final[tuple[tuple[str, str, Mapping[str, Any]], ...]] = (
    ("weltendaemmerung", "ford", {}),
    ("gd6", "isthmus", {}),
    ("gd6", "spies", {}),
    ("warlords2", "skirmish", {}),
    ("warlords2", "mist", {}),
    ("lordsawar", "ford", {"diplomacy": "on", "quests": "per_hero"}),
    ("lordsawar", "fen", {"preset": "greatest"}),
    ("kaladan", "duel", {}),
    ("kaladan", "crowns", {"world_building": "drawn"}),
)

Change: TypeAlias = Callable[[bytes, Random], bytes]


@dataclass(frozen=True)
class Sample:
    """A sound file: its kind, the ending of its name, and its bytes."""

    kind: str
    suffix: str
    data: bytes
    ruleset: str = ""


# -- sound files --------------------------------------------------------------------------------


@cache
def saves() -> tuple[Sample, ...]:
    """Return the first entries of a game of every ruleset, and the old saves."""
    made = [_played(*game) for game in GAMES]
    old = Path(__file__).parents[2] / "saves" / "samples"
    made += [Sample("save", ".bnr", path.read_bytes()) for path in sorted(old.glob("*.bnr"))]
    return tuple(made)


def _played(ruleset: str, name: str, options: Mapping[str, Any]) -> Sample:
    rules = find(ruleset)
    scenario = rules.scenarios()[name]
    seats = rules.default_seats(scenario)
    scenario = fitted(rules, scenario, seats)
    names = rules.seat_names(scenario)
    players = tuple(SeatPlayer(seat, names[seat], "easy" if seat else "") for seat in range(seats))
    with TemporaryDirectory() as folder:
        file = Folder(Path(folder)).create("game", Header(ruleset, rules.schema, b"1", players))
        file.patient = True
        table = Table.begin(rules, scenario, options, Header(ruleset, 1, b"1", players), file=file)
        _play(table)
        table.close()
        data = (Path(folder) / "game.bnr").read_bytes()
    return Sample("save", ".bnr", data, ruleset)


def _play(table: Table) -> None:
    for _ in range(4 * ENTRIES):
        seat = table.to_act()
        if seat is None or len(table.game.log) >= ENTRIES:
            return
        log = table.game.log
        for command in think(table.rules, "easy", table.game.view(seat), seat, b"1", len(log)):
            if len(log) >= ENTRIES or not table.submit(seat, write(command)).ok:
                break


@cache
def scenarios() -> tuple[Sample, ...]:
    """Return scenarios in TOML and JSON, and positions from the middle of a game."""
    found = []
    for ruleset, name, _ in GAMES:
        rules = find(ruleset)
        text = dump(rules.scenarios()[name])
        found.append(Sample("scenario", ".json", text.encode(), ruleset))
        folder = Path(__file__).parents[2] / "engine" / "rulesets" / ruleset
        paths = sorted(folder.glob(f"**/*{name}.toml"))
        found += [Sample("scenario", ".toml", path.read_bytes(), ruleset) for path in paths]
    with TemporaryDirectory() as folder_name:
        for sample in saves():
            path = Path(folder_name) / "one.bnr"
            path.write_bytes(sample.data)
            opened = Folder(Path(folder_name)).read("one")
            rules = find(opened.header.ruleset)
            text = dump(rules.position(Table.resume(rules, opened).game.state))
            found.append(Sample("scenario", ".json", text.encode(), rules.name))
    return tuple(found)


@cache
def foreign() -> tuple[Sample, ...]:
    """Return files of the originals as the tests build them, and order texts."""
    return (
        Sample("foreign", ".prg", bytes(weltendaemmerung.program())),
        Sample("foreign", ".sav", bytes(weltendaemmerung.saved())),
        Sample("foreign", ".rsrc", warlords2.fork(warlords2.scenario())),
        Sample("foreign", ".map", lordsawar.scenario(), "lordsawar"),
        Sample("foreign", ".sav", lordsawar.scenario(name="small.sav"), "lordsawar"),
        Sample("foreign", ".map", _begins(lordsawar.scenario()), "lordsawar"),
        Sample("foreign", ".lwa", lordsawar.army_set(), "lordsawar"),
        Sample("foreign", ".gdl", TEXT.encode()),
    )


def _begins(data: bytes) -> bytes:
    """Return the scenario before its first turn, with the same length."""
    return data.replace(b"<d_turn>3</d_turn>", b"<d_turn>0</d_turn>")


def _archive(data: bytes, dice: Random) -> bytes:
    """Return a plain tar archive with one of its documents changed, and right lengths."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        parts = {one.name: read.read() for one in archive if (read := archive.extractfile(one))}
    name = next(iter(parts)) if dice.random() < 0.8 else dice.choice(list(parts))
    if parts[name].startswith(b"<?xml"):
        parts[name] = _document(parts[name], dice)
    else:
        parts[name] = _bytes(parts[name], dice)
    return lordsawar.tar(parts)


_NUMBER: Final = re.compile(rb"(?<=>)[^<>\n]*(?=</d_)")


def _document(data: bytes, dice: Random) -> bytes:
    """Return XML with some contents or lines changed."""
    if dice.random() < 0.3:
        return _text(data, dice)
    for _ in range(dice.choice((1, 1, 2, 4))):
        places = list(_NUMBER.finditer(data))
        if places:
            one = dice.choice(places)
            said = [
                part for part in (*EXTREMES, one[0].decode() * 3) if not isinstance(part, bytes)
            ]
            other = str(dice.choice(said)) if dice.random() < 0.5 else str(dice.randrange(-2, 40))
            coded = other.encode("utf-8", "surrogatepass")
            data = data[: one.start()] + coded + data[one.end() :]
    return data


@cache
def program() -> bytes:
    """Return the program file that saved games of the C64 need beside them."""
    return bytes(weltendaemmerung.program())


# -- changes ------------------------------------------------------------------------------------


def changed(sample: Sample, dice: Random) -> bytes:
    """Return a sample after a few hostile changes."""
    if sample.kind == "save" and dice.random() < 0.25:
        return _beginning(sample.data, dice)
    if sample.kind == "save" and dice.random() < 0.8:
        return _frames(sample.data, dice)
    if sample.suffix == ".json" and dice.random() < 0.85:
        tree = json.loads(sample.data)
        for _ in range(dice.choice((1, 1, 1, 2, 4))):
            tree = _tree(tree, dice)
        return json.dumps(tree, default=str, ensure_ascii=dice.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    if sample.kind == "foreign" and sample.ruleset == "lordsawar" and dice.random() < 0.8:
        return _archive(sample.data, dice)
    if sample.suffix in (".toml", ".gdl", ".json"):
        return _text(sample.data, dice)
    return _bytes(sample.data, dice)


def _bytes(data: bytes, dice: Random) -> bytes:
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5, 40))):
        at = dice.randrange(len(made) + 1)
        match dice.randrange(6):
            case 0:
                made[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                made[at : at + 2] = dice.choice((b"\0\0", b"\xff\xff", b"\x7f\xff", b"\x80\0"))
            case 2:
                del made[at : at + dice.choice((1, 3, 60))]
            case 3:
                made[at:at] = dice.randbytes(dice.choice((1, 4, 100)))
            case 4:
                made[at:at] = made[at : at + dice.choice((5, 80))]
            case _:
                made[at : at + 4] = dice.randbytes(4)
    return bytes(made[: dice.randrange(len(made) + 1)] if dice.random() < 0.1 else made)


_MOST = 1 << 25
"""Maximum length of a text: twice what the program reads."""


def _text(data: bytes, dice: Random) -> bytes:
    """Move, duplicate and delete lines and words; insert numbers and signs."""
    lines = data.decode().splitlines()
    for _ in range(dice.choice((1, 1, 2, 3, 8))):
        at = dice.randrange(len(lines)) if lines else 0
        match dice.randrange(6):
            case 0:
                del lines[at : at + 1]
            case 1:
                lines[at:at] = [dice.choice(lines or [""])] * dice.choice((1, 2, 300))
            case 2:
                lines[at : at + 1] = [_words(line, dice) for line in lines[at : at + 1]]
            case 3:
                lines[at:at] = [dice.choice((EVIL, "[[", '"""', "a.b.c = 1", "{", "End", "Set X"))]
            case 4:
                lines[at : at + 1] = [
                    line[: dice.randrange(len(line) + 1)] for line in lines[at : at + 1]
                ]
            case _:
                lines[at : at + 1] = [_words(line, dice) for line in lines[at : at + 1]] * 2
    while sum(map(len, lines)) > _MOST:
        lines = lines[: len(lines) // 2]
    made = "\n".join(lines).encode("utf-8", "surrogatepass")
    return _bytes(made, dice) if dice.random() < 0.1 else made


def _words(line: str, dice: Random) -> str:
    words = line.split(" ")
    at = dice.randrange(len(words))
    words[at] = str(dice.choice((*EXTREMES, words[at] * 200, f"{words[at]}0", f"-{words[at]}")))
    return " ".join(words)


def _frames(data: bytes, dice: Random) -> bytes:
    """Return a save with other payloads or another order, and right checksums."""
    parts = [(one.kind, one.seq, one.payload) for one in scan(data) if isinstance(one, Frame)]
    match dice.randrange(10):
        case 0:
            at, other = dice.randrange(len(parts)), dice.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        case 1:
            del parts[dice.randrange(len(parts)) :]
        case 2:
            parts.insert(dice.randrange(len(parts) + 1), dice.choice(parts))
        case _:
            for _ in range(dice.choice((1, 1, 1, 2, 4))):
                at = dice.randrange(len(parts)) if dice.random() < 0.6 else dice.randrange(2)
                parts[at] = _payload(parts[at % len(parts)], dice)
    return _packed(_renumbered(parts) if dice.random() < 0.5 else parts)


def _beginning(data: bytes, dice: Random) -> bytes:
    """Return a save whose first position no game reaches. Usually a computer player is to move."""
    parts = [(one.kind, one.seq, one.payload) for one in scan(data) if isinstance(one, Frame)]
    kind, seq, payload = parts[0]
    header = msgpack.unpackb(payload, strict_map_key=False)
    players = header["players"]
    if dice.random() < 0.7 and len(players) > 1:
        first, other = players[0].get("bot", ""), players[1].get("bot", "")
        players[0]["bot"], players[1]["bot"] = other, first
    parts[0] = kind, seq, msgpack.packb(header) or b""
    kind, seq, payload = parts[1]
    entry = msgpack.unpackb(payload, strict_map_key=False)
    for _ in range(dice.choice((1, 1, 2, 4))):
        entry["events"] = _tree(entry["events"], dice)
    if dice.random() < 0.8:
        entry.pop("mark", None)
    parts[1] = kind, seq, msgpack.packb(entry) or b""
    return _packed(parts[:2] if dice.random() < 0.7 else parts)


def _payload(part: tuple[str, int, bytes], dice: Random) -> tuple[str, int, bytes]:
    kind, seq, payload = part
    tree = _tree(msgpack.unpackb(payload, strict_map_key=False), dice)
    try:
        return kind, seq, msgpack.packb(tree) or b""
    except (OverflowError, ValueError, UnicodeEncodeError):
        return part


def _renumbered(parts: Sequence[tuple[str, int, bytes]]) -> list[tuple[str, int, bytes]]:
    """Renumber entries from 0 up, each after the one before, so that the log can be read."""
    made, count = [], 0
    for kind, seq, payload in parts:
        if kind == ENTRY:
            tree = msgpack.unpackb(payload, strict_map_key=False)
            if isinstance(tree, dict):
                tree |= {"seq": count, "parent": count - 1}
                made.append((kind, count, msgpack.packb(tree) or b""))
                count += 1
                continue
        made.append((kind, 0 if kind == HEADER else seq, payload))
    return made


def _packed(parts: Sequence[tuple[str, int, bytes]]) -> bytes:
    chain, out = START, bytearray()
    for kind, seq, payload in parts:
        packed, chain = pack_frame(kind, seq, payload, chain)
        out += packed
    return bytes(out)


# -- trees --------------------------------------------------------------------------------------


def _tree(tree: Any, dice: Random) -> Any:
    """Return plain data with one place changed. Each depth is equally likely."""
    made = copy.deepcopy(tree)
    places = list(_places(made))
    if not places:
        return dice.choice(EXTREMES)
    depth = dice.choice(sorted({place[2] for place in places}))
    holder, key, _ = dice.choice([place for place in places if place[2] == depth])
    match dice.randrange(8):
        case 0 if isinstance(holder, list):
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 0 if dice.random() < 0.3:
            holder.pop(key)
        case 1 if dice.random() < 0.3:
            holder[dice.choice(("surprise", EVIL, "id", "t", "x" * 3000))] = holder[key]
        case 2:
            others = [place[0][place[1]] for place in places]
            alike = [one for one in others if type(one) is type(holder[key])]
            holder[key] = copy.deepcopy(dice.choice(alike))
        case _:
            holder[key] = _other(holder[key], dice)
    return made


def _other(value: Any, dice: Random) -> Any:
    """Return another value, usually of the same type, because a wrong type is rejected early."""
    if dice.random() < 0.1:
        return copy.deepcopy(dice.choice(EXTREMES))
    if isinstance(value, list) and value:
        times = dice.choice((0, 0, 1, 2, 50))
        return dice.sample(value, len(value)) if times == 1 else copy.deepcopy(value * times)
    if isinstance(value, str):
        return value + dice.choice((EVIL, "x", "\0", " ")) if dice.random() < 0.5 else ""
    alike = [one for one in EXTREMES if type(one) is type(value)]
    if isinstance(value, int) and dice.random() < 0.5:
        return value + dice.choice((-1, 1, 3, -100, 100))
    return copy.deepcopy(dice.choice(alike or EXTREMES))


def _places(tree: Any, depth: int = 0) -> Iterator[tuple[Any, Any, int]]:
    items: Any = ()
    if isinstance(tree, dict):
        items = tree.items()
    elif isinstance(tree, list):
        items = enumerate(tree)
    for key, value in items:
        yield tree, key, depth
        yield from _places(value, depth + 1)
