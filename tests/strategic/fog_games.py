"""Compare games on new maps with and without fog: ``python -m tests.strategic.fog_games``.

For each seed computer players of a level play a new map to its end, once in the open and once on
the hidden map. A line reports when the last neutral city was gone and how long the game lasted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from time import process_time
from typing import Final, NamedTuple

from engine.core.options import Value
from engine.rulesets.warlords2.state import State
from engine.strategic.commands import AnyCommand
from engine.strategic.pieces import NOBODY
from engine.strategic.world import cities_of
from tests.rulesets.warlords2.test_bot import begun, played

GONE: Final = 1.5
"""Maximum ratio, hidden to open map, of the rounds until no neutral city is left."""

LASTS: Final = 2.0
"""Maximum ratio, hidden to open map, of the length of a game."""


class Course(NamedTuple):
    """Numbers of a game: rounds until no neutral city was left and until its end, CPU seconds."""

    gone: int
    rounds: int
    seconds: float


def course(seed: int, level: str, sides: int, size: tuple[int, int], fog: str, most: int) -> Course:
    """Play a game on a new map; stop it after ``most`` rounds."""
    gone: list[int] = []

    def look(state: State, _plan: tuple[AnyCommand, ...]) -> None:
        if not gone and not cities_of(state, NOBODY):
            gone.append(state.turn)

    options: dict[str, Value] = {"map_seed": seed, "hidden_map": fog}
    options |= {"map_width": size[0], "map_height": size[1]}
    began = process_time()
    state = begun("new", sides, seed, options)
    state = played(state, (level,) * sides, most, look, str(seed).encode())
    return Course(gone[0] if gone else state.turn, state.turn, process_time() - began)


def ratio(fog: Sequence[int], clear: Sequence[int]) -> float:
    """Return the ratio of the mean lengths."""
    return sum(fog) / max(1, sum(clear))


def main() -> int:
    """Play the games; return 1 if they take longer in the fog than they should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1, help="of the first map; the others follow")
    parser.add_argument("--level", default="hard")
    parser.add_argument("--sides", type=int, default=4)
    parser.add_argument("--size", default="64x80", help="tiles of the map")
    parser.add_argument("--most", type=int, default=300, help="rounds of a game")
    args = parser.parse_args()
    width, height = map(int, args.size.split("x"))
    pairs: list[tuple[Course, Course]] = []
    for seed in range(args.seed, args.seed + args.games):
        clear, fog = (
            course(seed, args.level, args.sides, (width, height), word, args.most)
            for word in ("off", "on")
        )
        pairs.append((clear, fog))
        sys.stdout.write(
            f"seed {seed}: neutral cities gone in round {clear.gone}, fog {fog.gone}; "
            f"rounds {clear.rounds}, fog {fog.rounds}; "
            f"seconds {clear.seconds:.1f}, fog {fog.seconds:.1f}\n"
        )
        sys.stdout.flush()
    gone = ratio([fog.gone for _, fog in pairs], [clear.gone for clear, _ in pairs])
    lasts = ratio([fog.rounds for _, fog in pairs], [clear.rounds for clear, _ in pairs])
    sys.stdout.write(f"neutral cities last {gone:.2f} times as long, games {lasts:.2f} times\n")
    return int(gone > GONE or lasts > LASTS)


if __name__ == "__main__":
    sys.exit(main())
