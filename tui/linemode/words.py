"""The words one can type at a game, and what help says of them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.core.notation import usage
from tui.linemode import doing, looking, telling
from tui.linemode.line_session import Party
from tui.linemode.voice import Voice


class Word(NamedTuple):
    """A word: how it is written, what it does in a line, and what runs it."""

    name: str
    usage: str
    text: str
    run: Callable[[Party, str], None]


WORDS: Final[tuple[Word, ...]] = (
    Word("look", "look [x,y]", "what is here, or at a place", looking.look),
    Word("where", "where", "where the cursor is, and how large the board is", looking.where),
    Word("go", "go x,y | go 3 east 1 north | go NAME", "move the cursor there", looking.go),
    Word("map", "map [radius]", "the board around the cursor as a table of signs", looking.draw),
    Word("near", "near [how many]", "what is around, the nearest first", looking.near),
    Word("units", "units [mine|enemy|idle]", "pieces and where they are", looking.units),
    Word("places", "places", "other things with names", looking.places),
    Word("find", "find TEXT", "things whose name holds a text", looking.find),
    Word("next", "next", "go to the next piece that can still act", looking.next_idle),
    Word("foe", "foe", "go to the next enemy", looking.next_enemy),
    Word("danger", "danger [x,y]", "what threatens a place, and your pieces", looking.danger),
    Word("layer", "layer [NAME]", "other things known of every cell", looking.layers),
    Word("route", "route x,y", "the way of the piece here to a place", looking.route),
    Word("do", "do [number or name] [answers]", "what you can do here", doing.do),
    Word("press", "press", "the fire button: take up, put down, strike", doing.press),
    Word("release", "release", "let go of what you hold", doing.release),
    Word("targets", "targets", "targets of the piece you hold", looking.targets),
    Word("undo", "undo", "take back your last command", doing.undo),
    Word("send", "send LINE", "a command in notation; see help notation", doing.send),
    Word("status", "status", "how the game stands", telling.status),
    Word("reports", "reports [NAME]", "tables of what you own and know", telling.reports),
    Word("seat", "seat [NAME]", "who plays; act as another person", telling.seats),
    Word(
        "log", "log [number or text]", "what happened, the last lines or those found", telling.log
    ),
    Word("again", "again", "all that happened since you acted last", telling.again),
    Word("why", "why [RULE]", "the rule behind what was said last", telling.why),
    Word("rules", "rules [chapter]", "the rule book", telling.book),
    Word("luck", "luck", "what chance gave and what was to be expected", telling.luck),
    Word("save", "save", "where the game is kept", telling.save),
)

OUTSIDE: Final = (
    ("help", "help [WORD]", "this list, or more about a word"),
    ("games", "games", "saved games"),
    ("load", "load NAME or number", "go on with a saved game"),
    ("new", "new [RULESET] [SCENARIO]", "begin a game"),
    ("quit", "quit", "leave; everything is saved"),
)
"""Words that need no game: name, usage, text."""

_MORE: Final = {
    "go": "A direction alone moves the cursor too: north 3, 2 e, ne. All eight are known, and their"
    " short forms n ne e se s sw w nw.",
    "do": "Answers can be typed at once: do 1 8,5 or attack 15,6 yes. Semicolons part answers that"
    " have blanks. A name works without do. A blank answer cancels.",
    "press": "While you hold a piece, directions move it as on the screen.",
    "map": "Each cell is a sign with a mark before it: > the cursor, * yours, ! others. The radius"
    " is at most 18.",
    "near": "Distances are counted in columns and rows; a diagonal counts as one.",
    "send": "Lines with = or in braces are taken as notation without send.",
    "new": "It asks for the scenario and the players; a blank answer takes the usual ones.",
    "reports": "Without a name it lists them. reports history tells how the numbers went.",
    "load": "games numbers the saved games; load takes such a number, or a name.",
}

_FIRST: Final = """\
A game in lines: a turn is looking, moving the cursor, and doing something there.
status says who is to act. next goes to a piece of yours that can still act.
look tells what is there, near what is around. do lists what you can do; type
its number or name. Questions are answered by a number, by x,y, or by a way such
as 3 east 1 north; a blank line cancels. undo takes a command back."""


def run(party: Party, line: str) -> None:
    """Carry out a line at a game, or say that it cannot be understood."""
    if not _understood(party, line):
        word = line.split(maxsplit=1)[0][:30]
        party.voice.say(f"{word!r} is nothing you can do here. Type help, or do.")


def _understood(party: Party, line: str) -> bool:
    if line.startswith("{") or ("=" in line and line.split("=", 1)[0].strip().count(" ") == 1):
        party.submit(line)
        return True
    word, _, rest = line.partition(" ")
    for known in WORDS:
        if known.name == word.casefold():
            known.run(party, rest.strip())
            return True
    if looking.walk(party, line):
        return True
    intent = party.intent_named(word) if not word.isdecimal() else None
    if intent is not None:
        party.want(intent, rest.strip())
    return intent is not None


def help_for(
    voice: Voice,
    party: Party | None,
    rest: str,
    outside: Sequence[tuple[str, str, str]] = OUTSIDE,
) -> None:
    """Say what can be typed; ``outside``: words besides those of a game."""
    if rest == "notation":
        _notation(voice, party)
    elif not rest:
        voice.say(" ".join(_FIRST.split()))
        listed = [(word.usage, word.text) for word in WORDS] if party is not None else []
        for written, text in [*listed, *((row[1], row[2]) for row in outside)]:
            _entry(voice, written, text)
        voice.say("help and a word tells more; help notation lists commands of this game.")
    else:
        _about(voice, rest, outside)


def _notation(voice: Voice, party: Party | None) -> None:
    if party is None:
        voice.say("No game is open.")
        return
    voice.say("Lines of this game; send gives one as it is:")
    for line in usage(party.rules.command_type):
        voice.say(line)


def _about(voice: Voice, rest: str, outside: Sequence[tuple[str, str, str]]) -> None:
    rows = [*((word.name, word.usage, word.text) for word in WORDS), *outside]
    found = [row for row in rows if row[0] == rest.casefold()]
    for name, written, text in found:
        _entry(voice, written, text)
        if name in _MORE:
            voice.say(_MORE[name])
    if not found:
        voice.say(f"There is no word {rest[:30]!r}. help lists them.")


def _entry(voice: Voice, written: str, text: str) -> None:
    voice.rows(textwrap.wrap(f"{written}: {text}", voice.width, subsequent_indent="  "))
