"""Preferences of a player, read again when their files change. No widgets are used here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from engine.core.record import replace
from tui.settings import keymap, settings
from tui.settings.keymap import Keymap
from tui.settings.settings import About, Settings, SettingValue
from tui.style.palette import THEMES

Stamp: TypeAlias = tuple[tuple[int, int], ...]
"""Modification time and size of each file."""


class Preferences:
    """A player's settings and keys, read from files."""

    def __init__(
        self, folder: Path | None = None, forced: Mapping[str, SettingValue] | None = None
    ) -> None:
        """Start with the default settings; ``read`` reads the files.

        Args:
            folder: the folder of the files, if not the one of this machine's user.
            forced: settings by name whose values override the files.
        """
        self.folder = folder
        own = folder or settings.config_folder()
        self.settings_file = own / "settings.toml"
        self.keys_file = own / "keys.toml"
        self.macros_file = own / "macros.toml"
        self._forced = dict(forced or {})
        self.settings = Settings()
        self.keymap = Keymap()
        self.faults: tuple[str, ...] = ()
        """Faults of the files, one line each."""
        self._stamp: Stamp = ()

    @property
    def about(self) -> Mapping[str, About]:
        """All settings by name that the player can change."""
        return {name: about for name, about in self._known.items() if name not in self._forced}

    @property
    def _known(self) -> Mapping[str, About]:
        return settings.about(THEMES, keymap.packs())

    @property
    def keys_told(self) -> str:
        """Text that names the player's file of keys; empty if the player cannot reach the file."""
        return f", or under [keys] in {self.keys_file}" if self.folder is None else ""

    def read(self) -> None:
        """Read the files of settings and keys."""
        self._stamp = self._now()
        found, faults = settings.read(self.settings_file, self._known)
        self.settings = self._with_forced(found)
        self.keymap = keymap.load(self.settings.keys, self.keys_file)
        self.faults = (*faults, *self.keymap.faults)

    def read_again(self) -> bool:
        """Read the files if they have changed; return whether they were read."""
        if self._now() == self._stamp:
            return False
        self.read()
        return True

    def change(self, wanted: Settings) -> None:
        """Apply settings and write them to the file.

        Raises:
            OSError: they cannot be written; they apply until the program ends.
        """
        self.settings = wanted = self._with_forced(wanted)
        self.keymap = keymap.load(wanted.keys, self.keys_file)
        try:
            settings.write(self.settings_file, wanted)
        finally:
            self._stamp = self._now()

    def _now(self) -> Stamp:
        return tuple(_stamp(path) for path in (self.settings_file, self.keys_file))

    def _with_forced(self, found: Settings) -> Settings:
        return replace(found, **self._forced) if self._forced else found


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
