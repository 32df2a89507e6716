"""Words of line mode: what can be typed in a game, its effect, and its help."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from engine.core.notation import usage
from engine.tabletop.board import condensed
from engine.tabletop.english import many
from engine.tabletop.focus import NOTHING, Focus
from engine.tabletop.new_game import level_name
from tui.linemode import looking, rule_book
from tui.linemode.asking import ASIDE, LIST
from tui.linemode.line_session import LEAVE, Left, LineSession
from tui.linemode.voice import Voice
from tui.play.report_words import history_lines, spoken
from tui.play.seats import find_seat, with_sides
from tui.replay.luck import ledger
from tui.replay.luck import lines as luck_lines

# -- words that change the game --------------------------------------------------------------------


def do(session: LineSession, rest: str) -> None:
    """List the possible intents, or begin the named one; a number answers the open question."""
    asked = session.open_question()
    if rest[:1].isdecimal() and asked is not None:
        session.answer_open(rest)
        return
    if rest:
        word, _, given = rest.partition(" ")
        intent = session.intent_named(word)
        if intent is None:
            usual = f"{word[:30]!r} is not possible here. do lists what is."
            session.voice.say(_why_not(session, word) or usual)
        else:
            session.want(intent, given.strip())
        return
    intents = session.client.intents()
    for number, intent in enumerate(intents, 1):
        reason = f" - not now: {intent.reason}" if intent.reason else ""
        label = intent.label.rstrip(". \u2026")
        mark = f"{number}. " if asked is None else ""
        session.voice.say(f"{mark}{label} ({intent.name}){reason}")
    session.is_listed = asked is None
    if asked is not None:
        session.voice.say("do and a name does it; a number answers the question (list).")
    elif intents:
        session.voice.say("do and a number or a name does it.")
    else:
        session.voice.say("Nothing to do here.")


def _why_not(session: LineSession, word: str) -> str:
    """Return why the key of an intent does nothing here; empty for other words."""
    client = session.client
    return client.presenter.why_not(client.view, client.focus, word) if len(word) == 1 else ""


def press(session: LineSession, rest: str) -> None:
    """Press the button; ``rest`` are answers to its questions, typed in advance."""
    client = session.client
    before, known = client.focus, client.acted
    allowed = client.press()
    note = client.note
    if note:
        session.say_note()
    if client.opened:
        session.open_dialogue(rest)
        return
    session.go_on()
    if client is session.client and not allowed and before.held != NOTHING == client.focus.held:
        session.voice.say("You hold nothing.")
    if client is not session.client or not allowed or client.acted != known:
        return
    if client.focus.held != NOTHING and before.held == NOTHING:
        session.voice.say("You hold it. Directions and press act with it; release lets it go.")
    elif before.held != NOTHING and client.focus.held == NOTHING:
        session.voice.say("You hold nothing.")
    elif not note:
        session.voice.say("Nothing to press here.")


def release(session: LineSession, _rest: str) -> None:
    """Drop the held piece."""
    held = session.client.focus.held != NOTHING
    session.client.let_go()
    session.voice.say("You hold nothing." if held else "You held nothing.")


def undo(session: LineSession, _rest: str) -> None:
    """Undo the last command."""
    session.submit("undo")


def send(session: LineSession, rest: str) -> None:
    """Submit ``rest`` as a line of notation."""
    if rest:
        session.submit(rest)
    else:
        session.voice.say("Type send and a line; help notation lists the lines.")


# -- words that tell of the game -------------------------------------------------------------------


_LAST: Final = 10
_MOST: Final = 40
"""Maximum lines of the log that one search shows."""
_PIECES: Final = 20
"""Maximum number of pieces whose intents are searched for a word."""


def status(session: LineSession, _rest: str) -> None:
    """Print the status of the game and who plays."""
    client = session.client
    summary = client.presenter.summary(client.view)
    session.voice.tell(summary)
    text = client.status.text
    if not any(text in line.text for line in summary):
        session.voice.say(f"{text.rstrip('.')}.")
    if client.todo:
        session.voice.say(client.todo.strip())
    session.voice.tell(client.presenter.marches(client.view))
    session.say_question(again=True)
    seats(session, "")
    session.say_times()


def seats(session: LineSession, rest: str) -> None:
    """Print who plays each seat; with a name, switch to that person if they must act too."""
    owing = session.table.owes
    if rest:
        found = find_seat(session.client.names, rest)
        if found not in session.clients:
            session.voice.say("No person of that name sits here.")
        elif found == session.client.viewer:
            session.voice.say("That is you.")
        elif found not in owing:
            session.voice.say("That person has nothing to do now.")
        else:
            session.take_seat(found)
            session.go_on()
        return
    players = session.table.players
    for player, name in zip(players, _full_names(session), strict=True):
        who = f"computer, {level_name(player.bot)}" if player.bot else "person"
        you = ", you" if player.seat == session.client.viewer else ""
        due = ", to act" if player.seat in owing else ""
        session.voice.say(f"{name}: {who}{you}{due}.")


def log(session: LineSession, rest: str) -> None:
    """Print the last lines of the log, or those that contain ``rest``."""
    lines = condensed(session.client.lines, details=True)
    if rest.isdecimal() or not rest:
        lines = lines[-min(int(rest[:4] or 0) or _LAST, 1000) :]
    else:
        lines = [line for line in lines if rest.casefold() in line.text.casefold()][-_MOST:]
    if not lines:
        session.voice.say("There is none.")
    session.voice.tell(lines)


def again(session: LineSession, _rest: str) -> None:
    """Print everything since this person last let others act, small events included."""
    client = session.client
    lines = condensed(client.lines[client.left :], details=True)
    if not lines:
        session.voice.say("Nothing has happened since your last turn.")
    session.voice.tell(lines)


def luck(session: LineSession, _rest: str) -> None:
    """Print the results of chance next to their expected values."""
    client = session.client
    for line in luck_lines(ledger(client.facts()), _full_names(session)):
        if line.text:
            session.voice.say(line.text)


def _full_names(session: LineSession) -> list[str]:
    client = session.client
    return with_sides(client.names, client.presenter, client.view)


def reports(session: LineSession, rest: str) -> None:
    """List the reports, or print the named one; ``history`` prints the statistics of each round."""
    client, wanted = session.client, rest.casefold()
    found = {report.name: report for report in client.presenter.reports(client.view)}
    if wanted and "history".startswith(wanted):
        session.voice.tell(history_lines(client.history(), _full_names(session)))
        return
    name = next((name for name in found if wanted and name.startswith(wanted)), "")
    if name:
        session.voice.say(f"{found[name].title}: {many(len(found[name].rows), 'row')}.")
        session.voice.tell(line for line in spoken(found[name]) if line.text)
        return
    if rest:
        session.voice.say(f"There is no report {rest[:30]!r}.")
    for report in found.values():
        session.voice.say(f"reports {report.name}: {len(report.rows)}")
    session.voice.say("reports history: how the numbers went, by rounds")


def save(session: LineSession, _rest: str) -> None:
    """Print the name of the save."""
    if session.name:
        session.voice.say(f"Every command is saved at once. This game is called {session.name!r}.")
    else:
        session.voice.say("This game is not saved.")


# -- the table of words ----------------------------------------------------------------------------


class Word(NamedTuple):
    """Word of line mode: its usage, its help line, and its function."""

    name: str
    usage: str
    text: str
    run: Callable[[LineSession, str], None]

    def carry_out(self, session: LineSession, rest: str) -> None:
        """Execute the word with what follows it, or refuse what it has no use for."""
        if rest and self.usage == self.name:
            session.voice.say(f"Type {self.name} alone: {rest[:30]!r} means nothing after it.")
        else:
            self.run(session, rest)


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
    Word("do", "do [number or name] [answers]", "what you can do here", do),
    Word("press", "press [answers]", "the fire button: take up, put down, strike", press),
    Word("release", "release", "let go of what you hold", release),
    Word("targets", "targets", "targets of the piece you hold", looking.targets),
    Word("undo", "undo", "take back your last command", undo),
    Word("send", "send LINE", "a command in notation; see help notation", send),
    Word("status", "status", "how the game stands", status),
    Word("reports", "reports [NAME]", "tables of what you own and know", reports),
    Word("seat", "seat [NAME]", "who plays; act as another person", seats),
    Word("log", "log [number or text]", "what happened, the last lines or those found", log),
    Word("again", "again", "all that has happened since you ended your last turn", again),
    Word("why", "why [RULE]", "the rule behind what was said last", rule_book.why),
    Word("rules", "rules [chapter]", "the rule book", rule_book.book),
    Word("luck", "luck", "what chance gave and what was to be expected", luck),
    Word("save", "save", "where the game is kept", save),
)

OUTSIDE: Final = (
    ("help", "help [WORD]", "this list, or more about a word"),
    ("games", "games", "saved games"),
    ("load", "load NAME or number", "go on with a saved game"),
    ("new", "new [RULESET] [SCENARIO]", "begin a game"),
    ("quit", "quit", "leave; everything is saved"),
)
"""Words that need no game: name, usage, help line."""

_MORE: Final = {
    "go": "A direction alone moves the cursor too: north 3, 2 e, ne. All eight are known, and their"
    " short forms n ne e se s sw w nw.",
    "do": "Answers can be typed at once: do 1 8,5 or attack 15,6 yes. Semicolons part answers that"
    " have blanks. A name works without do. A blank answer cancels; list repeats what can be"
    " answered, and words that only tell something, such as look, why and help, work too.",
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


_WAITING: Final = {word.name for word in WORDS} - ASIDE


def aside(session: LineSession, line: str) -> bool | None:
    """Execute a line that only gives information, while a question is open; return True.

    Return False if its first word must wait for the answer, None if the word is unknown.

    Raises:
        Left: the person leaves.
    """
    word, _, rest = line.partition(" ")
    word = word.casefold()
    if word in LEAVE:
        raise Left
    if word == "help":
        help_for(session.voice, session, rest.strip())
    elif word in ASIDE:
        next(known for known in WORDS if known.name == word).carry_out(session, rest.strip())
    elif word in _WAITING or (word.isalpha() and session.intent_named(word) is not None):
        session.voice.say("First answer the question, or cancel it with a blank line.")
        return False
    else:
        return None
    return True


def run(session: LineSession, line: str) -> None:
    """Execute a line typed in a game, or print that it is not understood.

    While a fault holds up the computer players, a line lets them try again and is not executed;
    only lines that ask for information are.
    """
    listed, session.is_listed = session.is_listed, False
    if session.is_held_up and line.split(maxsplit=1)[0].casefold() not in ASIDE - {"help"}:
        session.go_on()
        return
    if line.casefold() in LIST and session.open_question() is not None:
        session.say_question(again=True)
        return
    if listed and line.isdecimal():
        do(session, line)
    elif not _understood(session, line):
        word = line.split(maxsplit=1)[0][:30]
        asked = session.open_question()
        usual = f"{word!r} is nothing you can do here. Type help, or do."
        if asked is not None:
            usual = f"{word!r} is nothing you can do now. First answer (list): {asked.asked.title}"
        session.voice.say(_why_not(session, word) or usual)


def _understood(session: LineSession, line: str) -> bool:
    if line.startswith("{") or ("=" in line and line.split("=", 1)[0].strip().count(" ") == 1):
        session.submit(line)
        return True
    word, _, rest = line.partition(" ")
    for known in WORDS:
        if known.name == word.casefold():
            known.carry_out(session, rest.strip())
            return True
    if looking.walk(session, line):
        return True
    intent = session.intent_named(word) if not word.isdecimal() else None
    if intent is not None:
        session.want(intent, rest.strip())
        return True
    return session.answer_open(line)


def help_for(
    voice: Voice,
    session: LineSession | None,
    rest: str,
    outside: Sequence[tuple[str, str, str]] = OUTSIDE,
) -> None:
    """Print what can be typed, or more about the word ``rest``.

    ``outside`` are words in addition to those of a game.
    """
    if rest == "notation":
        _notation(voice, session)
    elif not rest:
        voice.say(" ".join(_FIRST.split()))
        listed = [(word.usage, word.text) for word in WORDS] if session is not None else []
        for written, text in [*listed, *((row[1], row[2]) for row in outside)]:
            _entry(voice, written, text)
        voice.say("help and a word tells more; help notation lists commands of this game.")
    else:
        _about(voice, session, rest, outside)


def _notation(voice: Voice, session: LineSession | None) -> None:
    if session is None:
        voice.say("No game is open.")
        return
    voice.say("Lines of this game; send gives one as it is:")
    for line in usage(session.rules.command_type):
        voice.say(line)


def _about(
    voice: Voice, session: LineSession | None, rest: str, outside: Sequence[tuple[str, str, str]]
) -> None:
    rows = [*((word.name, word.usage, word.text) for word in WORDS), *outside]
    found = [row for row in rows if row[0] == rest.casefold()]
    for name, written, text in found:
        _entry(voice, written, text)
        if name in _MORE:
            voice.say(_MORE[name])
    if found:
        return
    if session is None or not _explain_intent(session, rest):
        voice.say(f"There is no word {rest[:30]!r}. help lists them.")


def _explain_intent(session: LineSession, word: str) -> bool:
    """Describe the named intent by its own words; return False if no piece here has one."""
    client, voice = session.client, session.voice
    intent, at = session.intent_named(word), client.at
    cells = iter(client.presenter.jumps(client.view, client.focus, "idle")[:_PIECES])
    while intent is None and (cell := next(cells, None)) is not None:
        at = cell
        intent = session.intent_named(word, Focus(*at))
    if intent is None or word.isdecimal():
        return False
    _entry(voice, intent.name, intent.label.rstrip(". \u2026"))
    if intent.reason:
        voice.say(f"Not now: {intent.reason}")
    if at != client.at:
        voice.say(f"It can be typed at {client.words_for(at)}, for instance.")
    elif not intent.reason and (title := session.first_title(intent)):
        voice.say(f"It asks: {title}")
    return True


def _entry(voice: Voice, written: str, text: str) -> None:
    voice.rows(textwrap.wrap(f"{written}: {text}", voice.width, subsequent_indent="  "))
