"""Play games and print digests of the results, to compare two processes.

Run as ``python -m tests.contract.play RULESET...``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Final

from engine.core import notation, registry, scenarios
from engine.core.codec import encode, encode_json
from engine.core.schema import published
from engine.tabletop.presenter import presenter_of
from tests import toy
from tests.contract.plans import first_plan, whole_game
from tests.contract.walks import AnyGame, begun, grounds, long_walk, viewers, walk

ORDERS: Final = 30
"""Number of orders of the walk on each small scenario."""


def main(name: str) -> None:
    """Print digests of everything that a ruleset writes; each level plans on one scenario."""
    rules = registry.find(name)
    _say("ruleset", name)
    _say("schema", _hash(json.dumps(published(rules)).encode()))
    for ground in range(len(grounds(rules))):
        game = begun(rules, [ground])
        for step in walk(game, long_walk(ORDERS)):
            _say(step.entry.seq, step.seat, notation.write(step.command))
        if rules.owes(game.state):
            for level in list(rules.bots)[ground :: len(grounds(rules))]:
                _say(level, *map(notation.write, first_plan(game, level)[1]))
        _show(game)
    _show(whole_game(name, 0).game)


def _show(game: AnyGame) -> None:
    rules, presenter = game.rules, presenter_of(game.rules)
    _say("log", len(game.log), _hash(encode(game.log.entries)))
    for viewer in viewers(rules):
        view = game.view(viewer)
        _say("view", viewer, _hash(encode(view)), _hash(encode_json(view)))
        for zoom in presenter.zooms:
            _say("board", viewer, zoom, _hash(encode(presenter.board(view, zoom))))
        _say("summary", viewer, [line.text for line in presenter.summary(view)])
        _say("reports", viewer, _hash(encode(presenter.reports(view))))
    _say("position", _hash(scenarios.dump(rules.position(game.state)).encode()))


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


if __name__ == "__main__":
    registry.register(toy.RULES)
    for named in sys.argv[1:]:
        main(named)
