"""Plays a game and prints what came out, so that two processes can be compared.

Run as ``python -m tests.contract.play RULESET``.
"""

from __future__ import annotations

import hashlib
import json
import sys

from engine.core import notation, registry
from engine.core.codec import encode, encode_json
from engine.core.game import Game
from engine.core.ids import PUBLIC
from engine.core.schema import published
from engine.tabletop.presenter import presenter_of
from tests import toy
from tests.contract.test_bots import first_plan
from tests.contract.walks import begun, numbers, viewers, walk


def main(name: str) -> None:
    """Print digests of everything that is written anywhere."""
    rules = registry.find(name)
    game = begun(rules)
    for step in walk(game, numbers("processes", 60)):
        _say(step.entry.seq, step.seat, notation.write(step.command))
    if rules.owes(game.state):
        for level in rules.bots:
            _say(level, *map(notation.write, first_plan(game, level)[1]))
    presenter = presenter_of(rules)
    _say("log", _hash(encode(game.log.entries)))
    _say("schema", _hash(json.dumps(published(rules)).encode()))
    for viewer in viewers(rules):
        view = game.view(viewer)
        _say("view", viewer, _hash(encode(view)), _hash(encode_json(view)))
        for zoom in presenter.zooms:
            _say("board", viewer, zoom, _hash(encode(presenter.board(view, zoom))))
        _say("summary", viewer, [line.text for line in presenter.summary(view)])
    position = Game.begin(rules, rules.position(game.state), {}, b"again")
    _say("position", _hash(encode(position.view(PUBLIC))))


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


if __name__ == "__main__":
    registry.register(toy.RULES)
    main(sys.argv[1])
