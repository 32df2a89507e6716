"""Keys: packs, a player's own keys, faults in them, and rules for every binding."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from tests.tui.piloted_app import desk
from tests.tui.test_game import middle
from tui.settings import keymap
from tui.settings.keymap import (
    LETTERS,
    Keymap,
    conflicts,
    give,
    is_key,
    is_reliable,
    known,
    load,
    pack,
    packs,
    printed,
    tried,
)
from tui.settings.keys import CONTEXTS, Context
from tui.settings.settings import config_folder

ROOT = Path(__file__).parents[2]

every_context = pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.name)
every_pack = pytest.mark.parametrize("name", packs())


@every_context
def test_every_binding_has_an_id_and_words(context: Context) -> None:
    for binding in context.bindings:
        assert binding.id, binding
        assert binding.description, binding


def makes_bindings(path: Path) -> bool:
    """Return whether a module calls ``Binding``."""
    text = path.read_text("utf-8")
    nodes = ast.walk(ast.parse(text)) if "Binding(" in text else ()
    calls = [node.func for node in nodes if isinstance(node, ast.Call)]
    return any(isinstance(name, ast.Name) and name.id == "Binding" for name in calls)


def test_all_bindings_of_the_program_are_in_one_module() -> None:
    files = [path for top in ("host", "study", "tui") for path in (ROOT / top).rglob("*.py")]
    found = {path.name for path in files if makes_bindings(path)}
    assert found == {"keys.py"}


@every_pack
def test_no_key_of_a_pack_has_two_actions(name: str) -> None:
    assert pack(name).faults == ()
    assert conflicts(pack(name)) == []


@every_pack
def test_every_action_has_a_key_that_all_terminals_send(name: str) -> None:
    made = pack(name)
    for binding in known().values():
        keys = made.of(binding)
        assert all(map(is_key, keys)), binding
        assert any(map(is_reliable, keys)), binding
    assert all(is_reliable(made.letter(letter)) for letter in LETTERS)


@pytest.mark.parametrize(
    ("key", "reliable"),
    [
        ("a", True),
        ("A", True),
        ("shift+tab", True),
        ("ctrl+d", True),
        ("ctrl+i", False),
        ("ctrl+m", False),
        ("ctrl+h", False),
        ("ctrl+left_square_bracket", False),
        ("ctrl+s", False),
        ("alt+a", False),
        ("ctrl+shift+a", False),
        ("shift+enter", False),
        ("ctrl+up", False),
    ],
)
def test_keys_that_differ_among_terminals_are_known(key: str, reliable: bool) -> None:
    assert is_reliable(key) is reliable


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "keys.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[keys]\n"no.such" = "x"', "there is no 'no.such'"),
        ('[keys]\n"game.undo" = 3', "game.undo: its keys are a text"),
        ('[keys]\n"game.undo" = ""', "game.undo: its keys are a text"),
        ('[keys]\n"game.undo" = "hyper+x"', "game.undo: there is no key 'hyper+x'"),
        ('[keys]\n"game.undo" = "f"', "f is both game.fast and game.undo"),
        ('[keys]\n"game.undo" = "g"', "g is both game.undo and the letter of games g"),
        ('[letters]\nx = "j"', "'x' is none of the letters"),
        ('[letters]\na = "f"', "f is both game.fast and the letter of games a"),
        ("keys = 3", "[keys] is not a table"),
        ("[colours]", "[colours] is not known"),
        ("][", "keys.toml"),
    ],
)
def test_faulty_key_is_named_and_ignored(tmp_path: Path, text: str, told: str) -> None:
    made = load("usual", written(tmp_path, text))
    assert len(made.faults) >= 1
    assert told in made.faults[0]
    assert made.keys == {}
    assert made.letters == {}


def test_good_keys_count_beside_faulty_ones(tmp_path: Path) -> None:
    path = written(tmp_path, '[keys]\n"game.fire" = "F"\n"no.such" = "x"\n"game.undo" = "f"\n')
    made = load("usual", path)
    assert made.keys == {"game.fire": "F"}
    assert len(made.faults) == 2


def test_two_keys_can_be_swapped(tmp_path: Path) -> None:
    made = load("usual", written(tmp_path, '[keys]\n"game.fast" = "z"\n"game.undo" = "f"\n'))
    assert made.faults == ()


def test_own_keys_override_a_pack(tmp_path: Path) -> None:
    made = load("wasd", written(tmp_path, '[keys]\n"game.undo" = "ctrl+u"\n'))
    assert made.keys["game.undo"] == "ctrl+u"
    assert made.keys["move.up"] == "w,up,8"
    assert made.letter("a") == "h"


def test_key_can_be_assigned_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "keys.toml"
    give(path, "game.undo", "U")
    path.write_text("# mine\n" + path.read_text())
    give(path, "game.fast", "F")
    assert load("usual", path).keys == {"game.undo": "U", "game.fast": "F"}
    give(path, "game.undo", "")
    assert load("usual", path).keys == {"game.fast": "F"}
    assert path.read_text().startswith("# mine")
    assert str(tried(Keymap(), "game.undo", "f")[0]).startswith("f is both game.fast and game.undo")


def test_all_keys_are_printed() -> None:
    path = config_folder() / "keys.toml"
    plain = printed("usual", path, as_json=False)
    data = json.loads(printed("vi", path, as_json=True))
    for name in known():
        assert name in plain
    assert {row["id"] for row in data["keys"]} >= set(known())
    assert data["pack"] == "vi"


async def test_help_lists_the_current_keys(tmp_path: Path) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "keys.toml").write_text('[keys]\n"game.fire" = "F"\n"game.undo" = "U"\n')
    async with desk(tmp_path, start=middle()) as at:
        await at.press("F", "right", "U")
        assert at.game.session.focus.held == 0
        assert at.lines == []
        await at.press("question_mark")
        row = next(row for row in at.rows() if "Select, put down" in row)
        assert row.split()[0] == "F"
        await at.press("tab")
        assert "Rules" in at.rows()[0]
        await at.press("slash", *"commander", "enter")
        assert "commander" in at.text
        await at.press("escape")
        assert at.app.screen is at.game


async def test_pack_moves_the_letters_of_the_game(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        at.app.change(at.app.settings.__class__(keys="wasd"))
        await at.press("l")
        assert "Enter or y: end it" in at.rows()[-1]
        await at.press("escape", "space", "d")
        assert at.game.session.focus.held == 0
        assert len(at.lines) == 1


async def test_keys_changed_in_the_file_apply_at_once(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        config_folder().mkdir(parents=True, exist_ok=True)
        (config_folder() / "keys.toml").write_text('[keys]\n"game.fire" = "F"\n')
        at.app.look_at_files()
        await at.press("F")
        assert at.game.session.focus.held == 0
        (config_folder() / "keys.toml").write_text('[keys]\n"game.fire" = "nothing at all"\n')
        at.app.look_at_files()
        await at.rest()
        assert "there is no key" in at.note


def test_key_has_one_name() -> None:
    assert keymap.named("?") == "question_mark"
    assert keymap.shown("question_mark") == "?"
    assert keymap.shown("ctrl+d") == "Ctrl-D"
    assert keymap.shown("f1") == "F1"
