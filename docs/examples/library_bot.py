"""A bot in a few lines, for ``import banneret`` and for the lab.

It attacks where it can, walks toward its enemies by chance, and else ends its phase.

    python library_bot.py
    banneret lab run weltendaemmerung --scenario ford --bots py:library_bot.py:Raider,easy
"""

from __future__ import annotations

import argparse
from typing import Any

import banneret


class Raider:
    """A bot of Weltendämmerung; ``haste`` is the number of steps for each end of a phase."""

    def __init__(self, haste: int = 20) -> None:
        """Make a bot; the lab writes ``py:library_bot.py:Raider?haste=30``."""
        self.haste = haste

    def plan(self, view: Any, offers: Any, dice: Any) -> list[Any]:
        """One command; all that is known is in the view, and all chance in the dice."""
        known = list(offers())
        attacks = [one for one in known if banneret.notation(one).startswith("attack")]
        if attacks:
            return attacks[:1]
        toward = "right" if view.viewer == 0 else "left"
        steps = [one for one in known if getattr(one, "direction", "") == toward]
        if steps and dice.roll(self.haste) > 1:
            return [steps[dice.roll(len(steps)) - 1]]
        return known[-1:]


def main() -> None:
    """Play a match against a level, and one game to look at."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--level", default="easy")
    parser.add_argument("--pairs", type=int, default=3)
    args = parser.parse_args()
    print(banneret.match("weltendaemmerung", Raider, args.level, pairs=args.pairs, scenario="ford"))
    game = banneret.new_game("weltendaemmerung", "ford", seed=1)
    banneret.play_out(game, {"Eldoin": Raider, "Dailor": args.level})
    print("\n".join(game.story()[-3:]))


if __name__ == "__main__":
    main()
