"""Settings and keys: a list of rows, whose changes are applied and saved at once."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Final, NamedTuple

import msgspec
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static
from textual.widgets.option_list import Option

from engine.core.record import replace
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.screens.dialog import ChoiceList, Dialog
from tui.screens.frame import ask
from tui.screens.menu import MenuScreen
from tui.settings import keymap, keys
from tui.settings.keymap import listed, shown
from tui.settings.keys import CONTEXTS, Context
from tui.widgets.panels import Rows

_LABEL: Final = 38
"""Columns for the name of a setting or an action."""

_TONES: Final = (Tone.NORMAL, Tone.STRONG)
"""Tones of a choice that is not selected, and of one that is."""


class BindingRow(NamedTuple):
    """Binding in the list, and its context."""

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
        self._rows: list[str | BindingRow | None] = []
        """Setting or binding of each row; None for a heading."""

    def on_mount(self) -> None:
        """List the settings and keys."""
        super().on_mount()
        self._fill(self._begin)
        self.choices.focus()

    def dress(self) -> None:
        """Apply the chosen colours, also to the rows."""
        super().dress()
        if self._rows:
            self._fill(self._name_here())

    @property
    def _names(self) -> list[str]:
        return list(self.shell.preferences.about)

    def _fill(self, begin: str) -> None:
        """List all rows under their headings, with the cursor on the one named ``begin``."""
        self._rows, options, heading = [], [], ""
        for name, group, text in self._listed():
            if group != heading:
                heading = group
                self._rows.append(None)
                options.append(
                    Option(Text(group.upper(), style=self.ink(Tone.TITLE)), disabled=True)
                )
            self._rows.append(name)
            options.append(Option(text))
        self.choices.clear_options()
        self.choices.add_options(options)
        names = [str(row.binding.id) if isinstance(row, BindingRow) else row for row in self._rows]
        self.choices.highlighted = names.index(begin) if begin in names else 1

    def _listed(self) -> Iterator[tuple[str | BindingRow, str, Text]]:
        """Yield each row with its heading and its text."""
        for name in self._names:
            yield name, self.shell.preferences.about[name].group, self._setting_row(name)
        for row in self._keys:
            yield row, f"Keys: {row.context.title}", self._key_row(row)

    def _setting_row(self, name: str) -> Text:
        value = getattr(self.shell.settings, name)
        return self._row(self.shell.preferences.about[name].label, f"< {value} >")

    def _key_row(self, row: BindingRow) -> Text:
        now = "  ".join(shown(key) for key in self.shell.keymap.of(row.binding))
        return self._row(row.binding.description, now)

    def _row(self, label: str, value: str) -> Text:
        """Return a row with a muted label, so that the values stand out, all in one column."""
        text = Text(f"  {label:<{_LABEL}.{_LABEL}} {value}", no_wrap=True, overflow="ellipsis")
        text.stylize(self.ink(Tone.QUIET), 0, _LABEL + 2)
        return text

    @property
    def _at(self) -> int:
        return self.choices.highlighted or 1

    def _here(self) -> str | BindingRow:
        """Return the row under the cursor, which is never on a heading."""
        return self._rows[self._at] or self._names[0]

    def _name_here(self) -> str:
        row = self._here()
        return str(row.binding.id) if isinstance(row, BindingRow) else row

    def on_option_list_option_highlighted(self) -> None:
        """Explain the row."""
        self._explain()

    def _explain(self) -> None:
        row = self._here()
        if isinstance(row, BindingRow):
            own = "your own" if row.binding.id in self.shell.keymap.keys else "the usual"
            text = f"{row.binding.description}: {own} keys. In files: {row.binding.id}"
            self._tell(text, [])
            return
        about = self.shell.preferences.about[row]
        value = getattr(self.shell.settings, row)
        choices = dict(zip(about.choices, about.explained, strict=False))
        text = about.text
        if value in choices:
            text += f"\n{value}: {choices[value]}."
        lines = [
            Line(f"{'>' if one == value else ' '} {one}: {meaning}", _TONES[one == value])
            for one, meaning in choices.items()
        ]
        self._tell(text, [Line(about.label, Tone.TITLE), Line(""), *lines] if lines else [])

    def _tell(self, text: str, lines: list[Line]) -> None:
        """Explain the row, and list its choices beside it if they fit."""
        self.note(text)
        palette = self.shell.palette
        facts = self.query_one("#facts", Rows)
        width = max(20, facts.size.width - 2)
        facts.put(
            [
                (f" {part}", palette.line(line.tone, -1))
                for line in lines
                for part in textwrap.wrap(line.text, width, subsequent_indent="    ") or [""]
            ]
        )

    def middle(self) -> ComposeResult:
        """Yield the list, and the pane for the choices of wide windows."""
        yield ChoiceList()
        with Vertical(id="aside"):
            yield Rows(id="facts")

    def on_option_list_option_selected(self) -> None:
        """Take the next choice, or ask for another key."""
        row = self._here()
        if isinstance(row, BindingRow):
            ask(self.app, PressKey(row.binding.description), partial(self._give, row))
        else:
            self.action_change(1)

    def action_change(self, by: int) -> None:
        """Take the next or previous choice."""
        row = self._here()
        if isinstance(row, BindingRow):
            return
        about = self.shell.preferences.about[row]
        value = getattr(self.shell.settings, row)
        at = about.choices.index(value) if value in about.choices else -by
        self._set(row, about.choices[(at + by) % len(about.choices)])

    def action_usual(self) -> None:
        """Reset the row to its default."""
        row = self._here()
        if isinstance(row, BindingRow):
            self._give(row, "")
        else:
            self._set(row, msgspec.structs.asdict(type(self.shell.settings)())[row])

    def action_all_usual(self) -> None:
        """Reset all settings and keys to their defaults after a confirmation."""
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
        self._fill(self._name_here())
        self._explain()

    def _set(self, name: str, value: object) -> None:
        shell = self.shell
        self.fault(shell.change(replace(shell.settings, **{name: value})))
        if name == "keys":
            self._fill(name)
        else:
            self.choices.replace_option_prompt_at_index(self._at, self._setting_row(name))
        self._explain()

    # -- keys ------------------------------------------------------------------------------------

    def _give(self, row: BindingRow, key: str) -> None:
        """Add a key to a binding or remove one that it has; an empty key resets the binding."""
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
        self.choices.replace_option_prompt_at_index(self._at, self._key_row(row))
        self._explain()


def _toggled(now: list[str], key: str) -> str:
    if key in now and len(now) > 1:
        return ",".join(other for other in now if other != key)
    return ",".join(dict.fromkeys([key, *now]))


class PressKey(Dialog[str]):
    """Window that answers with the next key."""

    keys_text = "Esc: cancel"

    def __init__(
        self, what: str, told: str = "Press a key for it. One it has already is taken away."
    ) -> None:
        super().__init__(what, (Line(told),) if told else ())

    def body(self) -> ComposeResult:
        """Yield a hidden list that receives the keys."""
        yield ChoiceList()

    def on_mount(self) -> None:
        """Hide the list, which only receives keys."""
        self.query_one(ChoiceList).display = False

    def on_key(self, event: events.Key) -> None:
        """Close with the key, unless it differs between terminals."""
        if event.key == "escape":
            return
        event.stop()
        event.prevent_default()
        if keymap.is_reliable(event.key):
            self.dismiss(event.key)
        else:
            text = f"{shown(event.key)} is another key on some terminals."
            self.query_one("#fault", Static).update(Text(text))
