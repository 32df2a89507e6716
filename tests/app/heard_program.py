"""``python -m tests.app.heard_program FILE``: the program, which writes its keys to a file."""

from __future__ import annotations

import sys
from pathlib import Path

from textual.events import Key

from app import main
from tui.app import local


class Heard(local.LocalApp):
    """The program, keeping the names of keys in a file."""

    def hear(self, event: Key) -> None:
        """Write down a key, one a line."""
        super().hear(event)
        with Path(sys.argv[1]).open("a", encoding="utf-8") as file:
            file.write(f"{event.key}\n")


if __name__ == "__main__":
    vars(local)["LocalApp"] = Heard
    sys.exit(main(sys.argv[2:]))
