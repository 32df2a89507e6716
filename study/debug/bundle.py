"""``bundle``: one file for the diagnosis of a fault, without names, talk or the seed.

For the referee it contains a save that verifies as the original does, cut after the place in
question and, if it would be large, begun later. For a seat it contains only the seat's own feed.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

from engine.core.archive import Archive, Header, Opened, SaveFault, SeatPlayer
from engine.core.codec import encode_json, plain
from engine.core.decision import mark
from engine.core.dice import Scripted, Seeded, WrongThrow, unpack
from engine.core.log import AnyEntry, Entry, EventLog
from engine.core.options import OptionFault
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.replay import apply, fold, verify
from engine.core.ruleset import AnyRuleset, ScenarioFault
from study.debug.debugger import Answer, Debugger
from tui.console.exits import Wrong
from tui.console.files import content, created
from tui.headless.doctor import PACKAGES, facts
from tui.play.table import save_at

LARGEST: Final = 200_000
"""Bytes of a bundle above which its game begins later."""

MOST: Final = 1 << 24
"""Maximum bytes of a bundle that is written or opened."""

_MOST_GAME: Final = 100 * LARGEST
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods allowed for the files of a bundle."""

BEHIND: Final = 20
"""Number of entries that a bundle keeps after the place in question."""

GAME: Final = "game.bnr"
ABOUT: Final = "about.json"
TOLD: Final = "told.txt"
REPORT: Final = "report.json"

_SAFE_FACTS: Final = ("python", "system", *PACKAGES, "rulesets")
"""Facts of this machine that reveal nothing about its owner."""

_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Time of every file in a bundle, so that the same game gives the same bytes."""


def bundle(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Write a bundle about the present place, or about the place of ``--around``.

    Raises:
        Wrong: the file already exists or cannot be written.
    """
    step = bench.step_at(args.around) if args.around else bench.at
    data = seat_bundle(bench) if not bench.knows_all else game_bundle(bench, step)
    path = write_bundle(args.output, data)
    where = bench.place(step)
    text = f"{path}: {len(data):,} bytes about {where}; 'banneret debug {path}' opens it"
    yield Answer(text, where, {"file": str(path), "bytes": len(data)})


def reported(archive: Archive, save: str, report: str, output: str) -> str:
    """Write a bundle of a save with the report of its fault; return a line about it.

    Raises:
        SaveFault: the save cannot be read.
        Wrong: the file already exists or cannot be written.
    """
    bench = Debugger(archive.read(save), archive=archive)
    data = io.BytesIO(game_bundle(bench, len(bench.line)))
    with zipfile.ZipFile(data, "a", zipfile.ZIP_DEFLATED) as packed:
        told = report.replace(str(Path.home()), "~")
        packed.writestr(zipfile.ZipInfo(REPORT, _DATE), told, zipfile.ZIP_DEFLATED)
    path = write_bundle(output, data.getvalue())
    return f"{path}: {len(data.getvalue()):,} bytes; 'banneret debug {path}' opens the game in it"


def write_bundle(output: str, data: bytes) -> Path:
    """Write a bundle to a new file; return its path.

    Raises:
        Wrong: the file already exists or cannot be written.
    """
    path = Path(output)
    if len(data) > MOST:
        raise Wrong(f"{path}: a bundle of {len(data):,} bytes; {MOST:,} are allowed")
    try:
        with created(path) as file:
            file.write(data)
    except FileExistsError:
        raise Wrong(f"{path} is there already") from None
    except OSError as problem:
        raise Wrong(f"{path}: {problem.strerror}") from None
    return path


# -- content of a bundle ---------------------------------------------------------------------------


def game_bundle(bench: Debugger, step: int) -> bytes:
    """Return a bundle with a save: the debugger's line up to a few entries after a step.

    Entries are dropped at its beginning while it is too large and the rest stays the same.
    """
    index = max(0, bench.line.index_at(step))
    line = list(bench.line.entries[: index + 1 + BEHIND])
    first = 0
    data = _game_bundle(bench, _renumbered(line), index)
    while len(data) > LARGEST and first < index - 1:
        first = (first + index) // 2 + (first + index) % 2
        later = begun_later(bench.rules, line, first)
        if later is not None:
            data = _game_bundle(bench, later, index - first)
    return data


def _game_bundle(bench: Debugger, entries: Sequence[AnyEntry], at: int) -> bytes:
    header = _nameless(bench.opened.header)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / GAME
        write_save(bench.archive, path, header, entries)
        verdict = verify(bench.rules, bench.archive.read(str(path)).log)
        about = {**_about(bench, str(at)), "verify": plain(verdict)}
        return _zipped({GAME: path.read_bytes(), ABOUT: encode_json(about)})


def write_save(archive: Archive, path: Path, header: Header, entries: Iterable[AnyEntry]) -> None:
    """Write a new save with these entries.

    Raises:
        SaveFault: it cannot be written.
    """
    with save_at(archive, str(path), header) as file:
        for entry in entries:
            if file is not None:
                file.entry(entry)


def seat_bundle(bench: Debugger) -> bytes:
    """Return a bundle with only the events visible to the viewer, one by one."""
    lines = [bench.heading(step) for step in range(1, len(bench.line) + 1)]
    text = "\n".join(lines) + "\n"
    return _zipped({TOLD: text.encode(), ABOUT: encode_json(_about(bench, bench.place()))})


def _about(bench: Debugger, place: str) -> dict[str, Any]:
    known = facts()
    header = bench.opened.header
    return {
        "place": place,
        "ruleset": header.ruleset,
        "schema": header.schema,
        "rules_hash": header.rules_hash,
        "machine": {name: known[name] for name in _SAFE_FACTS if name in known},
    }


def _nameless(header: Header) -> Header:
    """Return a header with seat numbers in place of people's names, and without the seed."""
    players = tuple(
        SeatPlayer(player.seat, f"player {player.seat + 1}", player.bot)
        for player in header.players
    )
    return replace(header, seed=b"", players=players, created="", title="")


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


# -- a shorter game --------------------------------------------------------------------------------


def _renumbered(entries: Sequence[AnyEntry]) -> list[AnyEntry]:
    """Return the entries of a line as a log of their own, without branches."""
    return [replace(entry, seq=number, parent=number - 1) for number, entry in enumerate(entries)]


def begun_later(rules: AnyRuleset, line: Sequence[AnyEntry], first: int) -> list[AnyEntry] | None:
    """Return a game that begins with the position after entry ``first`` and continues the line.

    None if that changes the line: a position may lack something that the rules remember.
    """
    _, options = rules.setup(line[0].events[0])
    start = fold(rules, line[: first + 1])
    dice = Seeded(b"", 0, "decide")
    try:
        events = rules.begin(rules.position(start), options, dice)
    except (ScenarioFault, OptionFault):
        return None
    if dice.thrown:
        return None
    begun: AnyEntry = Entry(0, -1, line[0].seat, None, tuple(events))
    state = apply(rules, rules.empty(), begun)
    entries = [replace(begun, mark=mark(rules, state, events))]
    for entry in line[first + 1 :]:
        try:
            again = rules.decide(state, entry.seat, entry.command, Scripted(unpack(entry.throws)))
        except (Refused, WrongThrow):
            return None
        if again != entry.events:
            return None
        number = len(entries)
        state = apply(rules, state, entry)
        marked = mark(rules, state, entry.events)
        entries.append(replace(entry, seq=number, parent=number - 1, mark=marked))
    return entries


# -- games that broke a promise or a rule during play ---------------------------------------------


def keeper(archive: Archive) -> Callable[[Header, EventLog[Any, Any]], str]:
    """Return a function that writes a bundle about the end of a log to the current folder."""

    def keep(header: Header, log: EventLog[Any, Any]) -> str:
        bench = Debugger(Opened("", header, log), archive=archive)
        return str(write_new(game_bundle(bench, len(bench.line))))

    return keep


def write_new(data: bytes) -> Path:
    """Write ``post-mortem.zip`` to the current folder; add a number if the name is taken.

    Raises:
        Wrong: it cannot be written.
    """
    for number in count(1):
        path = Path("post-mortem.zip" if number == 1 else f"post-mortem-{number}.zip")
        try:
            with created(path) as file:
                file.write(data)
        except FileExistsError:
            continue
        except OSError as problem:
            raise Wrong(f"{path}: {problem.strerror}") from None
        return path
    raise AssertionError


# -- opening a bundle ------------------------------------------------------------------------------


def opened(archive: Archive, name: str) -> Opened:
    """Return the save in a bundle. No code of it is run, and no other file is unpacked.

    Raises:
        Wrong: it is no bundle, or contains a seat's feed instead of a save.
        SaveFault: the save in it cannot be read.
    """
    packed = content(Path(name), MOST)
    try:
        data = _game_in(packed, name)
    except Wrong:
        raise
    except Exception as problem:  # noqa: BLE001 - damaged files raise a dozen kinds
        told = str(problem) or type(problem).__name__
        raise Wrong(f"{name} is no bundle: {told}") from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / GAME
        path.write_bytes(data)
        try:
            return archive.read(str(path))
        except SaveFault as fault:
            raise SaveFault(f"{name}: {fault}") from None


def _game_in(data: bytes, name: str) -> bytes:
    """Return the file of the game in a bundle.

    Raises:
        Wrong: it is missing, or not packed as in a bundle.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        names = packed.namelist()
        if GAME not in names and TOLD in names:
            raise Wrong(f"{name} holds what one seat was told and no game; see {TOLD} in it")
        if GAME not in names:
            raise Wrong(f"{name} is no bundle: there is no {GAME} in it")
        info = packed.getinfo(GAME)
        if info.file_size > _MOST_GAME or info.compress_type not in _PACKED:
            raise Wrong(f"{name}: the game in it is too large, or packed as no bundle is")
        return packed.read(info)
