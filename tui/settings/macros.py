"""Macros: recorded actions that can be repeated, stored in ``macros.toml``. No widgets here.

A macro is a list of ids of bindings, such as ``game.fire``, so it works the same after keys are
changed; a key without an id, for example in a list, is stored as ``key:enter``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tui.console.files import settings_in
from tui.settings.keymap import known
from tui.settings.settings import put, read_document

KEY: Final = "key:"
MOST: Final = 500
"""Maximum steps of a macro."""

_NEVER: Final = {"macro.record", "macro.play", "app.interrupt", "app.quit"}
"""Actions that are not recorded."""


class Recorder:
    """Records a macro while a recording is in progress."""

    def __init__(self) -> None:
        self.steps: list[str] | None = None

    @property
    def is_on(self) -> bool:
        """True while steps are recorded."""
        return self.steps is not None

    def begin(self) -> None:
        """Start a recording."""
        self.steps = []

    def hear(self, binding_id: str | None, key: str) -> None:
        """Record a pressed key: as the id of its binding, or as the key itself without one."""
        if self.steps is None or binding_id in _NEVER or len(self.steps) >= MOST:
            return
        has_id = binding_id is not None and binding_id in known()
        self.steps.append(str(binding_id) if has_id else KEY + key)

    def end(self) -> tuple[str, ...]:
        """Stop recording and return the steps."""
        steps, self.steps = tuple(self.steps or ()), None
        return steps


def load(path: Path) -> tuple[dict[str, tuple[str, ...]], str]:
    """Return (steps of each macro by its key, fault of the file or an empty text)."""
    try:
        found = settings_in(path).get("macros", {})
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError) as problem:
        return {}, f"{path.name}: {problem}"
    if not isinstance(found, dict):
        return {}, f"{path.name}: [macros] is not a table"
    good = {name: tuple(steps) for name, steps in found.items() if _is_good(steps)}
    bad = [name for name in found if name not in good]
    return good, f"{path.name}: not understood: {', '.join(bad)}" if bad else ""


def _is_good(steps: object) -> bool:
    return (
        isinstance(steps, list)
        and 0 < len(steps) <= MOST
        and all(
            isinstance(step, str) and (step.startswith(KEY) or step in known()) for step in steps
        )
    )


def keep(path: Path, name: str, steps: Sequence[str]) -> None:
    """Store a macro under the key ``name``; it replaces an earlier one.

    Raises:
        OSError: it cannot be written.
    """
    import tomlkit  # noqa: PLC0415 - only when something is recorded

    document = read_document(path)
    document.setdefault("macros", tomlkit.table())[name] = list(steps)
    put(path, document)
