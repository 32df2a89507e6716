"""Every action of a key binding exists on each screen that listens; keys keep their order."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.actions import parse
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import key_to_character

import host
import study
import tui
from engine.core import registry
from engine.tabletop.ask import AskAmount, AskOrder, AskSome, Choice
from tests.tui.piloted_app import Desk, desk
from tests.tui.scenes import TOY
from tests.tui.test_game import middle
from tui.app.local import INTERRUPTED
from tui.screens.ask import ChooseSome, Marked, PutInOrder, Ranked, WindowAsk, dialogue
from tui.screens.new_game import NewGameScreen
from tui.screens.reports import Chart, ReportsScreen
from tui.screens.settings import SettingsScreen
from tui.settings.keys import CONTEXTS
from tui.terminal.internals import binding_of

AROUND: dict[type[DOMNode], type[DOMNode]] = {
    Marked: ChooseSome,
    Ranked: PutInOrder,
    Chart: ReportsScreen,
}
"""Screens of widgets whose keys act on the screen."""


def listeners() -> list[type[DOMNode]]:
    """Return every class of the program that has its own key bindings."""
    for home in (host, study, tui):
        for module in pkgutil.walk_packages(home.__path__, f"{home.__name__}."):
            importlib.import_module(module.name)
    ours = ("host.", "study.", "tui.")
    found = {cls for cls in below(DOMNode) if cls.__module__.startswith(ours)}
    own = [cls for cls in found if cls.__dict__.get("BINDINGS")]
    return sorted(own, key=lambda cls: (cls.__module__, cls.__name__))


def below(cls: type[Any]) -> Iterator[type[Any]]:
    """Yield the subclasses of a class, at any depth."""
    for derived in cls.__subclasses__():
        yield derived
        yield from below(derived)


def bindings_of(cls: type[DOMNode]) -> list[Binding]:
    """Return the bindings that a class adds to those of its bases."""
    return [binding for binding in cls.__dict__["BINDINGS"] if isinstance(binding, Binding)]


@pytest.mark.parametrize("cls", listeners(), ids=lambda cls: cls.__name__)
def test_bound_action_exists(cls: type[DOMNode]) -> None:
    for binding in bindings_of(cls):
        target, name, values = parse(binding.action)
        for user in finals(AROUND[cls] if target == "screen" else cls):
            action = getattr(user, f"action_{name}", None)
            assert action is not None, f"{binding.id}: {name} on {user.__name__}"
            inspect.signature(action).bind(None, *values)


def finals(cls: type[Any]) -> list[type[Any]]:
    """Return those of a class and its subclasses that have no subclass."""
    own = [each for each in (cls, *below(cls)) if each.__module__.startswith("tui.")]
    return [each for each in own if not any(issubclass(c, each) and c is not each for c in own)]


def test_every_context_has_a_listener() -> None:
    heard = [{binding.id for binding in bindings_of(cls)} for cls in listeners()]
    for context in CONTEXTS:
        assert any({b.id for b in context.bindings} <= ids for ids in heard), context.title


def test_only_leaving_and_repainting_have_priority() -> None:
    first = {b.id for context in CONTEXTS for b in context.bindings if b.priority}
    assert first == {"app.interrupt", "app.quit", "app.paint"}


def test_middle_key_of_the_number_pad_equals_its_digit() -> None:
    for context in CONTEXTS:
        for binding in context.bindings:
            names = binding.key.split(",")
            assert ("5" in names) == ("kp_begin" in names), binding.id
    confirm = next(context for context in CONTEXTS if context.name == "confirm")
    assert any("kp_begin" in binding.key for binding in confirm.bindings)


# -- many keys at once -----------------------------------------------------------------------------


async def burst(at: Desk, *pressed: str) -> None:
    """Send keys like a fast connection: all of them before the first is handled."""
    for key in pressed:
        at.app.post_message(events.Key(key, key_to_character(key)))
    await at.rest()


async def test_burst_on_the_map_keeps_its_order(tmp_path: Path) -> None:
    moves = (*["right"] * 3, "tab", "left", "x", "up")
    async with desk(tmp_path, start=middle()) as at:
        start = at.cursor
        await burst(at, *moves)
        quick = at.cursor
        await burst(at, "escape")
        at.game.go_to(*start)
        await at.press(*moves)
        assert at.cursor == quick


@pytest.mark.parametrize(
    ("pressed", "lines"),
    [
        ("right right i escape c x enter", ['cry text="x"']),
        ("c h o backspace a enter r right enter", ['cry text="ha"', "rank bands=2>1>3"]),
        ("s enter enter s enter enter right", ["seal", "seal"]),
    ],
)
async def test_burst_through_windows_keeps_its_order(
    tmp_path: Path, pressed: str, lines: list[str]
) -> None:
    async with desk(tmp_path, start=TOY) as at:
        await burst(at, *pressed.split())
        assert at.lines == lines


async def test_letter_does_not_overtake_an_arrow(tmp_path: Path) -> None:
    async with desk(tmp_path, start=middle()) as at:
        await burst(at, "l", "w", "comma", "escape", "right", "comma")
        labels = at.game.labels.labels
        assert labels is not None
        cell, letter = next((c, n) for c, n in labels.shown.items() if c != at.cursor)
        await burst(at, "escape", "left", "comma", letter, "right")
        assert at.cursor == (cell[0] + 1, cell[1])


async def test_leaving_at_once_does_not_wait_for_other_keys(tmp_path: Path) -> None:
    async with desk(tmp_path, start=TOY) as at:
        await burst(at, "c", "h", "ctrl+c", "o", "enter")
        assert at.app.return_value == INTERRUPTED


@pytest.mark.parametrize("turns", [1, 2, 3])
async def test_game_begins_with_the_choices_of_a_burst_in_the_form(
    tmp_path: Path, turns: int
) -> None:
    async with desk(tmp_path) as at:
        await at.press("n")
        await burst(at, "down", *["right"] * turns, "s")
        assert at.table.rules.name == registry.names()[turns % len(registry.names())]


async def test_burst_from_the_title_keeps_its_order(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await burst(at, "n", "down", "right", "s")
        assert at.table.rules.name == registry.names()[1]


async def test_burst_in_the_form_keeps_its_order(tmp_path: Path) -> None:
    moves = ("down", "down", "right", "right", "down", "right", "end", "up", "up", "left")
    async with desk(tmp_path / "slow") as at:
        await at.press("n", *moves)
        slow = at.text
        assert isinstance(at.app.screen, NewGameScreen)
    async with desk(tmp_path / "quick") as at:
        await at.press("n")
        await burst(at, *moves)
        assert at.text == slow


async def test_burst_in_the_settings_keeps_its_order(tmp_path: Path) -> None:
    async with desk(tmp_path) as at:
        await at.press("s")
        assert isinstance(at.app.screen, SettingsScreen)
        names = list(at.app.preferences.about)
        usual = at.app.settings
        await burst(at, "down", "right", "down", "right", "up", "up", "right")
        changed = {n for n in names if getattr(at.app.settings, n) != getattr(usual, n)}
        assert changed == set(names[:3])


CHOICES = tuple(Choice(sign, sign) for sign in "abcd")


ASKED: tuple[tuple[WindowAsk, tuple[str, ...], str], ...] = (
    (AskSome("Some", CHOICES, 1, 4), ("down", "space", "down", "j", "space", "enter"), "b>d"),
    (AskSome("Some", CHOICES, 1, 4), ("space", "down", "space", "up", "space", "enter"), "b"),
    (AskOrder("Order", CHOICES), ("down", "right", "l", "up", "enter"), "a>c>d>b"),
    (AskOrder("Order", CHOICES), ("end", "left", "h", "up", "space", "enter"), "d>a>b>c"),
    (AskAmount("How many", 0, 50, 5), ("7", "up", "up", "end", "0", "down", "enter"), "50"),
    (AskAmount("How many", 0, 99, 5), ("up", "up", "backspace", "9", "up", "enter"), "10"),
)
"""Windows, the keys pressed in them, and the resulting answer."""


async def test_burst_in_a_window_keeps_its_order(tmp_path: Path) -> None:
    answers: list[str | None] = []
    async with desk(tmp_path) as at:
        for asked, pressed, _ in ASKED:
            for send in (Desk.press, burst):
                at.app.push_screen(dialogue(asked), answers.append)
                await at.rest()
                await send(at, *pressed)
    assert answers == [answer for _, _, answer in ASKED for _ in range(2)]


async def test_click_toggles_a_choice(tmp_path: Path) -> None:
    answers: list[str | None] = []
    async with desk(tmp_path) as at:
        at.app.push_screen(dialogue(AskSome("Some", CHOICES, 1, 4)), answers.append)
        await at.rest()
        await at.pilot.click(Marked, offset=(3, 2))
        await at.press("enter")
    assert answers == ["c"]


@pytest.mark.parametrize("pressed", [(), ("n",), ("s",), ("n", "ctrl+s"), ("n", "ctrl+s", "?")])
async def test_binding_of_a_key_matches_the_active_bindings(
    tmp_path: Path, pressed: tuple[str, ...]
) -> None:
    async with desk(tmp_path) as at:
        await at.press(*pressed)
        screen = at.app.screen
        active = screen.active_bindings
        keys = {key for _, bindings in screen._binding_chain for key in bindings.key_to_bindings}
        assert active
        for key in sorted({*keys, "é"}):
            wanted = active[key].binding if key in active else None
            assert binding_of(screen, key) == wanted, key
