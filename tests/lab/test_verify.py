"""Proofs: changed digits are found and named, other code is reported, and games replay equally."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core.record import replace
from study.lab import bot_code
from study.lab.plans import game_key
from study.lab.proofs import (
    RunProof,
    check_of,
    digest_of,
    packed,
    proof_text,
    prove,
    read_proof,
    setup_in,
)
from study.lab.store import RunFolder
from study.lab.verify import file_differences, game_differences, sampled, setup_here, verify_verb
from tests.lab.runs import PORTS, plan, run
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Exit, Wrong

BOT = """
from engine.core.registry import find


class Copy:
    def plan(self, view, offers, dice):
        return find("weltendaemmerung").bots["easy"].plan(view, offers, dice)
"""


def arguments(*words: str) -> Namespace:
    spec = find_command(lab_verbs(), "verify")
    assert spec is not None
    found: Namespace = spec.parser("banneret lab verify", CommandParser).parse_args(list(words))
    found.jobs = 0 if found.jobs is None else found.jobs
    return found


def verify(*words: str) -> Exit:
    return verify_verb(arguments(*words), PORTS)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("proofs") / "run"
    run(path, plan(pairs=2))
    return RunFolder.read(path)


@pytest.fixture(scope="module")
def proof(played: RunFolder) -> RunProof:
    return prove(played)


def written(tmp_path: Path, proof: RunProof) -> str:
    path = tmp_path / "proof.json"
    path.write_bytes(proof_text(proof))
    return str(path)


def differences(tmp_path: Path, text: str) -> list[str]:
    """Return the differences of a file, or the reason why it cannot be read."""
    path = tmp_path / "changed.json"
    path.write_text(text, encoding="utf-8")
    try:
        return list(file_differences(read_proof(path)))
    except Wrong as problem:
        return [str(problem)]


def test_proof_of_a_run_verifies(
    proof: RunProof, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, proof)
    assert verify(path, "--sample", "3") == Exit.OK
    said = capsys.readouterr().out
    assert said == f"{path}: 3 of 4 games were played again; all is as it says\n"
    assert verify(path, "--all", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["played"] == 4


def test_every_changed_digit_is_found(played: RunFolder, tmp_path: Path) -> None:
    text = proof_text(replace(prove(played, brief=True), code="")).decode()
    places = [found.start() for found in re.finditer(r"\d", text)][::2]
    missed = []
    for place in places:
        digit = str((int(text[place]) + 1) % 10)
        if not differences(tmp_path, text[:place] + digit + text[place + 1 :]):
            missed.append(text[max(0, place - 30) : place + 10])
    assert len(places) > 200
    assert missed == []


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("seed", 77, "game 2, key {key}: it was changed"),
        ("winners", [], "game 2, key {key}: it was changed"),
        ("digest", "0" * 32, "game 2, key {key}: it was changed"),
        ("check", "00000000", "game 2, key {key}: it was changed"),
        ("seats", [0, 7], "game 2: it has a bot, a start or a seat that is not there"),
    ],
)
def test_changed_game_is_named(
    proof: RunProof, tmp_path: Path, field: str, value: Any, text: str
) -> None:
    raw = json.loads(proof_text(replace(proof, tables=None)))
    raw["games"][1][field] = value
    found = differences(tmp_path, json.dumps(raw))
    assert any(text.format(key=raw["games"][1]["key"][:8]) in line for line in found)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda raw: raw["tables"]["bots"][1].update(points=3), "tables.bots[1].points: 3"),
        (lambda raw: raw["tables"]["ratings"]["bots"][0].update(elo=1.0), ".bots[0].elo: 1.0"),
        (lambda raw: raw["tables"].update(seatings=[]), "tables.seatings: 0 rows are written, 2"),
        (lambda raw: raw["plan"].update(pairs=9), "digest: "),
        (lambda raw: raw.update(planned=3), "planned: 3 games, and there are 4"),
    ],
)
def test_changed_number_of_a_table_or_plan_is_named(
    proof: RunProof, tmp_path: Path, change: Callable[[Any], None], text: str
) -> None:
    raw = json.loads(proof_text(proof))
    change(raw)
    assert any(text in line for line in differences(tmp_path, json.dumps(raw)))


def test_forged_game_is_found_by_replaying_it(proof: RunProof) -> None:
    """Its check, the digest and the tables are consistent; only the replayed game differs."""
    game = proof.games[2]
    forged = replace(game, winners=(1 - game.winners[0],), entries=game.entries + 1).sealed()
    games = (*proof.games[:2], forged, *proof.games[3:])
    false = replace(proof, games=games, tables=None)
    false = replace(false, digest=digest_of(false))
    assert list(file_differences(false)) == []
    name = f"game 3, key {game.key[:8]}"
    assert list(game_differences(false, setup_in(false), range(4), jobs=0)) == [
        f"{name}: winners [{forged.winners[0]}] is written, played again it is [{game.winners[0]}]",
        f"{name}: entries {game.entries + 1} is written, played again it is {game.entries}",
    ]


def with_other_code(proof: RunProof) -> RunProof:
    """Return the proof as if the second bot had other code."""
    setup = setup_in(proof)
    setup = replace(setup, hashes=(*setup.hashes[:2], "0" * 32))
    games = tuple(replace(game, key=game_key(setup, game.task)).sealed() for game in proof.games)
    text = packed(setup)
    other = replace(proof, setup=text, setup_check=check_of(text), games=games, tables=None)
    return replace(other, digest=digest_of(other))


def test_other_code_is_reported_and_played_only_with_anyway(
    proof: RunProof, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, with_other_code(proof))
    assert verify(path) == Exit.REFUSED
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"the code of normal here is not that of {path}"
    assert lines[1] == "no game was played; --anyway plays them with the code here"
    assert verify(path, "--anyway") == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"the code of normal here is not that of {path}",
        f"{path}: 4 of 4 games were played again; all is as it says",
    ]


def test_programs_named_by_a_file_run_only_with_run_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = tmp_path / "copy.py"
    bot.write_text(BOT, encoding="utf-8")
    run(tmp_path / "run", plan("easy", f"py:{bot}:Copy", pairs=1))
    path = written(tmp_path, prove(RunFolder.read(tmp_path / "run"), brief=True))
    monkeypatch.setattr(bot_code, "_allowed", set())
    with pytest.raises(Wrong, match=r"would run py:.*copy\.py:Copy; --run-bots allows it"):
        verify(path)
    assert verify(path, "--run-bots") == Exit.OK


def test_sample_is_drawn_by_its_seed(proof: RunProof) -> None:
    games = proof.games * 25
    one, again, other = sampled(games, 20, 1), sampled(games, 20, 1), sampled(games, 20, 2)
    assert one == again != other
    assert len(set(one)) == 20
    assert sampled(games, None, 1) == list(range(100))
    assert sampled(games, 500, 1) == list(range(100))


def test_setup_gets_the_hashes_of_this_code(proof: RunProof) -> None:
    assert setup_here(setup_in(with_other_code(proof))) == setup_in(proof)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "Expected `object`"),
        ('{"form": 2', "truncated"),
        ("{}", "missing required field `form`"),
    ],
)
def test_file_that_is_no_proof_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Wrong, match=told):
        verify(str(path))
    with pytest.raises(Wrong, match="absent"):
        verify(str(tmp_path / "absent.json"))


def test_other_form_and_damaged_setup_are_reported(proof: RunProof, tmp_path: Path) -> None:
    for change, told in (
        ({"form": 2}, "its form is 2, and 1 is known here"),
        ({"setup": proof.setup[:-8]}, "setup: "),
        ({"setup": "####"}, "setup: "),
    ):
        raw = json.loads(proof_text(proof)) | change
        assert any(told in line for line in differences(tmp_path, json.dumps(raw)))
