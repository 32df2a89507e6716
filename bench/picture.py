"""Speed of showing a large land with many armies: boards, panels, routes, layers.

    python -m bench.picture [--rounds N]

An artificial land of 112 x 156 tiles with 8 sides, 90 cities and 400 armies, seen by its first
side, with and without a hidden map, in processor time. Every missed bar is marked, and the exit
code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from statistics import median, quantiles
from time import thread_time

from bench.lands import land
from engine.rulesets.warlords2.picture import PRESENTER
from engine.rulesets.warlords2.state import HEIGHT, WIDTH, State, View
from engine.rulesets.warlords2.view import view
from engine.tabletop.focus import Focus

BARS = {
    "board": 5.0,
    "board from afar": 5.0,
    "a step, nothing held": 1.0,
    "a step, a stack held": 1.0,
    "a step anywhere, a stack held": 1.0,
    "the way to a tile near by": 3.0,
    "what may be wanted": 1.0,
}
"""Maximum milliseconds of the median."""


def timed(work: Callable[[int], object], rounds: int) -> list[float]:
    """Return the milliseconds of processor time of each round."""
    found = []
    for number in range(rounds):
        begun = thread_time()
        work(number)
        found.append(1000 * (thread_time() - begun))
    return found


def measured(state: State, rounds: int) -> dict[str, list[float]]:
    """Return all measurements of a position."""
    views: list[View] = [view(state, 0) for _ in range(max(rounds, 10))]
    seen = views[0]
    group = next(a for a in state.armies.values() if a.owner == 0 and a.hero is None)
    held = PRESENTER.fire(seen, Focus(group.x, group.y)).focus
    around = [(dx, dy) for dx in range(-6, 7) for dy in range(-6, 7) if dx or dy]
    near = [Focus(held.x + dx, held.y + dy, held.held) for dx, dy in around]
    near = [focus for focus in near if PRESENTER.route(seen, held, focus.x, focus.y)]
    anywhere = [(x, y) for y in range(0, HEIGHT, 7) for x in range(0, WIDTH, 5)]
    far = [Focus(x, y, held.held) for x, y in anywhere]
    PRESENTER.overlay(seen, held)
    PRESENTER.overlay(views[1], held)
    return {
        "board": timed(lambda n: PRESENTER.board(views[n], "map"), rounds),
        "board from afar": timed(lambda n: PRESENTER.board(views[n], "world"), rounds),
        "a step, nothing held": timed(
            lambda n: PRESENTER.overlay(seen, Focus(20 + n % 60, 60)), rounds
        ),
        "what may be wanted": timed(
            lambda n: PRESENTER.intents(seen, Focus(20 + n % 60, 60)), rounds
        ),
        "taking a stack up": timed(
            lambda n: PRESENTER.overlay(views[3 + n], held), min(rounds, len(views) - 3)
        ),
        "a step, a stack held": timed(
            lambda n: PRESENTER.overlay(views[1], near[n % len(near)]), min(rounds, len(near))
        ),
        "a step anywhere, a stack held": timed(
            lambda n: PRESENTER.overlay(views[1], far[n]), len(far)
        ),
        "the way to a tile near by": timed(
            lambda n: PRESENTER.route(views[2], held, near[n % len(near)].x, near[n % len(near)].y),
            min(rounds, len(near)),
        ),
        "layer of danger": timed(lambda n: PRESENTER.layer(views[n], held, "danger"), 3),
    }


def main() -> int:
    """Measure and print; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    missed = 0
    for hidden in (False, True):
        print("hidden map" if hidden else "open map")
        for name, found in measured(land(hidden=hidden), rounds).items():
            worst = quantiles(found, n=20)[-1] if len(found) > 1 else found[0]
            bar = BARS.get(name)
            late = bar is not None and median(found) > bar
            missed += late
            wanted = f"  bar {bar:.1f}{'  MISSED' if late else ''}" if bar is not None else ""
            print(f"  {name:30} median {median(found):7.2f} ms  p95 {worst:7.2f} ms{wanted}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
