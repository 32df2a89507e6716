"""Places by name: every visible name is accepted as a place, and no hidden name is."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.core import registry
from engine.core.game import Game
from engine.core.notation import BadNotation, read
from engine.core.options import Value
from engine.rulesets.gd6.world import shipped
from engine.tabletop.board import NOWHERE, Find
from engine.tabletop.presenter import presenter_of
from tests.app.cli import banneret_here, is_one_line_fault, last_line
from tests.saves import games
from tui.console.exits import Exit
from tui.play.place_names import SeveralPlaces, name_of, place_named, read_command, with_places

LINES = {
    "gd6": ("hq at={}", "dynamite source={} target=1", "crop lots={},2"),
    "kaladan": ("attack source={} target={}", "place-castle tile={}"),
    "lordsawar": ("march armies=1 to={}", "walk armies=1 path={}>3,4", "produce city={} slot=0"),
    "warlords2": ("march armies=1>2 to={}", "goal armies=1 to={}", "vector city={} to={}"),
    "weltendaemmerung": ("attack unit=1 at={}", "move unit=1 path={}>3,4"),
}
"""Lines with places, by ruleset."""


@cache
def begun(name: str, **options: Value) -> Any:
    """Begin a game on the small map."""
    rules = registry.find(name)
    return Game.begin(rules, games.small_map(rules), options, b"names")


@cache
def found(name: str) -> tuple[Find, ...]:
    """Return the named things that the first seat sees."""
    return presenter_of(registry.find(name)).finds(begun(name).view(0))


@pytest.mark.parametrize("name", LINES)
def test_visible_name_is_a_place_in_any_case_and_shortened(name: str) -> None:
    finds = found(name)
    assert finds
    for find in finds:
        assert place_named(finds, find.text.upper()) == find.at
        alike = {one.at for one in finds if name_of(one) == name_of(find)}
        if len(alike) == 1:
            assert place_named(finds, f" {name_of(find).casefold()} ") == find.at
        else:
            with pytest.raises(SeveralPlaces, match="can be"):
                place_named(finds, name_of(find))


@pytest.mark.parametrize("name", LINES)
def test_visible_name_is_accepted_in_every_line_with_a_place(name: str) -> None:
    rules, view = registry.find(name), begun(name).view(0)
    board = presenter_of(rules).board(view, presenter_of(rules).zooms[0])
    for find in found(name):
        number = int(board.place[find.at[1], find.at[0]])
        for line in LINES[name]:
            if "city" in line and (number == NOWHERE or find.kind != "city"):
                continue
            given = line.replace("{}", json.dumps(find.text))
            command = read_command(rules, view, given)
            label = next((one.label for one in board.places if one.id == number), "")
            known = {
                f"{find.at[0]},{find.at[1]}",
                str(number),
                json.dumps(label),
            }
            assert command in {_read(rules, line, each) for each in known}, given


def _read(rules: Any, line: str, word: str) -> Any:
    """Read a line with ``word`` for its places; return None if it is no command."""
    try:
        return read(line.replace("{}", word), rules.command_type)
    except BadNotation:
        return None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Eastfen", (1, 1)),
        ("EASTFEN MARSH", (2, 2)),
        ("east", (3, 3)),
        ("eastf", None),
        ("14 eastfen", (1, 1)),
        ("14", "no name"),
        ("fen", "no name"),
        ("Old", (4, 4)),
        ("old f", (4, 4)),
    ],
)
def test_whole_name_beats_a_beginning(text: str, told: tuple[int, int] | str | None) -> None:
    finds = (
        Find("14 Eastfen (blue)", "territory", (1, 1)),
        Find("15 Eastfen Marsh (neutral)", "territory", (2, 2)),
        Find("16 East Fort (red)", "territory", (3, 3)),
        Find("Old Ferry (red)", "city", (4, 4)),
    )
    if told is None:
        with pytest.raises(SeveralPlaces) as several:
            place_named(finds, text)
        assert str(several.value) == "'eastf' can be 14 Eastfen, 15 Eastfen Marsh"
    else:
        assert place_named(finds, text) == (None if isinstance(told, str) else told)


def test_name_of_several_places_lists_the_candidates() -> None:
    finds = tuple(Find(f"Keep {n} (free)", "city", (n, n)) for n in range(8))
    with pytest.raises(SeveralPlaces) as told:
        place_named(finds, "keep")
    assert str(told.value).endswith("Keep 0, Keep 1, Keep 2, Keep 3, Keep 4, Keep 5 and 2 more")
    same = tuple(Find("Keep (free)", "city", (n, n)) for n in range(2))
    with pytest.raises(SeveralPlaces, match="Keep at 0,0, Keep at 1,1"):
        place_named(same, "keep")


def test_beginning_of_a_city_name_skips_its_signpost() -> None:
    game = begun("warlords2")
    view = game.view(0)
    city = next(iter(game.state.cities.values()))
    short = city.name[:-2].lower()
    assert any(post.text.startswith(city.name) for post in game.state.signs)
    assert with_places(game.rules, view, f"produce city={short} slot=0") == (
        f"produce city={city.id} slot=0"
    )
    assert with_places(game.rules, view, f"march armies=5 to={short}").endswith(
        f"to={city.x},{city.y}"
    )


@pytest.mark.parametrize("name", ["lordsawar", "warlords2"])
def test_hidden_city_is_not_found_by_name(name: str) -> None:
    game = begun(name, hidden_map="on")
    seen = {one.name for one in game.view(0).cities.values()}
    hidden = next(one.name for one in game.state.cities.values() if one.name not in seen)
    for city in (hidden, "Nowhere At All"):
        line = f"march armies=1 to={json.dumps(city)}"
        with pytest.raises(BadNotation, match="no place called"):
            with_places(game.rules, game.view(0), line)


# -- commands --------------------------------------------------------------------------------------

LANDS = shipped("west16").lands


def test_script_accepts_place_names(tmp_path: Path) -> None:
    first, second = LANDS[:2]
    words = ("run", "--ruleset", "gd6", "--scenario", "west", "-")
    given = f'A: hq at="{first.name}"\nB: hq at="{second.name[:3].upper()}zz"\n'
    ended = banneret_here(*words, given=given, folder=tmp_path)
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    assert told[0]["command"] == {"do": "hq", "at": first.id}
    assert told[1]["refused"]["text"].endswith("zz' is known.")


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (("weltendaemmerung", "way", "0", "UNIT"), "x,y"),
        (("kaladan", "capacity", "TILE"), "B2"),
    ],
)
def test_calc_accepts_place_names(tmp_path: Path, words: tuple[str, ...], given: str) -> None:
    name = words[0]
    finds = presenter_of(registry.find(name)).finds(begun(name).view(0))
    find = next(one for one in finds[1:] if one.kind in {"unit", "tile"})
    at = f"{find.at[0]},{find.at[1]}" if given == "x,y" else name_of(find).split()[0]
    scenario = {"weltendaemmerung": "ford", "kaladan": "duel"}[name]
    answers = [
        banneret_here("calc", *words[:-1], place, "--scenario", scenario, folder=tmp_path)
        for place in (at, find.text, name_of(find).upper())
    ]
    assert [one.returncode for one in answers] == [Exit.OK] * 3, answers[1].stderr
    assert len({one.stdout for one in answers}) == 1


def test_calc_lists_the_candidates_of_a_name_in_one_line(tmp_path: Path) -> None:
    ended = banneret_here(
        *("calc", "weltendaemmerung", "way", "0", "gate", "--scenario", "ford"), folder=tmp_path
    )
    assert ended.returncode == Exit.USAGE
    assert is_one_line_fault(ended.stderr)
    assert "'gate' can be " in ended.stderr


def test_line_mode_accepts_place_names(tmp_path: Path) -> None:
    land = LANDS[2].name
    words = ("play", "--plain", "--new", "gd6", "--scenario", "west", "--seed", "1")
    given = f'look {land.upper()}\nhq at="{land}"\nlook nowhere\nquit\n'
    said = banneret_here(*words, given=given, folder=tmp_path).stdout
    assert said.count(land) >= 2
    assert "whole number" not in said
    assert "no place or thing called 'nowhere'" in said


def test_debugger_reports_an_unknown_place_name(tmp_path: Path) -> None:
    games.saved(tmp_path, "one", entries=4)
    ended = banneret_here(
        *("debug", "./one.bnr", "why", "not", 'attack unit=0 at="nowhere"'), folder=tmp_path
    )
    assert ended.returncode == Exit.USAGE
    assert "no place called 'nowhere' is known" in last_line(ended.stderr)
