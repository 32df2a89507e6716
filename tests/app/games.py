"""Begin and enter games of a host."""

from __future__ import annotations

import re
from functools import partial

from tests.app.glass import Glass
from tests.app.lines import Line


async def begun(line: Line, words: str) -> int:
    """Begin a game; return its number."""
    found = re.match(r"Game (\d+),", await line.run(f"new {words}"))
    assert found is not None
    return int(found[1])


async def entered(glass: Glass, name: str, *seen: str) -> None:
    """Enter the named game from the lobby; wait until ``seen`` is on the screen."""

    def marked(text: str) -> int:
        """Return the row of the lobby's cursor; -1 before it is drawn."""
        rows = (y for y, row in enumerate(text.splitlines()) if re.match(r" +>? *\d+ \S", row))
        return next((y for y in rows if glass.back(10, y) != glass.back(10, 1)), -1)

    def has_moved(before: int, text: str) -> bool:
        return marked(text) != before

    await glass.until("in the lobby", f" {name} ", lambda text: marked(text) >= 0)
    while not re.match(rf" +>? *\d+ {name} ", glass.text.splitlines()[marked(glass.text)]):
        at = marked(glass.text)
        glass.press("j")
        await glass.until(partial(has_moved, at))
    glass.press("\r")
    is_asked = any(text.startswith("Play ") for text in seen)
    await glass.until("help", *seen, lambda text: is_asked or "in the lobby" not in text)
