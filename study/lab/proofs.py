"""Proofs of runs: a file with everything needed to play the games of a run again.

The file is JSON, one game per line. It holds the setup of the games (scenarios, options, bots with
the hashes of their code), and for each game its key, its result and the digest of its log. A check
in each game and a digest over all of them distinguish a changed digit from changed code.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from engine.core.codec import decoder, encode, encode_json, json_decoder
from engine.core.ids import Seat
from engine.core.record import Record, field, replace
from engine.core.registry import find
from engine.core.sources import players_code
from study.lab.endings import EarlyEnd
from study.lab.games import GameFault, GameResult
from study.lab.plans import GameTask, LabPlan, LabSetup
from study.lab.stages import ScheduledGame, games_of
from study.lab.store import RunFolder
from study.lab.tallies import RunTables, run_tables
from tui.console.exits import Wrong
from tui.console.files import content

PROOF_FORM: Final = 1
"""Number of the form of the file."""

BRIEF_MEASURES: Final = frozenset({"rounds"})
"""Measures that a brief proof keeps."""

_MOST: Final = 1 << 28
_MOST_SETUP: Final = 1 << 28


class ProvenGame(Record, frozen=True, omit_defaults=True):
    """Game of a proof: its task, its key and its result."""

    pair: int
    seed: int
    seats: tuple[int, ...]
    """Number of the bot on each seat."""
    key: str
    digest: str
    winners: tuple[Seat, ...]
    reason: str
    entries: int
    closed: int
    start: int = 0
    refused: tuple[int, ...] = ()
    """Empty if nothing was refused."""
    measures: dict[str, int] = field(default_factory=dict)
    statistics: dict[str, tuple[int, ...]] = field(default_factory=dict)
    fault: GameFault | None = None
    early: EarlyEnd | None = None
    check: str = ""
    """Check of all other fields, as eight hex digits."""

    @property
    def task(self) -> GameTask:
        """The game's pair, start and seats as a task."""
        return GameTask(self.pair, self.start, self.seats, self.seed)

    def sealed(self) -> ProvenGame:
        """Return the game with its check."""
        bare = replace(self, check="")
        return replace(bare, check=hashlib.blake2b(encode_json(bare), digest_size=4).hexdigest())

    def row(self, setup: LabSetup) -> GameResult:
        """Convert the game to a row of results."""
        return GameResult(
            key=self.key,
            start=setup.starts[self.start].name,
            bots=tuple(setup.bots[bot].name for bot in self.seats),
            seed=self.seed,
            winners=self.winners,
            reason=self.reason,
            entries=self.entries,
            closed=self.closed,
            refused=self.refused or (0,) * len(self.seats),
            digest=self.digest,
            statistics=self.statistics,
            measures=self.measures,
            fault=self.fault,
            early=self.early,
        )


class BotTime(Record, frozen=True):
    """Processor time of a bot on the machine that played, in milliseconds."""

    bot: str
    plans: int
    mean: float
    longest: float


class RunProof(Record, frozen=True, omit_defaults=True):
    """Proof of a run, optionally with its tables."""

    form: int
    plan: LabPlan
    planned: int
    """Number of games of the plan, played or not."""
    setup: str
    """The setup, compressed, in base64."""
    setup_check: str
    """Check of that text, since changed compressed data can decode to the same setup."""
    games: tuple[ProvenGame, ...]
    digest: str
    """Digest over the plan, the setup and the checks of all games, in their order."""
    brief: bool = False
    """True if it has no statistics, and only a few measures."""
    stopped: bool = False
    """True if the run was stopped by hand before its end."""
    code: str = ""
    """Hash of the rules and the levels without comments and docstrings; not part of the proof."""
    tables: RunTables | None = None
    times: tuple[BotTime, ...] = ()
    """Times, which are not part of the proof."""


def proven_game(task: GameTask, row: GameResult, *, brief: bool) -> ProvenGame:
    """Convert a played game for a proof."""
    measures = row.measures
    if brief:
        measures = {name: value for name, value in measures.items() if name in BRIEF_MEASURES}
    return ProvenGame(
        pair=task.pair,
        start=task.start,
        seats=task.seats,
        seed=task.seed,
        key=row.key,
        digest=row.digest,
        winners=row.winners,
        reason=row.reason,
        entries=row.entries,
        closed=row.closed,
        refused=row.refused if any(row.refused) else (),
        measures=dict(sorted(measures.items())),
        statistics={} if brief else dict(sorted(row.statistics.items())),
        fault=row.fault,
        early=row.early,
    ).sealed()


def digest_of(proof: RunProof) -> str:
    """Return the digest over the plan, the setup and all games in their order, 32 hex digits."""
    total = hashlib.blake2b(digest_size=16)
    total.update(encode_json((proof.plan, proof.planned, proof.brief, proof.stopped)))
    total.update(_unpacked(proof.setup))
    for game in proof.games:
        total.update(game.check.encode())
    return total.hexdigest()


def prove(folder: RunFolder, *, brief: bool = False, times: bool = False) -> RunProof:
    """Return the proof of all played games of a run.

    Raises:
        Wrong: no game was played.
    """
    setup = folder.setup
    scheduled = games_of(folder.plan, setup, folder.rows)
    games = tuple(
        proven_game(game.task, game.row, brief=brief) for game in scheduled if game.row is not None
    )
    if not games:
        raise Wrong(f"{folder.path}: no game of it was played yet")
    packed_setup = packed(setup)
    proof = RunProof(
        form=PROOF_FORM,
        plan=folder.plan,
        planned=len(scheduled),
        setup=packed_setup,
        setup_check=check_of(packed_setup),
        games=games,
        digest="",
        brief=brief,
        stopped=folder.is_stopped,
        code=players_code(find(setup.ruleset)),
        times=_times(folder, scheduled) if times else (),
    )
    proof = replace(proof, digest=digest_of(proof))
    return proof if brief else replace(proof, tables=tables_of(proof))


def tables_of(proof: RunProof) -> RunTables:
    """Compute the tables of a proof from its games alone."""
    setup = setup_in(proof)
    rows = [(game.task, game.row(setup)) for game in proof.games]
    return run_tables(proof.plan, setup, rows)


def _times(folder: RunFolder, games: Sequence[ScheduledGame]) -> tuple[BotTime, ...]:
    """Return the plan times of each bot, over all games with known times."""
    known = folder.times()
    bots = [bot.name for bot in folder.setup.bots]
    spent = [(0, 0.0, 0.0)] * len(bots)
    for game in {game.key: game for game in games}.values():
        seats = known[game.key].seats if game.key in known else ()
        for bot, seat in zip(game.task.seats, seats, strict=False):
            plans, seconds, longest = spent[bot]
            spent[bot] = plans + seat.plans, seconds + seat.seconds, max(longest, seat.longest)
    return tuple(
        BotTime(bot, plans, round(1000 * seconds / plans, 1), round(1000 * longest, 1))
        for bot, (plans, seconds, longest) in zip(bots, spent, strict=True)
        if plans
    )


# -- files -------------------------------------------------------------------------------------


def proof_text(proof: RunProof) -> bytes:
    """Return a proof as file content: JSON, one game per line."""
    games = b",\n".join(map(encode_json, proof.games))
    fields: Mapping[str, object] = {
        name: value
        for name in ("brief", "stopped", "code", "tables", "times")
        if (value := getattr(proof, name))
    }
    head = {
        name: getattr(proof, name) for name in ("form", "plan", "planned", "setup", "setup_check")
    }
    lines = [f'"{name}": '.encode() + encode_json(value) for name, value in head.items()]
    lines.append(b'"games": [\n' + games + b"\n]")
    fields = {"digest": proof.digest, **fields}
    lines += [f'"{name}": '.encode() + encode_json(value) for name, value in fields.items()]
    return b"{\n" + b",\n".join(lines) + b"\n}\n"


def read_proof(path: Path) -> RunProof:
    """Read the proof in a file.

    Raises:
        Wrong: the file cannot be read, or is not a proof.
    """
    try:
        proof: RunProof = json_decoder(RunProof).decode(content(path, _MOST))
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Wrong(f"{path}: {problem}") from None
    if proof.form != PROOF_FORM:
        raise Wrong(f"{path}: its form is {proof.form}, and {PROOF_FORM} is known here")
    setup = _checked_setup(proof, str(path))
    for number, game in enumerate(proof.games, 1):
        if not _fits(game, setup):
            raise Wrong(f"{path}, game {number}: it has a bot, a start or a seat that is not there")
    return proof


def _fits(game: ProvenGame, setup: LabSetup) -> bool:
    """Return whether bots, start and seats of a game exist in its setup."""
    seats = range(len(game.seats))
    return (
        game.start in range(len(setup.starts))
        and len(game.seats) == setup.seats
        and all(bot in range(len(setup.bots)) for bot in game.seats)
        and all(seat in seats for seat in game.winners)
        and len(game.refused) in {0, len(seats)}
        and (game.fault is None or game.fault.seat in range(-1, len(seats)))
    )


def packed(setup: LabSetup) -> str:
    """Return a setup in the form of a proof. Its digest is that of the setup, not of this text."""
    return base64.b64encode(zlib.compress(encode(setup), 9)).decode()


def check_of(text: str) -> str:
    """Return the check of a text, as eight hex digits."""
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def setup_in(proof: RunProof) -> LabSetup:
    """Return the setup of a proof.

    Raises:
        Wrong: the setup is damaged.
    """
    return _checked_setup(proof, "the proof")


def _checked_setup(proof: RunProof, name: str) -> LabSetup:
    try:
        setup: LabSetup = decoder(LabSetup).decode(_unpacked(proof.setup))
    except (binascii.Error, zlib.error, msgspec.MsgspecError, ValueError) as problem:
        raise Wrong(f"{name}, setup: {problem}") from None
    if len(setup.hashes) != 1 + len(setup.bots) or setup.ruleset != proof.plan.ruleset:
        raise Wrong(f"{name}, setup: it is not that of the plan")
    return setup


def _unpacked(text: str) -> bytes:
    """Decompress a setup; refuse non-canonical base64, and cut, extended or too large data."""
    unpacking = zlib.decompressobj()
    data = base64.b64decode(text, validate=True)
    found = unpacking.decompress(data, _MOST_SETUP)
    if not unpacking.eof or unpacking.unused_data or base64.b64encode(data).decode() != text:
        raise ValueError("it is cut off, too large, or has a remainder")
    return found
