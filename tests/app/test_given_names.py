"""Names that people give are never dropped, cut or duplicated silently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from engine.core.options import OptionFault
from engine.core.record import replace
from engine.core.registry import find
from engine.core.scenarios import dump, parse
from tests.app.cli import banneret_here, is_one_line_fault, last_line
from tests.saves import games
from tui.console.exits import Exit
from tui.play.form import Form
from tui.play.scenarios import with_own_names

GD6 = {"name": "named", "title": "Named", "about": ""}
GD6["borders"] = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 1]]  # type: ignore[assignment]


def named(ruleset: str, *names: str) -> str:
    """Return a scenario of a ruleset, as text, whose players have these names."""
    if ruleset == "gd6":
        rows = [{"id": seat, "name": name} for seat, name in enumerate(names)]
        return json.dumps({**GD6, "players": rows})
    scene = cast("Any", find(ruleset).scenarios()["skirmish" if ruleset == "warlords2" else "ford"])
    sides = zip(scene.sides, (*names, *(side.name for side in scene.sides)), strict=False)
    return dump(replace(scene, sides=tuple(replace(side, name=name) for side, name in sides)))


FIELDS = {"gd6": "players", "warlords2": "sides", "lordsawar": "sides"}


@pytest.mark.parametrize("ruleset", FIELDS)
@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("Ann", "ann"), "[1].name: 'ann' is the name of {}[0] too"),
        (("  ", "Ann"), "[0].name: is blank"),
        (("Ren\u00e9", "Rene\u0301"), "[1].name: 'Ren\u00e9' is the name of {}[0] too"),
    ],
)
def test_blank_or_duplicate_player_name_is_refused(
    tmp_path: Path, ruleset: str, names: tuple[str, ...], told: str
) -> None:
    field = FIELDS[ruleset]
    (tmp_path / "named.json").write_text(named(ruleset, *names))
    words = ("run", "--ruleset", ruleset, "--scenario", "named.json", "-")
    ended = banneret_here(*words, folder=tmp_path)
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)
    assert f"named.json: {field}{told.format(field)}" in ended.stderr


def test_name_equal_to_another_players_letter_is_refused(tmp_path: Path) -> None:
    (tmp_path / "named.json").write_text(named("gd6", "B", "", "C"))
    words = ("run", "--ruleset", "gd6", "--scenario", "named.json", "-")
    ended = banneret_here(*words, folder=tmp_path)
    assert "players[0].name: 'B' is what another player is called" in ended.stderr


@pytest.mark.parametrize("ruleset", FIELDS)
def test_duplicate_imported_name_gets_a_number_and_a_remark(ruleset: str) -> None:
    rules = find(ruleset)
    scene = parse(rules, named(ruleset, "Ann", "ANN").encode())
    renamed, remarks = with_own_names(rules, scene)
    assert rules.seat_names(renamed)[:2] == ("Ann", "ANN 2")
    field = FIELDS[ruleset]
    told = f"{field}[1].name: 'ANN' is the name of {field}[0] too; called 'ANN 2' now"
    assert remarks == (told,)
    rules.check(renamed)
    assert with_own_names(rules, renamed) == (renamed, ())


@pytest.mark.parametrize(
    ("new", "told"),
    [("x" * 100, "longer than 80 characters"), ("a?b", "it has '?'"), ("", "no name for a save")],
)
def test_rename_refuses_a_name_that_no_save_can_have(tmp_path: Path, new: str, told: str) -> None:
    (tmp_path / "store").mkdir()
    games.saved(tmp_path / "store", "one", entries=2)
    ended = banneret_here("saves", "--saves", "store", "rename", "one", new, folder=tmp_path)
    assert ended.returncode == Exit.DAMAGED
    assert is_one_line_fault(ended.stderr)
    assert told in ended.stderr
    assert [path.name for path in (tmp_path / "store").iterdir()] == ["one.bnr"]


def test_new_game_form_refuses_a_name_that_no_save_can_have() -> None:
    form = Form("weltendaemmerung")
    form.put("name", " The Ford ")
    with pytest.raises(OptionFault, match="it has '/'"):
        form.put("name", "a/b")
    assert form.name == "The Ford"
    form.put("name", "  ")
    assert form.name == ""


def test_seat_given_twice_is_refused(tmp_path: Path) -> None:
    seats = ("--seat", "Eldoin=person", "--seat", "0=bot:easy")
    words = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford", *seats, "-")
    ended = banneret_here(*words, folder=tmp_path)
    assert ended.stderr == "banneret: the seat Eldoin is given twice\n"


def test_moved_mark_says_where_it_was(tmp_path: Path) -> None:
    games.saved(tmp_path, "one", entries=4)
    given = "go 1\nmark here\ngo 2\nmark here\nmark here\n"
    said = banneret_here("debug", "--plain", "./one.bnr", given=given, folder=tmp_path).stdout
    assert [line for line in said.splitlines() if line.startswith("@")] == [
        "@here is 1",
        "@here is 2, no longer 1",
        "@here is 2",
    ]


# -- players ---------------------------------------------------------------------------------------

FORD = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford")


@pytest.mark.parametrize(
    ("seats", "told"),
    [
        ((), "banneret run: the script played Eldoin, Dailor\n"),
        (
            ("--seat", "Dailor=bot:easy"),
            "banneret run: bot:easy played Dailor; the script played Eldoin\n",
        ),
        (("--seat", "Dailor=bot:easy", "--seat", "Eldoin=person"), ""),
    ],
)
def test_run_says_who_played_unassigned_seats(
    tmp_path: Path, seats: tuple[str, ...], told: str
) -> None:
    assert banneret_here(*FORD, *seats, "-", folder=tmp_path).stderr == told


# -- formats ---------------------------------------------------------------------------------------


def test_export_offers_only_formats_that_fit_the_game(tmp_path: Path) -> None:
    banneret_here(
        *("run", "--ruleset", "warlords2", "--scenario", "skirmish", "--save", "one.bnr", "-"),
        folder=tmp_path,
    )
    ended = banneret_here("export", "./one.bnr", "--format", "nonsense", folder=tmp_path)
    assert last_line(ended.stderr).endswith("known: position, cast, cast3, svg, text, jsonl")
    named_one = banneret_here("export", "./one.bnr", "--format", "map", folder=tmp_path)
    assert named_one.returncode == Exit.USAGE
    assert is_one_line_fault(named_one.stderr)
    assert "./one.bnr cannot be written as map: MAP: is of 112x156 tiles, this" in named_one.stderr
