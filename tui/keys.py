"""Keys: every binding has an id, so that ``keys.toml`` can give it other keys."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Final

from textual.binding import Binding

from tui.plain.doctor import config_folder

MOVES: Final = [
    Binding("up,k,8", "push('up')", "Up", id="move.up", show=False),
    Binding("down,j,2", "push('down')", "Down", id="move.down", show=False),
    Binding("left,h,4", "push('left')", "Left", id="move.left", show=False),
    Binding("right,l,6", "push('right')", "Right", id="move.right", show=False),
    Binding("y,7", "push('up-left')", "Up and left", id="move.up-left", show=False),
    Binding("u,9", "push('up-right')", "Up and right", id="move.up-right", show=False),
    Binding("b,1", "push('down-left')", "Down and left", id="move.down-left", show=False),
    Binding("n,3", "push('down-right')", "Down and right", id="move.down-right", show=False),
]
"""The stick, on every board."""

JUMPS: Final = [
    Binding("tab", "jump('idle', 1)", "Next piece that can act", id="jump.idle", priority=True),
    Binding("shift+tab", "jump('idle', -1)", "The one before", id="jump.idle-back", priority=True),
    Binding("x", "jump('enemy', 1)", "Next enemy", id="jump.enemy"),
    Binding("X", "jump('enemy', -1)", "Enemy before", id="jump.enemy-back"),
    Binding("v", "jump('site', 1)", "Next site", id="jump.site"),
    Binding("V", "jump('site', -1)", "Site before", id="jump.site-back"),
]

SHOWN: Final = [
    Binding("pageup", "scroll_log(1)", "Log back", id="log.back"),
    Binding("pagedown", "scroll_log(-1)", "Log on", id="log.on"),
    Binding("p", "prices", "Prices on the map", id="show.prices"),
    Binding("f3", "glyphs", "Other signs", id="show.glyphs"),
    Binding("f4", "zoom", "Other map", id="show.zoom"),
    Binding("question_mark,f1", "help", "Help", id="app.help"),
]

GAME: Final = [
    *MOVES,
    Binding("space,enter,5", "fire", "Fire: pick up, put down, attack …", id="game.fire"),
    Binding("f", "fast", "Fast cursor on or off", id="game.fast"),
    *JUMPS,
    Binding("i", "intents", "What can be done here", id="game.intents"),
    Binding("z,backspace", "undo", "Undo", id="game.undo"),
    Binding("w,semicolon", "look", "Look at the tile", id="game.look"),
    Binding("escape", "let_go", "Let go; skip a computer's turn", id="game.let-go"),
    Binding("plus,equals_sign", "speed(1)", "Computer faster", id="game.faster"),
    Binding("minus", "speed(-1)", "Computer slower", id="game.slower"),
    Binding("o", "summary", "How it stands", id="game.summary"),
    *SHOWN,
    Binding("q", "leave", "Leave; the game is saved", id="game.leave"),
]

"""The letters a c d e g m r s t are left to rulesets: for what may be wanted at the cursor."""

REPLAY: Final = [
    Binding("right,l,6", "walk(1)", "One entry on", id="replay.on"),
    Binding("left,h,4,backspace", "walk(-1)", "One entry back", id="replay.back"),
    Binding("full_stop", "event(1)", "One event on, inside an entry too", id="replay.event-on"),
    Binding("comma", "event(-1)", "One event back", id="replay.event-back"),
    Binding("down,j,2", "phase(1)", "To the end of the phase", id="replay.phase-on"),
    Binding("up,k,8", "phase(-1)", "To the phase before", id="replay.phase-back"),
    Binding("3", "round(1)", "Next round", id="replay.round-next"),
    Binding("n", "next(1)", "Next of what was found; next round", id="replay.round-on"),
    Binding("N", "next(-1)", "The one before of what was found", id="replay.hit-back"),
    Binding("p,9", "round(-1)", "Round before", id="replay.round-back"),
    Binding("home", "end(-1)", "To the start", id="replay.first"),
    Binding("end", "end(1)", "To the end", id="replay.last"),
    Binding("right_square_bracket", "marker(1)", "Next marker", id="replay.marker-on"),
    Binding("left_square_bracket", "marker(-1)", "Marker before", id="replay.marker-back"),
    Binding("m", "kinds", "Which markers; what they mean", id="replay.kinds"),
    Binding("space,a", "autoplay", "Play by itself, or stop", id="replay.autoplay"),
    Binding("plus,equals_sign", "speed(1)", "Faster", id="replay.faster"),
    Binding("minus", "speed(-1)", "Slower", id="replay.slower"),
    Binding("slash,F", "find", "Go to an entry or round; find moments", id="replay.find"),
    Binding("s", "viewer", "With whose eyes", id="replay.seat"),
    Binding("c", "comment", "Comment at this entry", id="replay.comment"),
    Binding("C", "comments", "All comments", id="replay.comments"),
    Binding("H", "charts", "Charts of the game", id="replay.charts"),
    Binding("E", "export", "Export: recording, drawing, text, data", id="replay.export"),
    Binding("b", "branches", "Branches", id="replay.branches"),
    Binding("g", "go_on", "Go on from here", id="replay.go-on"),
    Binding("pageup", "scroll_log(1)", "Log back", id="replay.log-back"),
    Binding("pagedown", "scroll_log(-1)", "Log on", id="replay.log-on"),
    Binding("f3", "glyphs", "Other signs", id="replay.glyphs"),
    Binding("f4", "zoom", "Other map", id="replay.zoom"),
    Binding("question_mark,f1", "help", "Help", id="replay.help"),
    Binding("escape,q", "leave", "Leave", id="replay.leave"),
]

LISTS: Final = [
    Binding("j", "cursor_down", "Down", id="list.down", show=False),
    Binding("k", "cursor_up", "Up", id="list.up", show=False),
]


def keys_file() -> Path:
    """Where a player can give other keys to bindings."""
    return config_folder() / "keys.toml"


def own_keys(path: Path) -> tuple[dict[str, str], str]:
    """The keys a player wants, by id of the binding, and what is wrong with the file, if anything.

    The file has one line for each: ``"game.undo" = "z,ctrl+z"``, under ``[keys]``.
    """
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, ""
    except (OSError, ValueError) as problem:
        return {}, f"{path.name}: {problem}"
    table = read.get("keys", {})
    if not isinstance(table, dict):
        return {}, f"{path.name}: [keys] is not a table"
    known = {binding.id for binding in [*GAME, *REPLAY, *LISTS]}
    wrong = [key for key, value in table.items() if key not in known or not isinstance(value, str)]
    fault = f"{path.name}: not understood: {', '.join(wrong)}" if wrong else ""
    return {key: value for key, value in table.items() if key not in wrong}, fault


def printed(*, as_json: bool) -> str:
    """All keys as they are set, for the command line."""
    own, fault = own_keys(keys_file())
    rows = [
        (place, str(binding.id), own.get(str(binding.id), binding.key), binding.description)
        for place, bindings in (("game", GAME), ("replay", REPLAY), ("lists", LISTS))
        for binding in bindings
    ]
    if as_json:
        names = ("place", "id", "keys", "text")
        return json.dumps([dict(zip(names, row, strict=True)) for row in rows], indent=1) + "\n"
    lines = [f"{place:<7} {name:<18} {keys:<20} {text}" for place, name, keys, text in rows]
    lines += [f"fault: {fault}"] if fault else []
    return "\n".join([*lines, f"other keys: {keys_file()}"]) + "\n"
