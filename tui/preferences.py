"""What a player has set, read again when its files change. Knows no widgets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from tui import keymap, settings
from tui.keymap import Keymap
from tui.settings import About, Settings
from tui.style.palette import THEMES

Stamp: TypeAlias = tuple[tuple[int, int], ...]
"""When each file was written, and how large it is."""


class Preferences:
    """Settings and keys, and the files they come from."""

    def __init__(self) -> None:
        """As they are usually, until they are read."""
        self.settings = Settings()
        self.keymap = Keymap()
        self.faults: tuple[str, ...] = ()
        """What is wrong with the files, a line each."""
        self._stamp: Stamp = ()

    @property
    def about(self) -> Mapping[str, About]:
        """All settings by name."""
        return settings.about(THEMES, keymap.packs())

    def read(self) -> None:
        """Read both files."""
        self._stamp = self._now()
        self.settings, faults = settings.read(settings.settings_file(), self.about)
        self.keymap = keymap.load(self.settings.keys, keymap.keys_file())
        self.faults = (*faults, *self.keymap.faults)

    def read_again(self) -> bool:
        """Read the files if somebody has changed them; whether they were read."""
        if self._now() == self._stamp:
            return False
        self.read()
        return True

    def change(self, wanted: Settings) -> None:
        """Set and keep settings.

        Raises:
            OSError: they cannot be kept; they hold until the program ends.
        """
        self.settings = wanted
        self.keymap = keymap.load(wanted.keys, keymap.keys_file())
        try:
            settings.write(settings.settings_file(), wanted)
        finally:
            self._stamp = self._now()

    def _now(self) -> Stamp:
        return tuple(_stamp(path) for path in (settings.settings_file(), keymap.keys_file()))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
