"""Settings and keys: a list of rows, changed at once and kept."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, NamedTuple

import msgspec
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from engine.core.record import replace
from engine.tabletop.board import Line
from tui.screens.dialog import ChoiceList, Dialog, option
from tui.screens.frame import ask
from tui.screens.menu import MenuScreen
from tui.settings import keymap, keys
from tui.settings.keymap import listed, shown
from tui.settings.keys import CONTEXTS, Context


class BindingRow(NamedTuple):
    """A binding in the list."""

    context: Context
    binding: Binding


class SettingsScreen(MenuScreen[None]):
    """All settings, then all keys."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("settings")
    heading = "Settings"
    keys_text = (
        "Left, right: change  Enter: other key  {key:settings.usual}: as usual  "
        "{key:settings.all-usual}: all usual  {key:settings.leave}: back"
    )

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self._begin = name
        self._keys = [BindingRow(c, b) for c in CONTEXTS for b in c.bindings]

    def on_mount(self) -> None:
        """List them."""
        super().on_mount()
        names = [*self._names, *(str(row.binding.id) for row in self._keys)]
        self._fill(names.index(self._begin) if self._begin in names else 0)
        self.choices.focus()

    @property
    def _names(self) -> list[str]:
        return list(self.shell.preferences.about)

    def _fill(self, at: int) -> None:
        rows = [self._setting_row(name) for name in self._names]
        rows += [self._key_row(row) for row in self._keys]
        self.choices.clear_options()
        self.choices.add_options([option(row) for row in rows])
        self.choices.highlighted = min(at, len(rows) - 1)

    def _setting_row(self, name: str) -> str:
        about = self.shell.preferences.about[name]
        return f"{about.label:<18} < {getattr(self.shell.settings, name)} >"

    def _key_row(self, row: BindingRow) -> str:
        now = "  ".join(shown(key) for key in self.shell.keymap.of(row.binding))
        return f"{row.binding.description:<40.40} {now}"

    def _at(self) -> str | BindingRow:
        at = self.choices.highlighted or 0
        names = self._names
        return names[at] if at < len(names) else self._keys[at - len(names)]

    def on_option_list_option_highlighted(self) -> None:
        """Explain the row."""
        self._explain()

    def _explain(self) -> None:
        row = self._at()
        if isinstance(row, BindingRow):
            own = "yours" if row.binding.id in self.shell.keymap.keys else "usual"
            self.note(f"{row.context.title}: {row.binding.description}\n{row.binding.id} ({own})")
            return
        about = self.shell.preferences.about[row]
        value = getattr(self.shell.settings, row)
        text = about.text
        if about.explained and value in about.choices:
            text += f"\n{value}: {about.explained[about.choices.index(value)]}."
        self.note(text)

    def on_option_list_option_selected(self) -> None:
        """The next choice, or another key."""
        row = self._at()
        if isinstance(row, BindingRow):
            ask(self.app, PressKey(row.binding.description), partial(self._give, row))
        else:
            self.action_change(1)

    def action_change(self, by: int) -> None:
        """The next or previous choice."""
        row = self._at()
        if isinstance(row, BindingRow):
            return
        about = self.shell.preferences.about[row]
        value = getattr(self.shell.settings, row)
        at = about.choices.index(value) if value in about.choices else -by
        self._set(row, about.choices[(at + by) % len(about.choices)])

    def action_usual(self) -> None:
        """The row as it is usually."""
        row = self._at()
        if isinstance(row, BindingRow):
            self._give(row, "")
        else:
            self._set(row, msgspec.structs.asdict(type(self.shell.settings)())[row])

    def action_all_usual(self) -> None:
        """All settings and all keys as they are usually, if that is meant."""
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        lines = (Line("Your own settings and keys are forgotten. Macros stay."),)
        ask(self.app, Confirm("Everything as usual?", lines), lambda _: self._all_usual())

    def _all_usual(self) -> None:
        shell = self.shell
        try:
            keymap.forget(shell.preferences.keys_file)
        except OSError as problem:
            self.fault(f"The keys are not kept: {problem}")
            return
        shell.preferences.read()
        self.fault(shell.change(type(shell.settings)()))
        self._fill(self.choices.highlighted or 0)
        self._explain()

    def _set(self, name: str, value: object) -> None:
        shell = self.shell
        self.fault(shell.change(replace(shell.settings, **{name: value})))
        at = self.choices.highlighted or 0
        if name == "keys":
            self._fill(at)
        else:
            self.choices.replace_option_prompt_at_index(at, Text(self._setting_row(name)))
        self._explain()

    # -- keys ------------------------------------------------------------------------------------

    def _give(self, row: BindingRow, key: str) -> None:
        """Give a row another key beside those it has; one that it has already is taken from it."""
        shell, name = self.shell, str(row.binding.id)
        now = list(shell.keymap.of(row.binding))
        wanted = ",".join(listed(_toggled(now, key))) if key else ""
        clash = keymap.tried(shell.keymap, name, wanted) if wanted else []
        if clash:
            self.fault(str(clash[0]))
            return
        try:
            keymap.give(shell.preferences.keys_file, name, wanted)
        except OSError as problem:
            self.fault(f"The keys are not kept: {problem}")
            return
        shell.preferences.read()
        shell.apply_settings()
        self.fault("")
        at = self.choices.highlighted or 0
        self.choices.replace_option_prompt_at_index(at, Text(self._key_row(row)))
        self._explain()


def _toggled(now: list[str], key: str) -> str:
    if key in now and len(now) > 1:
        return ",".join(other for other in now if other != key)
    return ",".join(dict.fromkeys([key, *now]))


class PressKey(Dialog[str]):
    """The next key is the answer."""

    keys_text = "Esc: cancel"

    def __init__(
        self, what: str, told: str = "Press a key for it. One it has already is taken away."
    ) -> None:
        super().__init__(what, (Line(told),) if told else ())

    def body(self) -> ComposeResult:
        """A list that takes the keys, with nothing to choose from."""
        yield ChoiceList()

    def on_mount(self) -> None:
        """Nothing to choose from."""
        self.query_one(ChoiceList).display = False

    def on_key(self, event: events.Key) -> None:
        """That one."""
        if event.key == "escape":
            return
        event.stop()
        event.prevent_default()
        if keymap.is_reliable(event.key):
            self.dismiss(event.key)
        else:
            text = f"{shown(event.key)} is another key on some terminals."
            self.query_one("#fault", Static).update(Text(text))
