"""Questions of a dialogue as lines: how each is asked, and how a typed answer is parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, assert_never

from engine.core.record import replace
from engine.kit.grid import Place
from engine.tabletop.ask import (
    AnyAsk,
    AskAmount,
    AskConfirm,
    AskOne,
    AskOrder,
    AskPath,
    AskPlace,
    AskSome,
    AskText,
    Choice,
)
from engine.tabletop.board import NOWHERE, Find
from engine.tabletop.english import many
from engine.tabletop.focus import Focus
from tui.linemode.line_seat import LineSeat
from tui.linemode.voice import Voice
from tui.play.picking import can_be_chosen
from tui.play.place_names import SeveralPlaces, place_named
from tui.play.seat_client import AskDriver
from tui.play.speech import apart, distance, place_of, steps_of

TypedAnswer = str

_MANY: Final = 12
"""Maximum number of cells that are listed without a request."""

_MOST: Final = 60
"""Maximum number of cells that are listed at all, the nearest first."""

LIST: Final = ("list", "?")
"""Words that repeat a question with its possible answers."""
ASIDE: Final = frozenset(
    {
        *("look", "where", "map", "near", "units", "places", "find", "danger", "layer", "route"),
        *("targets", "status", "reports", "log", "again", "why", "rules", "luck", "save", "help"),
    }
)
"""Words that only give information; they can be typed while a question is open."""

YES_NO: Final = ("yes", "no")
YES: Final = ("yes", "y")
NO: Final = ("no", "n", "cancel")


def introduce(voice: Voice, client: LineSeat, asked: AnyAsk) -> None:
    """Print a question and how to answer it."""
    voice.say(asked.title)
    match asked:
        case AskPlace():
            _list_cells(voice, client, asked, every=len(asked.cells) <= _MANY)
        case AskPath():
            voice.say(
                f"Up to {asked.longest} steps from {cell_words(asked.start)}, such as"
                " '2 east 1 north', or the cells as x,y>x,y."
            )
        case AskOne():
            voice.tell(asked.lines)
            _list_choices(voice, asked.choices)
            voice.say("Type a number.")
        case AskSome():
            voice.tell(asked.lines)
            _list_choices(voice, asked.choices)
            voice.say(f"Type {_numbers(asked)}.")
        case AskOrder():
            _list_choices(voice, asked.choices)
            voice.say("Type the numbers in your order; those you leave out follow.")
        case AskAmount():
            voice.say(f"Type a number from {asked.least} to {asked.most}; ok means {asked.preset}.")
        case AskText():
            usual = f" A full stop alone means: {asked.preset}" if asked.preset else ""
            voice.say(f"Type up to {asked.longest} characters.{usual}")
        case AskConfirm():
            voice.tell(asked.lines)
            voice.say(f"Type yes or no.{_meaning(asked)}")
        case _:
            assert_never(asked)


def _numbers(asked: AskOne | AskSome | AskOrder) -> str:
    """Return in words how many numbers to type."""
    if not isinstance(asked, AskSome):
        return "a number" if isinstance(asked, AskOne) else "the numbers"
    if asked.least == asked.most:
        return many(asked.most, "number")
    return f"from {asked.least} to {asked.most} numbers"


def _meaning(asked: AskConfirm) -> str:
    """Return the meaning of yes and no if they have other names."""
    return "" if (asked.yes, asked.no) == YES_NO else f" Yes: {asked.yes}. No: {asked.no}."


def wants_list(voice: Voice, client: LineSeat, asked: AnyAsk, said: str) -> bool:
    """Return whether an answer only asks for the list of possible answers; if so, say it."""
    if said.casefold() not in LIST or isinstance(asked, AskText):
        return False
    if isinstance(asked, AskPlace):
        _list_cells(voice, client, asked, every=True)
    else:
        introduce(voice, client, asked)
    return True


def is_aside(asked: AnyAsk, said: str) -> bool:
    """Return whether a line asks for information: its first word is in ``ASIDE``, and no choice."""
    if not isinstance(asked, AskOne | AskSome | AskOrder):
        return False
    exact = {text.casefold() for one in asked.choices for text in (one.value, one.label)}
    return said.split(maxsplit=1)[0].casefold() in ASIDE and said.casefold() not in exact


def refuse_given(voice: Voice, asked: AnyAsk, fault: str, intent: str) -> None:
    """Print why an answer typed in advance does not fit, and how to list the answers that do."""
    if isinstance(asked, AskOne | AskSome | AskOrder):
        voice.say(fault)
        _list_choices(voice, asked.choices)
        voice.say(f"Type {intent} and {_numbers(asked)}.")
    elif isinstance(asked, AskPlace):
        voice.say(fault.replace("Type list", f"Type {intent} alone, then list,"))
    else:
        voice.say(fault)


def understood(client: LineSeat, asking: AskDriver, asked: AnyAsk, said: str) -> TypedAnswer:
    """Parse a typed line as an answer to a question.

    Raises:
        ValueError: it is no answer; the text says why.
    """
    match asked:
        case AskPlace():
            return _place(client, asking, asked, said)
        case AskPath():
            return _path(client, asked, said)
        case AskOne() | AskSome() | AskOrder():
            return _picked(asked, said)
        case AskAmount():
            return _amount(asked, said)
        case AskText():
            return _text(asked, said)
        case AskConfirm():
            return _confirmed(said)
        case _:
            assert_never(asked)


def taken(asked: AnyAsk, given: str) -> tuple[str, str]:
    """Return the first answer of a text typed in advance, and the rest of the text.

    Semicolons separate answers. Without them a choice, a number or a confirmation is one word; any
    other answer is the whole text, except for a "yes" at its end.
    """
    if ";" in given:
        said, _, rest = given.partition(";")
    elif isinstance(asked, AskOne | AskAmount | AskConfirm):
        said, _, rest = given.partition(" ")
    elif given.casefold().endswith(" yes"):
        said, rest = given[:-4], "yes"
    else:
        said, rest = given, ""
    return said.strip(), rest.strip()


def beyond_subject(asked: AnyAsk, given: str) -> str:
    """Return a text typed in advance without the words that name what is to be confirmed."""
    if not isinstance(asked, AskConfirm) or given.casefold() in {*YES, *NO}:
        return given
    head, _, rest = given.rpartition(";" if ";" in given else " ")
    for named, left in ((given, ""), (head, rest)):
        if named.strip() and re.search(
            rf"(?<!\w){re.escape(named.strip())}(?!\w)", asked.title, re.IGNORECASE
        ):
            return left.strip()
    return given


def sorted_cells(client: LineSeat, asked: AskPlace) -> list[Place]:
    """Return the cells of a question as they are numbered: the nearest first."""

    def far(cell: Place) -> tuple[int, Place]:
        return distance(*apart(client.board, client.at, cell)), cell[::-1]

    return sorted(asked.cells, key=far)


def _list_cells(voice: Voice, client: LineSeat, asked: AskPlace, *, every: bool) -> None:
    if not every:
        count = len(asked.cells)
        kind, how = "cells", "x,y, or a way such as '3 east 1 north'"
        if client.has_areas:
            kind, how = "places", "a name"
        voice.say(
            f"{count} {kind} can be chosen. Type {how};"
            f" list names {'them all' if count <= _MOST else f'the nearest {_MOST}'}."
        )
        return
    labels = dict(zip(asked.cells, asked.labels, strict=False))
    hints = dict(zip(asked.cells, asked.hints, strict=False))
    names = client.names_by_cell()
    cells = sorted_cells(client, asked)
    for number, cell in enumerate(cells[:_MOST], 1):
        where, spot = client.way_to(cell), client.words_for(cell)
        if hints.get(cell):
            spot = "" if client.has_areas or spot in hints[cell] else f"{spot}, "
            voice.say(f"{number}. {hints[cell]}: {spot}{where}")
            continue
        label = f": {labels[cell]}" if labels.get(cell, "").strip() else ""
        name = f"{names[cell]} at " if cell in names and not client.has_areas else ""
        voice.say(f"{number}. {name}{spot}, {where}{label}")
    if len(cells) > _MOST:
        voice.say(f"And {len(cells) - _MOST} farther {'places' if client.has_areas else 'cells'}.")
    noted = " What stands last is a price, or a chance in percent (X: certain)."
    noted = noted if any(labels.values()) and not hints else ""
    how = "or a name" if client.has_areas else "x,y, or a way such as '3 east 1 north'"
    voice.say(f"Type a number{'' if client.has_areas else ','} {how}.{noted}")


def _list_choices(voice: Voice, choices: Sequence[Choice]) -> None:
    for number, choice in enumerate(choices, 1):
        reason = f" - not now: {choice.reason}" if choice.reason else ""
        voice.say(f"{number}. {choice.label}{reason}")


def _place(client: LineSeat, asking: AskDriver, asked: AskPlace, said: str) -> TypedAnswer:
    cells = sorted_cells(client, asked)
    if said.isdecimal():
        if not 1 <= _number(said) <= len(cells):
            raise ValueError(f"Type a number from 1 to {len(cells)}.")
        return cell_words(cells[_number(said) - 1])
    cell = place_of(said, client.at)
    if cell is None:
        cell = _named(client, cells, said)
    if not can_be_chosen(asked, cell, asking.why_not_at):
        raise ValueError(_why_not(client, asking, cell))
    return cell_words(cell)


def _why_not(client: LineSeat, asking: AskDriver, cell: Place) -> str:
    """Return why a cell cannot be chosen, and where to read those that can."""
    x, y = cell
    if not (0 <= x < client.board.width and 0 <= y < client.board.height):
        return f"{cell_words(cell)} is not on the board."
    reason = asking.why_not_at(cell)
    spot = client.words_for(cell)
    text = f"{spot}: {reason}" if reason else f"{spot} cannot be chosen."
    return f"{text} Type list for those that can."


def _named(client: LineSeat, cells: Sequence[Place], said: str) -> Place:
    """Find the cell of a name: that of the thing, else the first cell of its place.

    Raises:
        ValueError: the name fits several things, nothing, or only what cannot be chosen.
    """
    board, among = client.board.place, set(cells)
    by_place = {int(board[y, x]): (x, y) for x, y in reversed(cells)}
    by_place.pop(NOWHERE, None)

    def cell_of(find: Find) -> Place:
        x, y = find.at
        return find.at if find.at in among else by_place.get(int(board[y, x]), find.at)

    finds = [replace(one, at=cell_of(one)) for one in client.presenter.finds(client.view)]
    reached = [one for one in finds if one.at in among]
    try:
        try:
            found = place_named(finds, said, client.board, anywhere=True)
        except SeveralPlaces:
            found = place_named(reached, said, client.board, anywhere=True)
            if found is None:
                raise
    except SeveralPlaces as several:
        raise ValueError(f"{several}. Type more of it, x,y, or list.") from None
    if found is None:
        raise ValueError(f"No place called {said[:40]!r} is known. Type x,y, or list.")
    return found


def _path(client: LineSeat, asked: AskPath, said: str) -> TypedAnswer:
    cells: list[Place] = []
    if re.fullmatch(r"[\d\s,>]+", said):
        for part in said.split(">"):
            cell = place_of(part, asked.start)
            if cell is None:
                raise ValueError(f"{part.strip()[:20]!r} is no place x,y.")
            cells.append(cell)
    else:
        steps = steps_of(said)
        if steps is None:
            raise ValueError("Type directions such as '2 east 1 north', or x,y>x,y.")
        at = Focus(*asked.start)
        for way in steps:
            at = client.presenter.step(client.view, at, way).focus
            cells.append((at.x, at.y))
    if len(cells) > asked.longest:
        raise ValueError(f"The way has {len(cells)} steps; it may have at most {asked.longest}.")
    return ">".join(cell_words(cell) for cell in cells)


def _chosen(choices: Sequence[Choice], word: str) -> Choice:
    """Return the choice that a word names: by its number, its value, or the start of its label.

    A typed number is only ever the number in the list; values may be other numbers.
    """
    if word.isdecimal():
        number = _number(word)
        if not 1 <= number <= len(choices):
            raise ValueError(_none_of(choices, word))
        return _possible(choices[number - 1])
    named = [one for one in choices if one.value.casefold() == word.casefold()]
    begun = [one for one in choices if one.label.casefold().startswith(word.casefold())]
    begun = begun or [one for one in choices if f" {word}".casefold() in one.label.casefold()]
    if not named and len(begun) != 1:
        raise ValueError(_none_of(choices, word))
    return _possible((named or begun)[0])


def _none_of(choices: Sequence[Choice], word: str) -> str:
    return f"{word[:30]!r} is none of them; type a number from 1 to {len(choices)}."


def _possible(choice: Choice) -> Choice:
    """Return a choice.

    Raises:
        ValueError: it is not possible now.
    """
    if choice.reason:
        raise ValueError(f"Not now: {choice.reason}")
    return choice


def _several(choices: Sequence[Choice], said: str) -> list[Choice]:
    words = re.split(r"[\s,>]+", said)
    found = [_chosen(choices, word) for word in words if word]
    if len(set(found)) != len(found):
        raise ValueError("One of them stands twice.")
    return found


def _picked(asked: AskOne | AskSome | AskOrder, said: str) -> TypedAnswer:
    if isinstance(asked, AskOne):
        return _chosen(asked.choices, said).value
    found = _several(asked.choices, said)
    if isinstance(asked, AskOrder):
        found += [choice for choice in asked.choices if choice not in found]
    elif not asked.least <= len(found) <= asked.most:
        raise ValueError(_wrong_number(len(found), asked.least, asked.most))
    return ">".join(choice.value for choice in found)


def _wrong_number(chosen: int, least: int, most: int) -> str:
    wanted = str(least) if least == most else f"from {least} to {most}"
    return f"You chose {chosen}; choose {wanted}."


def _text(asked: AskText, said: str) -> TypedAnswer:
    text = asked.preset if said == "." and asked.preset else said
    if len(text) > asked.longest:
        raise ValueError(f"That is longer than {asked.longest} characters.")
    return text


def _amount(asked: AskAmount, said: str) -> TypedAnswer:
    if said.casefold() == "ok":
        return str(asked.preset)
    sign, digits = (-1, said[1:]) if said.startswith("-") else (1, said)
    if not digits.isdecimal():
        raise ValueError(f"{said[:20]!r} is no whole number.")
    number = sign * _number(digits)
    if not asked.least <= number <= asked.most:
        raise ValueError(f"It must be from {asked.least} to {asked.most}.")
    return str(number)


def _confirmed(said: str) -> TypedAnswer:
    if said.casefold() in YES:
        return "yes"
    if said.casefold() in NO:
        return ""
    raise ValueError("Type yes or no.")


def _number(digits: str) -> int:
    """Return the number of a string of digits; very long ones give a large number."""
    return int(digits[:9]) if len(digits) <= 9 else 10**9


def cell_words(cell: Place) -> str:
    """Return a cell as it is typed: ``x,y``."""
    return f"{cell[0]},{cell[1]}"
