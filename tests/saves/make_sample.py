"""Make a sample of the present format: ``python -m tests.saves.make_sample FILE.bnr [RULESET]``.

For a new format or ruleset only: samples are never rebuilt. Two computer players play a whole
game on the small map. First a step is played and undone; if the ruleset hides nothing, the game
also goes back and branches, with a comment. A TOML file beside the save holds the values that
``test_samples.py`` expects of later versions.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from engine.core.archive import Comment
from engine.core.codec import digest, layout
from engine.core.registry import find
from engine.core.replay import fold
from saves.archive import Folder
from saves.payloads import FORMAT
from saves.reader import read
from tests.saves import games

OPENINGS = {
    "weltendaemmerung": ("step unit=0 direction=up", "step unit=0 direction=up"),
    "lordsawar": ("hire", "park armies=1"),
    "warlords2": ("defend armies=1", "defend armies=5"),
    "kaladan": (
        "deploy units=sword>archer>shield",
        "deploy units=sword>archer>shield",
        'move source="B1" target="A1" units=31',
    ),
}
"""First commands of each ruleset. The last one is undone and played again.

If the ruleset hides nothing the game then goes back to entry 1.
"""


def make(path: Path, seed: bytes = b"sample", ruleset: str = games.RULESET) -> None:
    """Play a game into a new file."""
    file = Folder(path.parent).create_at(path, games.header(seed, "normal", ruleset))
    table = games.start(file, seed, "normal", ruleset)
    lines = OPENINGS[ruleset]
    back = () if table.rules.traits.hidden else ("go 1",)
    for line in (*lines, "undo", lines[-1], *back):
        reply = table.submit(min(table.rules.owes(table.game.state)), line)
        assert reply.ok, reply.text
    file.comment(Comment(1, "went on from here"))
    games.play_on(table)
    table.close()


def record(path: Path) -> str:
    """Return the expected content of a sample, as TOML."""
    found = read(path)
    rules, line = find(found.header.ruleset), found.log.line()
    state = fold(rules, line)
    outcome = rules.outcome(state)
    assert outcome is not None
    seqs = [(seq, found.log.children(seq)) for seq in range(len(found.log))]
    branches = ", ".join(f"{seq} = {after}" for seq, after in seqs if len(after) > 1)
    comments = [comment.text for comment in found.comments]
    words = {
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "ruleset": rules.name,
        "layout": layout(rules.state_type).hex(),
        "digest": digest(state).hex(),
        "reason": outcome.reason,
    }
    numbers = {
        "format": FORMAT,
        "schema": rules.schema,
        "entries": len(found.log),
        "line": len(line),
        "head": found.log.head,
        "marks": sum(entry.mark is not None for entry in found.log.entries),
        "winners": list(outcome.winners),
    }
    rows = [f'{key} = "{value}"' for key, value in words.items()]
    rows += [f"{key} = {value}" for key, value in numbers.items()]
    rows += [f"comments = {comments}", f"branches = {{ {branches} }}"]
    return "\n".join(rows) + "\n"


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("ruleset", nargs="?", default=games.RULESET, choices=OPENINGS)
    chosen = parser.parse_args()
    path: Path = chosen.path
    make(path, ruleset=chosen.ruleset)
    path.with_suffix(".toml").write_text(record(path), encoding="utf-8")


if __name__ == "__main__":
    main()
