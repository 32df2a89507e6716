"""Commands that change the game."""

from __future__ import annotations

from engine.tabletop.focus import NOTHING
from tui.linemode.line_session import Party


def do(party: Party, rest: str) -> None:
    """List what can be wanted here, or do one of it."""
    if rest:
        word, _, given = rest.partition(" ")
        intent = party.intent_named(word)
        if intent is None:
            party.voice.say(f"There is no {word[:30]!r} here. do lists what there is.")
        else:
            party.want(intent, given.strip())
        return
    intents = party.chair.intents()
    for number, intent in enumerate(intents, 1):
        reason = f" - not now: {intent.reason}" if intent.reason else ""
        label = intent.label.rstrip(". \u2026")
        party.voice.say(f"{number}. {label} ({intent.name}){reason}")
    if intents:
        party.voice.say("do and a number or a name does it.")
    else:
        party.voice.say("Nothing can be wanted here.")


def press(party: Party, rest: str) -> None:
    """Press the button. ``rest``: answers to what it asks first."""
    chair = party.chair
    before, known = chair.focus, chair.acted
    allowed = chair.press()
    note = chair.note
    if note:
        party.voice.say(note)
    if chair.opened:
        party.open_dialogue(rest)
        return
    party.go_on()
    if chair is not party.chair or not allowed or chair.acted != known:
        return
    if chair.focus.held != NOTHING and before.held == NOTHING:
        party.voice.say("You hold it. Directions and press act with it; release lets it go.")
    elif before.held != NOTHING and chair.focus.held == NOTHING:
        party.voice.say("You hold nothing.")
    elif not note:
        party.voice.say("There is nothing to press here.")


def release(party: Party, _rest: str) -> None:
    """Hold nothing."""
    held = party.chair.focus.held != NOTHING
    party.chair.let_go()
    party.voice.say("You hold nothing." if held else "You held nothing.")


def undo(party: Party, _rest: str) -> None:
    """Take back the last command."""
    party.submit("undo")


def send(party: Party, rest: str) -> None:
    """Give a line of notation as it is."""
    if rest:
        party.submit(rest)
    else:
        party.voice.say("Type send and a line; help notation lists the lines.")
