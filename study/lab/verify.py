"""``banneret lab verify``: compare a proof with itself, with the code here, and by playing.

Three things are checked. The file: keys, checks, digest and tables must follow from its games; a
manually changed digit is located. The code: the rules and the bots here must be those of the proof.
The games: some or all are played again from their keys.
"""

from __future__ import annotations

import hashlib
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.core.codec import encode_json
from engine.core.record import Record, replace
from study.farm.runs import Done
from study.lab.bot_code import allow, asked, check_bots, hashes_of
from study.lab.machines import farm_of
from study.lab.plans import LabSetup, game_key
from study.lab.proofs import (
    ProvenGame,
    RunProof,
    check_of,
    digest_of,
    proven_game,
    read_proof,
    setup_in,
    tables_of,
)
from study.lab.verbs import LabPorts
from tui.console.exits import Exit
from tui.console.printing import say_report
from tui.play.scenarios import find_rules

_SHOWN: Final = 20
"""Maximum differences listed; beyond that, only a count."""

_NEAR: Final = 0.11
"""Difference of Elo that rounding explains: other machines may add in another order."""


class ProofCheck(Record, frozen=True):
    """Result of a verification."""

    file: str
    games: int
    played: int
    """Number of games that were played again."""
    differences: tuple[str, ...]
    """Differences from what the file says, one per line."""
    other_code: tuple[str, ...]
    """Rules and bots whose code is different here."""

    @property
    def is_true(self) -> bool:
        """True if nothing differs. With other code, games must also have been played."""
        return not self.differences and (not self.other_code or bool(self.played))

    def lines(self) -> list[str]:
        """Return the result as text."""
        found = [f"the code of {name} here is not that of {self.file}" for name in self.other_code]
        if self.other_code and not self.played:
            found.append("no game was played; --anyway plays them with the code here")
        found += self.differences[:_SHOWN]
        if len(self.differences) > _SHOWN:
            found.append(f"and {len(self.differences) - _SHOWN} more")
        played = f"{self.played} of {self.games} games were played again"
        ending = "all is as it says" if self.is_true else f"{len(self.differences)} differences"
        return [*found, f"{self.file}: {played}; {ending}"]


# -- the file ----------------------------------------------------------------------------------


def file_differences(proof: RunProof) -> Iterator[str]:
    """Yield differences between the games of a proof and all that must follow from them."""
    setup = setup_in(proof)
    if check_of(proof.setup) != proof.setup_check:
        yield "setup: it was changed, its check is another one"
    for number, game in enumerate(proof.games, 1):
        if game.sealed().check != game.check:
            yield f"game {number}, key {game.key[:8]}: it was changed, its check is another one"
        elif game_key(setup, game.task) != game.key:
            yield f"game {number}: its key is that of another game than its seed and seats say"
    digest = digest_of(proof)
    if digest != proof.digest:
        yield f"digest: {proof.digest} is not that of this plan and these games, {digest}"
    if proof.planned < len(proof.games):
        yield f"planned: {proof.planned} games, and there are {len(proof.games)}"
    if proof.tables is not None:
        written, made = map(msgspec.to_builtins, (proof.tables, tables_of(proof)))
        yield from value_differences("tables", written, made)


def value_differences(path: str, written: Any, made: Any) -> Iterator[str]:
    """Yield differences between two plain values, each with its path."""
    if isinstance(written, Mapping) and isinstance(made, Mapping):
        for name in sorted(written.keys() | made.keys()):
            yield from value_differences(f"{path}.{name}", written.get(name), made.get(name))
    elif isinstance(written, list | tuple) and isinstance(made, list | tuple):
        if len(written) != len(made):
            yield f"{path}: {len(written)} rows are written, {len(made)} follow from the games"
        for at, (mine, other) in enumerate(zip(written, made, strict=False)):
            yield from value_differences(f"{path}[{at}]", mine, other)
    elif written != made and not _is_rounding(path, written, made):
        yield f"{path}: {written!r} is written, {made!r} follows from the games"


def _is_rounding(path: str, written: Any, made: Any) -> bool:
    """Return whether two ratings differ only by rounding."""
    is_rating = path.startswith("tables.ratings.")
    return (
        is_rating
        and isinstance(written, float)
        and isinstance(made, float)
        and (abs(written - made) < (_NEAR if abs(made) > 1 else _NEAR / 1000))
    )


# -- the code ----------------------------------------------------------------------------------


def setup_here(setup: LabSetup) -> LabSetup:
    """Return a setup with the hashes of the code here, without importing or starting a bot.

    Raises:
        Wrong: the ruleset or a bot is missing here.
    """
    rules = find_rules(setup.ruleset)
    check_bots(rules, setup.bots)
    return replace(setup, hashes=hashes_of(rules, setup.bots))


def other_code(then: LabSetup, here: LabSetup) -> tuple[str, ...]:
    """Return the names of the rules and bots whose code is different here."""
    names = ("the rules", *(bot.name for bot in then.bots))
    pairs = zip(names, then.hashes, here.hashes, strict=True)
    return tuple(name for name, old, new in pairs if old != new)


# -- the games ---------------------------------------------------------------------------------


def sampled(games: Sequence[ProvenGame], count: int | None, seed: int) -> list[int]:
    """Return the positions of ``count`` games drawn by a seed; None means all."""
    if count is None or count >= len(games):
        return list(range(len(games)))

    def drawn(place: int) -> bytes:
        return hashlib.blake2b(f"{seed} {place}".encode(), digest_size=8).digest()

    return sorted(sorted(range(len(games)), key=drawn)[:count])


def game_differences(
    proof: RunProof, setup: LabSetup, places: Sequence[int], jobs: int | None
) -> Iterator[str]:
    """Play games again with the code here, and yield differences."""
    tasks = [proof.games[place].task for place in places]
    if not tasks:
        return
    is_same = setup == setup_in(proof)
    found: dict[int, list[str]] = {}
    with farm_of(setup, jobs, (), (), lambda _: None) as farm:
        for result in farm.run(tasks):
            written = proof.games[places[result.number]]
            name = f"game {places[result.number] + 1}, key {written.key[:8]}"
            if isinstance(result, Done):
                fresh = proven_game(written.task, result.value.result, brief=proof.brief)
                found[result.number] = list(_compared(name, written, fresh, is_same=is_same))
            else:
                found[result.number] = [f"{name}: it could not be played: {result.cause}"]
    for number in sorted(found):
        yield from found[number]


def _compared(name: str, written: ProvenGame, fresh: ProvenGame, *, is_same: bool) -> Iterator[str]:
    """Yield the fields of a game that have another value."""
    left_out = {"check"} if is_same else {"check", "key"}
    for field in written.__struct_fields__:
        mine, now = getattr(written, field), getattr(fresh, field)
        if field not in left_out and mine != now:
            yield f"{name}: {field} {_shown(mine)} is written, played again it is {_shown(now)}"


def _shown(value: object) -> str:
    return encode_json(value).decode()[:200]


# -- the verb ----------------------------------------------------------------------------------


def verify_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Verify a report; the exit code is 1 if something differs.

    Raises:
        Wrong: the file is not a report, or its bots are missing here or may not run.
    """
    del ports
    proof = read_proof(Path(args.file))
    setup = setup_in(proof)
    if not args.run_bots:
        asked(setup, setup.bots)
    here = setup_here(setup)
    changed = other_code(setup, here)
    if args.run_bots and (not changed or args.anyway):
        allow(setup.bots)
        check_bots(find_rules(setup.ruleset), setup.bots)
    differences = list(file_differences(proof))
    places: list[int] = []
    if not changed or args.anyway:
        places = sampled(proof.games, None if args.all else args.sample, args.seed)
        differences += game_differences(proof, here, places, args.jobs)
    check = ProofCheck(args.file, len(proof.games), len(places), tuple(differences), changed)
    say_report(check.lines(), check, json=args.json)
    return Exit.OK if check.is_true else Exit.REFUSED
