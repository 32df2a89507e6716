"""Everything that the program shows one viewer of a game, as bytes by the name of the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from engine.core.archive import Header, Opened
from engine.core.archive import SeatPlayer as Sitting
from engine.core.codec import encode
from engine.core.dice import Scripted
from engine.core.ids import PUBLIC, Viewer
from engine.core.notation import read
from engine.core.refused import Refused
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.canvas import spot
from engine.rulesets.gd6.picture import PRESENTER
from engine.rulesets.gd6.state import State, View
from engine.tabletop.focus import DELTAS, NOTHING, Focus
from saves.reader import as_json, as_text
from tests.contract.test_pictures import answer
from tests.contract.walks import nudged
from tests.rulesets.gd6.table import Play

LINES: Final = (
    "seal",
    "unseal",
    "concede",
    "drop places=0",
    "shift place=0 to=1",
    "change place=0 count=2",
    "list lines=-",
    "hq at=5",
    "spawn at=2 count=9",
    "move path=1>2 count=1",
    "move path=2>3 count=1 unit=spy",
    "move path=9>99 count=1",
    "build at=1 construct=library",
    "dynamite source=1 target=2",
    "toxic source=2 target=2",
    "crop lots=1,1",
    "buy item=toxic",
)
"""Commands that every seat tries, whether or not they fit its list."""


_LONGEST: Final = 8
"""More questions than any dialogue has."""


def outputs(game: Play, viewer: Viewer) -> dict[str, bytes]:
    """Return view, feed, offers, refusals, dumps, and the presenter's output for a viewer."""
    seen = game.view(viewer)
    found = {
        "view": encode(seen),
        "statistics": encode(dict(RULES.statistics(game.state))),
        "offers": encode(list(RULES.offers(seen))),
        "offers about a place": encode([list(RULES.offers(seen, at)) for at in seen.territories]),
        "answers": encode(list(_answers(game.state, seen))),
        "dump": encode(list(as_text(opened(game), viewer))),
        "dump of data": encode(list(as_json(opened(game), viewer))),
    }
    return found | _feed(game, viewer) | _picture(seen)


def opened(game: Play) -> Opened:
    """Return the game as if read from a save."""
    sitting = tuple(Sitting(seat, f"Person {seat}") for seat in game.state.players)
    return Opened("game", Header(RULES.name, RULES.schema, b"table", sitting), game.log)


def _feed(game: Play, viewer: Viewer) -> dict[str, bytes]:
    """Return all events that the viewer sees, as data, sentences and facts."""
    told: list[Any] = []
    said: list[Any] = []
    meant: list[Any] = []
    state = RULES.empty()
    for entry in game.log.line():
        for event in entry.events:
            after = RULES.evolve(state, event)
            known = RULES.redact(event, state, after, viewer)
            if known is not None:
                before, now = RULES.view(state, viewer), RULES.view(after, viewer)
                told.append(known)
                said.append(PRESENTER.tell(known, now))
                if not isinstance(known, ev.GameStarted):
                    meant.append(PRESENTER.facts(known, before, now))
            state = after
    return {"feed": encode(told), "sentences": encode(said), "facts": encode(meant)}


def _answers(state: State, seen: View) -> Iterator[object]:
    """Yield the answers to the viewer's commands, except those that would close the turn."""
    if seen.viewer == PUBLIC:
        return
    for command in _tried(seen):
        try:
            events = RULES.decide(state, seen.viewer, command, Scripted())
        except Refused as refused:
            yield str(refused.code), refused.text, refused.rule
            continue
        if not any(isinstance(event, ev.TurnClosed) for event in events):
            after = state
            for event in events:
                after = RULES.evolve(after, event)
            yield RULES.view(after, seen.viewer)


def _tried(seen: View) -> Iterator[Any]:
    """Yield fixed commands, some offered ones, and some of these with a changed number."""
    for line in LINES:
        yield read(line, RULES.command_type)
    offered = list(RULES.offers(seen))
    for command in offered[:: max(1, len(offered) // 8)]:
        yield command
        yield from list(nudged(RULES, command))[:4]


def _picture(seen: View) -> dict[str, bytes]:
    """Return the presenter's picture of the whole board and for the cursor on every territory."""
    own = [here.id for here in seen.territories.values() if here.owner == seen.viewer]
    spots = [spot(seen.world, at) for at in seen.territories]
    foci = [
        PRESENTER.start(seen),
        *(Focus(x, y) for x, y in spots),
        *(PRESENTER.settle(seen, Focus(x, y, held)) for held in own[:2] for x, y in spots[::3]),
    ]
    ways: dict[str, Callable[[Focus], object]] = {
        "overlay": lambda focus: PRESENTER.overlay(seen, focus),
        "settle": lambda focus: PRESENTER.settle(seen, focus),
        "step": lambda focus: [PRESENTER.step(seen, focus, way) for way in DELTAS],
        "stride": lambda focus: [PRESENTER.stride(seen, focus, way) for way in DELTAS],
        "fire": lambda focus: PRESENTER.fire(seen, focus),
        "jumps": lambda focus: [
            PRESENTER.jumps(seen, focus, kind) for kind in ("idle", "enemy", "site")
        ],
        "intents": lambda focus: PRESENTER.intents(seen, focus),
        "dialogues": lambda focus: list(_dialogues(seen, focus)),
        "look": lambda focus: PRESENTER.look(seen, focus.x, focus.y),
        "route": lambda focus: [PRESENTER.route(seen, focus, x, y) for x, y in spots],
    }
    whole = {
        "board": [PRESENTER.board(seen, zoom) for zoom in PRESENTER.zooms],
        "status": PRESENTER.status(seen),
        "summary": PRESENTER.summary(seen),
        "reports": PRESENTER.reports(seen),
        "numbers": dict(PRESENTER.numbers(seen)),
        "finds": PRESENTER.finds(seen),
        "layers": [PRESENTER.layer(seen, foci[0], layer.name) for layer in PRESENTER.layers],
    }
    found = {name: encode(made) for name, made in whole.items()}
    return found | {name: encode(list(map(way, foci))) for name, way in ways.items()}


def _dialogues(seen: View, focus: Focus) -> Iterator[object]:
    """Yield every dialogue possible here, with one answer to each question, down to its command."""
    if focus.held != NOTHING:
        return
    free: Iterable[Any] = (intent for intent in PRESENTER.intents(seen, focus) if not intent.reason)
    for intent in free:
        answers: list[str] = []
        for _ in range(_LONGEST):
            try:
                asked = PRESENTER.ask(seen, focus, intent.name, answers)
            except ValueError as refused:
                yield str(refused)
                break
            yield asked
            if isinstance(asked, str):
                break
            answers.append(answer(asked))
