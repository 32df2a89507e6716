"""Causes in plain words: the throws, facts and rule that decided a change.

Field names never appear: fields are called by their meaning to a player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.core.containers import Plane, Roster
from engine.core.record import Record, tag
from engine.core.ruleset import FieldMeaning
from engine.debug.causes import CauseSearch, Denial, PremiseCause, ThrowCause, same
from engine.debug.paths import MISSING, value
from engine.debug.premises import GONE
from engine.debug.tracing import event_trace
from engine.tabletop.board import Line
from engine.tabletop.english import capital, joined
from engine.tabletop.roles import Tone
from study.debug.moment_changes import AskedChange, MomentInWords, cell_of
from study.debug.why import ranges
from tui.play.seats import seat_name

_GROUPS: Final = 4
"""Maximum outcomes of a throw that are listed; the others are summarised."""

_FACTS: Final = 6
"""Maximum number of facts."""

_MEANINGS: Final[Mapping[FieldMeaning, str]] = {
    "place": "where it stood",
    "strength": "how strong it was",
    "wounds": "how strong it was",
    "owner": "whose it was",
    "kind": "what it was",
    "left": "what it could still do",
    "wealth": "what it had",
}
"""Meanings of fields of pieces to a player."""

_STATE: Final = "what state it was in"
"""Meaning of a field that has no meaning of its own."""


class ChangeCauses(Record, frozen=True):
    """Causes of a change: lines, cells of the pieces involved, and the rule behind it."""

    lines: tuple[Line, ...]
    cells: tuple[tuple[int, int], ...]
    rule: str = ""


class CausesInWords:
    """The causes of one change of a moment."""

    def __init__(self, moment: MomentInWords, change: AskedChange) -> None:
        """Prepare the search; nothing is tried yet."""
        self._moment, self._change = moment, change
        at = max(change.step, moment.at)
        self._search = CauseSearch(moment.line, change.followed, change.step, at)

    def reasons(self, stop: Callable[[], bool]) -> ChangeCauses:
        """Return the causes found before ``stop``, which is called now and then, returns True."""
        change = self._change
        lines = [Line(change.said or change.label, Tone.STRONG), Line(self._command())]
        lines += [Line(""), *self._throws(stop)]
        facts, cells = self._facts(stop)
        lines += [Line(""), *facts]
        rule = change.rule or self._traced()
        if text := self._rule_text(rule):
            lines += [Line(""), Line("The rule", Tone.TITLE), Line(f"{text} ({rule})")]
        return ChangeCauses(tuple(lines), tuple(dict.fromkeys([*change.cells, *cells])), rule)

    def _command(self) -> str:
        moment, change = self._moment, self._change
        if moment.rules.traits.simultaneous:
            return "It came when the orders of all were carried out."
        assert moment.entry.command is not None  # noqa: S101 - nothing is asked of the set-up
        words = tag(moment.entry.command).replace("-", " ")
        who = seat_name(moment.seats, moment.entry.seat) or "the house"
        text = f"It came from a command of {who}: {words}"
        if len(change.cells) > 1:
            (x, y), (from_x, from_y) = change.cells[:2]
            return f"{text}, from {from_x},{from_y} to {x},{y}."
        return f"{text}."

    def _throws(self, stop: Callable[[], bool]) -> Iterator[Line]:
        count = len(self._search.throws)
        yield Line("The dice", Tone.TITLE)
        if not count:
            yield Line("None were thrown for this.")
            return
        found: dict[tuple[int, str], list[ThrowCause]] = {}
        for cause in self._search.throw_causes():
            if stop():
                return
            if text := _thresholds(self._change, cause, self._search.answer):
                found.setdefault((cause.sides, text), []).append(cause)
        for (sides, text), causes in found.items():
            yield Line(f"{_which(causes, count, sides)} {text}")
        if not found and count == 1:
            yield Line("Every face of the throw would have done the same.")
        elif not found:
            yield Line(f"Of {count} throws none alone would have changed it.")
        elif sum(map(len, found.values())) < count:
            yield Line("None of the other throws alone would have changed it.")
        if self._search.sampled_throws:
            yield Line("Not every face of the dice was tried.", Tone.QUIET)

    def _facts(self, stop: Callable[[], bool]) -> tuple[list[Line], list[tuple[int, int]]]:
        """Return the facts that mattered, and the cells of their pieces."""
        mattered: dict[str, dict[str, str]] = {}
        needed: dict[str, None] = {}
        cells = []
        for cause in self._search.premise_causes():
            if stop():
                break
            name, meaning = self._fact(cause)
            outs = [_outcome(self._change, self._search.answer, out) for _, out in cause.outcomes]
            words = [word for word in outs if word and word != _REFUSED]
            if words:
                mattered.setdefault(name, {}).setdefault(meaning, words[0])
            elif _REFUSED in outs:
                needed[name] = None
            if any(outs) and (cell := cell_of(value(self._search.before, cause.path[:2]))):
                cells.append(cell)
        return _listed(mattered, [name for name in needed if name not in mattered]), cells

    def _fact(self, cause: PremiseCause) -> tuple[str, str]:
        """Return the subject of a premise and its aspect, in a player's words."""
        path, state = cause.path, self._moment.line.state(0)
        meanings = self._moment.rules.field_meanings
        top = value(state, path[:1])
        if isinstance(top, Plane):
            x, y = path[1] if len(path) > 1 and isinstance(path[1], tuple) else (0, 0)
            return f"the ground at {x},{y}", "what it was"
        if not isinstance(top, Roster) or len(path) < 2:
            if meanings.get(str(path[0])) == "turn":
                return "whose turn it was, and which part of it", ""
            return ("an option" if path[0] == "options" else "how the game stood"), ""
        is_own = path[:2] == self._change.row
        known = "" if is_own else self._moment.named(path, value(state, path[:2]))
        name = self._change.name if is_own else known or "another piece"
        if any(other is GONE for other, _ in cause.outcomes) and len(path) == 2:
            return name, "that it was there"
        field = str(path[-1]) if isinstance(path[-1], str) else str(path[2])
        meaning = meanings.get(field)
        return name, _MEANINGS.get(meaning, _STATE) if meaning is not None else _STATE

    def _traced(self) -> str:
        trace = event_trace(self._moment.line, self._change.step)
        return trace.rules[0] if trace is not None and trace.rules else ""

    def _rule_text(self, rule: str) -> str:
        rules = (one for chapter in self._moment.presenter.manual for one in chapter.rules)
        return next((one.text for one in rules if one.id == rule), "")


def _listed(mattered: dict[str, dict[str, str]], needed: Sequence[str]) -> list[Line]:
    """Return facts by subject; those that only made the command possible come last."""
    lines = [Line("What mattered", Tone.TITLE)]
    for name, meanings in list(mattered.items())[:_FACTS]:
        lines.append(Line(f"- {capital(name)}{_meanings(meanings)}"))
    if not mattered:
        lines.append(Line("Nothing else that could be tried alone would have changed it."))
    if needed:
        lines.append(Line(f"The command was allowed because of: {'; '.join(needed[:_FACTS])}."))
    return lines


# -- words -----------------------------------------------------------------------------------------

_REFUSED: Final = "the command would not have been allowed"


def _is_lost(out: Any) -> bool:
    return out is MISSING or not getattr(out, "alive", True)


def _outcome(change: AskedChange, answer: Any, out: Any) -> str:
    """Return the result of another course in words; empty if it is the same to a player."""
    if same(out, answer):
        return ""
    if isinstance(out, Denial):
        return _REFUSED
    name, as_before = change.name, bool(out == change.before)
    found = _OTHERWISE
    match change.kind:
        case "end":
            found = "the game would have gone on" if out is None else found
        case "lost" if _is_lost(answer) or as_before:
            found = "" if _is_lost(out) else f"{name} would have lived"
        case "taken" if as_before:
            found = f"{name} would not have changed hands"
        case "hurt" if as_before:
            found = f"{name} would not have been hurt"
        case "hurt":
            found = _hurt_otherwise(change, out)
        case "number":
            found = f"it would have been {out}"
        case "other" if as_before:
            found = "it would have stayed as it was"
        case _:
            pass
    return found


def _hurt_otherwise(change: AskedChange, out: Any) -> str:
    """Return the other number of a piece's remaining strength, or of its losses, in words."""
    if out is MISSING or (type(out) is int and out <= 0 < change.before):
        return f"{change.name} would have been lost"
    return f"{out} would have been {'left' if out < change.before else 'lost'}"


_OTHERWISE: Final = "it would have come out otherwise"


def _which(causes: Sequence[ThrowCause], count: int, sides: int) -> str:
    """Return the throws that mattered equally, and their faces."""
    if count == 1:
        return f"The throw, a die of {sides}, fell {causes[0].face}."
    if len(causes) == 1:
        return f"Throw {causes[0].number} of {count}, a die of {sides}, fell {causes[0].face}."
    numbers = joined([str(cause.number) for cause in causes])
    faces = ", ".join(str(cause.face) for cause in causes)
    return f"Throws {numbers} of {count}, dice of {sides}, fell {faces}. Each of them:"


def _thresholds(change: AskedChange, cause: ThrowCause, answer: Any) -> str:
    """Return the faces of a throw by their consequences; empty if they are all the same."""
    alike, others = [cause.face], dict[str, list[int]]()
    for face, out in cause.outcomes:
        words = _outcome(change, answer, out)
        (others.setdefault(words, []) if words else alike).append(face)
    if not others:
        return ""
    told = [f"on {_faces(faces)}: {words}" for words, faces in list(others.items())[:_GROUPS]]
    if len(others) > _GROUPS:
        told.append("on the rest still others")
    more = len(alike) > 1
    start = f"{_faces(alike)} would have done the same" if more else "No other face does the same"
    return f"{capital(start)}; {'; '.join(told)}."


def _faces(faces: Sequence[int]) -> str:
    """Return the faces of a die in words: ``1 to 3 or 7``."""
    return joined([part.replace("-", " to ") for part in ranges(faces).split(", ")], "or")


def _meanings(meanings: dict[str, str]) -> str:
    """Return the aspects of a piece that mattered, and the result without each."""
    by_end: dict[str, list[str]] = {}
    for meaning, end in meanings.items():
        by_end.setdefault(end, []).append(meaning)
    told = []
    for end, found in by_end.items():
        named = [part for part in found if part]
        start = "had one of these been" if len(named) > 1 else "had that been"
        told.append(f"{': ' if named else ''}{', '.join(named)}; {start} different, {end}")
    return ". Also".join(told)
