"""Bundles: they verify like the save, are small, and contain no personal data and no secrets."""

from __future__ import annotations

import json
import zipfile
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from engine.core.archive import Header, SeatPlayer
from engine.core.codec import plain
from engine.core.game import Game
from engine.core.registry import find
from engine.core.replay import fold, verify
from engine.core.ruleset import AnyRuleset
from saves.archive import Folder
from study.debug import bundle
from study.debug.debugger import Debugger
from tests.contract.walks import begun, numbers, walk
from tests.toy import commands as do
from tui.console.exits import Wrong
from tui.play.table import save_at

SAMPLES = Path(__file__).parents[2] / "saves" / "samples"


def written(bench: Debugger, path: Path, around: str | None = None) -> dict[str, bytes]:
    list(bundle.bundle(bench, Namespace(around=around, output=str(path))))
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.mark.parametrize("save", sorted(SAMPLES.glob("*.bnr")), ids=lambda path: path.stem)
def test_bundle_verifies_as_the_save_and_is_small(save: Path, tmp_path: Path) -> None:
    archive = Folder()
    original = archive.read(str(save))
    rules = find(original.header.ruleset)
    files = written(Debugger(original, archive=archive), tmp_path / "fault.zip")
    opened = bundle.opened(archive, str(tmp_path / "fault.zip"))
    assert plain(verify(rules, opened.log)) == json.loads(files["about.json"])["verify"]
    assert fold(rules, opened.log.line()) == fold(rules, original.log.line())
    assert (tmp_path / "fault.zip").stat().st_size * 600 / len(opened.log) < bundle.LARGEST


def test_bundle_is_cut_after_its_place(tmp_path: Path) -> None:
    archive = Folder()
    original = archive.read(str(SAMPLES / "kaladan-1.bnr"))
    bench = Debugger(original, archive=archive)
    written(bench, tmp_path / "fault.zip", "100")
    opened = bundle.opened(archive, str(tmp_path / "fault.zip"))
    before = bench.line.index_of(100)
    assert before is not None
    assert len(opened.log) == before + 1 + bundle.BEHIND


def test_bundle_begins_later_to_stay_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = Folder()
    original = archive.read(str(SAMPLES / "lordsawar-1.bnr"))
    rules = find("lordsawar")
    whole = len(bundle.game_bundle(bench := Debugger(original, archive=archive), len(bench.line)))
    monkeypatch.setattr(bundle, "LARGEST", whole - 2000)
    files = written(bench, tmp_path / "fault.zip")
    assert len(bundle.game_bundle(bench, len(bench.line))) <= whole - 2000
    opened = bundle.opened(archive, str(tmp_path / "fault.zip"))
    assert len(opened.log) < len(original.log)
    assert verify(rules, opened.log).divergence is None
    assert json.loads(files["about.json"])["verify"]["divergence"] is None


def saved(rules: AnyRuleset, folder: Path, game: Any, name: str = "Ada Lovelace") -> Debugger:
    """Save a game under a player's name and open it."""
    players = tuple(SeatPlayer(seat, name) for seat in range(2))
    header = Header(rules.name, rules.schema, b"secret seed", players, created="1843-10-24")
    with save_at(Folder(), str(folder / "game.bnr"), header) as file:
        assert file is not None
        for entry in game.log.entries:
            file.entry(entry)
    archive = Folder()
    return Debugger(archive.read(str(folder / "game.bnr")), archive=archive)


def test_bundle_names_no_person_and_keeps_no_seed(tmp_path: Path) -> None:
    rules = find("toy")
    game = begun(rules)
    for _ in walk(game, numbers("bundle", 10)):
        pass
    files = written(saved(rules, tmp_path, game), tmp_path / "fault.zip")
    together = b"".join(files.values())
    for secret in (b"Lovelace", b"secret seed", b"1843", str(Path.home()).encode()):
        assert secret not in together, secret


def test_bundle_of_a_seat_does_not_depend_on_hidden_orders(tmp_path: Path) -> None:
    rules = find("toy")
    found = []
    for number, back in enumerate((False, True)):
        scenario = next(iter(rules.scenarios().values()))
        game: Any = Game.begin(rules, scenario, {}, b"bundle")
        bands = [band.id for band in game.state.bands.values() if band.clan == 1]
        game.submit(1, do.SetRanks(tuple(reversed(bands) if back else bands)))
        game.submit(0, do.RaiseCry("hold"))
        folder = tmp_path / str(number)
        folder.mkdir()
        saved(rules, folder, game)
        bench = Debugger(Folder().read(str(folder / "game.bnr")), 0, archive=Folder())
        found.append(written(bench, folder / "seat.zip"))
        with pytest.raises(Wrong, match="what one seat was told"):
            bundle.opened(Folder(), str(folder / "seat.zip"))
    assert found[0] == found[1]
    assert b"hold" in found[0]["told.txt"]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 torn", b"no zip at all" * 40])
def test_invalid_bundle_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(Wrong, match="is no bundle"):
        bundle.opened(Folder(), str(tmp_path / "x.zip"))


def test_bundle_with_a_report_hides_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    report = '{"trace": "File \\"/home/ada/banneret/engine/core/game.py\\", line 1"}'
    output = tmp_path / "fault.zip"
    told = bundle.reported(Folder(), str(SAMPLES / "format-1.bnr"), report, str(output))
    assert f"'banneret debug {output}'" in told
    with zipfile.ZipFile(output) as packed:
        assert set(packed.namelist()) == {bundle.GAME, bundle.ABOUT, bundle.REPORT}
        assert b"/home/ada" not in b"".join(packed.read(name) for name in packed.namelist())
        assert b"~/banneret/engine/core/game.py" in packed.read(bundle.REPORT)
    assert len(bundle.opened(Folder(), str(output)).log) > 60
    with pytest.raises(Wrong, match="is there already"):
        bundle.reported(Folder(), str(SAMPLES / "format-1.bnr"), report, str(output))
