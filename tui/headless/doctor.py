"""``banneret doctor``: facts about this machine and terminal, for support requests."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version

from platformdirs import user_data_path

from engine.core.registry import names
from tui.console.faults import folder, reports
from tui.settings.settings import config_folder
from tui.terminal.capabilities import USUAL, terminfo_colours

PACKAGES = ("banneret", "textual", "rich", "numpy", "msgpack", "msgspec", "platformdirs")
VARIABLES = (
    *("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM"),
    *("LANG", "LC_ALL", "LC_CTYPE", "TMUX", "STY", "SSH_TTY"),
)


def facts() -> dict[str, str]:
    """Return facts about this machine and terminal: name to value."""
    size = shutil.get_terminal_size()
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
        **{name: _version(name) for name in PACKAGES},
        "terminfo": _terminfo(os.environ.get("TERM", "")),
        "rulesets": ", ".join(names()),
        "terminal": "yes" if sys.stdout.isatty() else "no",
        "size": f"{size.columns}x{size.lines}, {_roomy(size.columns, size.lines)}",
        "encoding": f"{sys.stdout.encoding}, locale {locale.getencoding()}",
        **{name: os.environ.get(name, "not set") for name in VARIABLES},
        "data folder": str(user_data_path("banneret", appauthor=False)),
        "settings folder": str(config_folder()),
        "state folder": str(folder()),
        "fault reports": str(len(reports())),
    }


def _terminfo(name: str) -> str:
    count = terminfo_colours(name) if name else None
    return "does not know it" if count is None else f"knows it, with {count} colours"


def _roomy(columns: int, lines: int) -> str:
    if columns < USUAL[0] or lines < USUAL[1]:
        return f"smaller than {USUAL[0]}x{USUAL[1]}: some things are left out"
    return "enough for everything"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
