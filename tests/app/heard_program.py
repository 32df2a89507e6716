"""Run the program and log its keys: ``python -m tests.app.heard_program FILE``."""

from __future__ import annotations

import sys
from pathlib import Path

from textual.events import Key

from app import main
from tui.app import local


class Heard(local.LocalApp):
    """The program, which logs the names of keys in a file."""

    def hear(self, event: Key) -> None:
        """Append a key to the file, one key a line."""
        super().hear(event)
        with Path(sys.argv[1]).open("a", encoding="utf-8") as file:
            file.write(f"{event.key}\n")


if __name__ == "__main__":
    vars(local)["LocalApp"] = Heard
    sys.exit(main(sys.argv[2:]))
