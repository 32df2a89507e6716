"""Ways into the games of a host."""

from __future__ import annotations

import re

from tests.app.glass import Glass
from tests.app.lines import Line


async def begun(line: Line, words: str) -> int:
    """Begin a game; its number."""
    found = re.match(r"Game (\d+),", await line.run(f"new {words}"))
    assert found is not None
    return int(found[1])


async def entered(glass: Glass, name: str, *seen: str) -> None:
    """Go from the lobby into the game of a name, where something is to be seen then."""
    await glass.until("in the lobby", f" {name} ")

    def is_marked(text: str) -> bool:
        rows = text.splitlines()
        at = next(y for y, row in enumerate(rows) if re.match(rf" +>? *\d+ {name} ", row))
        return glass.back(10, at) != glass.back(10, 1)

    while not is_marked(glass.text):
        glass.press("j")
        await glass.news()
    glass.press("\r")
    is_asked = any(text.startswith("Play ") for text in seen)
    await glass.until("help", *seen, lambda text: is_asked or "in the lobby" not in text)
