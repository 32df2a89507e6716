"""Import and export of foreign files on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.app.cli import banneret, is_one_line_fault
from tui.console.exits import Exit

TEXT = """InitStart
SetNumTerritories 4
SetBoundaries 1,2;2,3;3,4
AddPlayer Red #f00
AddPlayer Blue #00F
InitEnd

Set Red
Con 1 Hq
Set Blue
Con 4 Hq
End

Set Red
Con 1 1A
Set Blue
Con 4 2A
Mov 4→3 1A
End
"""


def test_played_game_is_imported_as_a_save_and_exported_unchanged(tmp_path: Path) -> None:
    (tmp_path / "evening.gdl").write_text("// an evening\n" + TEXT, encoding="utf-8")
    imported = banneret("import", "evening.gdl", "-o", "evening.bnr", folder=tmp_path)
    assert (imported.returncode, imported.stdout) == (Exit.OK, "evening: Imported game\n")
    assert banneret("verify", "./evening.bnr", folder=tmp_path).returncode == Exit.OK
    exported = banneret("export", "./evening.bnr", "--format", "gdl", folder=tmp_path)
    assert exported.stdout == TEXT


def test_unplayed_game_is_imported_as_a_scenario(tmp_path: Path) -> None:
    start = TEXT[: TEXT.index("\nSet Red")]
    (tmp_path / "map.gdl").write_text(start, encoding="utf-8")
    ended = banneret("import", "map.gdl", "-o", "map.json", folder=tmp_path)
    assert ended.returncode == Exit.OK
    assert '"Red"' in (tmp_path / "map.json").read_text(encoding="utf-8")


def test_broken_text_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.gdl").write_text(TEXT.replace("Con 4 2A", "Con 9 2A"), encoding="utf-8")
    ended = banneret("import", "bad.gdl", folder=tmp_path)
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)
    assert "line 17: gdl_unknown_territory" in ended.stderr


def test_export_refuses_a_format_of_another_game(tmp_path: Path) -> None:
    base = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", "--save", "one.bnr", "-")
    banneret(*base, folder=tmp_path)
    ended = banneret("export", "./one.bnr", "--format", "gdl", folder=tmp_path)
    assert ended.returncode == Exit.USAGE
    assert "known: position, cast, cast3, svg, text, jsonl" in ended.stderr
