"""Why a value is so, and why a command is refused: ``why``.

A cause is printed as a chain: the value, the event that set it, the rules and the place in the
code, the throws that decide it, then the earlier values that decide it, numbered. ``why 1``
continues with number 1.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.core.ids import HOUSE, REFEREE
from engine.core.notation import BadNotation
from engine.core.record import Command, Record
from engine.debug.causes import (
    TRIES,
    CauseSearch,
    Denial,
    PremiseCause,
    ThrowCause,
    same,
)
from engine.debug.history import last_change
from engine.debug.paths import write
from engine.debug.premises import GONE
from engine.debug.refusals import CommandRefusal, Remedy, Trial
from engine.debug.tracing import EventTrace
from engine.tabletop.presenter import presenter_of
from study.debug.change_lines import value_data, value_text
from study.debug.debugger import Answer, Debugger
from tui.console.exits import Wrong
from tui.play.place_names import read_command
from tui.play.seats import acting_seat, seat_name, seat_named

_SHOWN: Final = 8
"""Maximum premises that are listed without ``--all``."""
_REMEDIES: Final = 5
_SENTENCES: Final = 3
"""Maximum rules of an event that are printed with their sentences, the innermost ones."""
_SENTENCE: Final = 200
"""Maximum characters of a printed rule; JSON has all of it."""


def why(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Explain the causes of a value, or of a refusal."""
    words, place = _asked(args.words)
    step = bench.step_at(place) if place else bench.at
    if words[0] == "not":
        return _why_not(bench, " ".join(words[1:]), step, args.by)
    if len(words) > 1:
        raise Wrong(f"why takes one path, not {len(words)}; a command is asked with: why not")
    path = words[0]
    if path.isdecimal():
        if not 1 <= int(path) <= len(bench.leads):
            raise Wrong(f"no cause is numbered {path}; {_numbered(bench)}")
        path, step = bench.leads[int(path) - 1]
    return _why(bench, path, step, everything=args.all)


def _asked(words: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return the words of a question, and the place after ``at``."""
    if len(words) > 2 and words[-2] == "at":
        return words[:-2], words[-1]
    return words, ""


def _numbered(bench: Debugger) -> str:
    count = len(bench.leads)
    return f"the last answer had 1 to {count}" if count else "ask for a value first"


def sentences(bench: Debugger) -> dict[str, str]:
    """Return the sentence of each rule in the ruleset's book, and the title of chapters, by id."""
    chapters = presenter_of(bench.rules).manual
    titles = {chapter.id: chapter.title for chapter in chapters if chapter.id}
    return titles | {rule.id: rule.text for chapter in chapters for rule in chapter.rules}


# -- a value ---------------------------------------------------------------------------------------


def _why(bench: Debugger, text: str, step: int, *, everything: bool) -> Iterator[Answer]:
    what = bench.followed(text)
    found = last_change(bench.line, what, step)
    now = what.in_state(bench.line.state(step))
    data = {"path": what.text, "value": plain(now)}
    if found is None:
        bench.leads = []
        yield Answer(f"{what.text} is {shown(now)}, and was never changed", "", data)
        return
    place = bench.place(found.step)
    yield Answer(
        f"{what.text} is {shown(now)} since {place}; before: {shown(found.old)}",
        place,
        {**data, "before": plain(found.old)},
    )
    search = CauseSearch(bench.line, what, found.step, step)
    yield Answer(f"  {bench.heading(found.step)}", place, {"event": bench.heading(found.step)})
    yield from _origin(search, place)
    sentences_told = 1 if bench.is_end(found.step) else _SENTENCES
    yield from _rules(bench, bench.event_trace(found.step), place, sentences_told)
    yield from _throws(search, place)
    yield from _premises(bench, search, everything=everything)


def _origin(search: CauseSearch, place: str) -> Iterator[Answer]:
    field = search.origin()
    if field:
        yield Answer(f"  from the event's field {field}", place, {"field": field})


def _rules(bench: Debugger, trace: EventTrace | None, place: str, most: int) -> Iterator[Answer]:
    """Yield the rules under which an event was emitted, with sentences, and its source line."""
    if trace is None:
        yield Answer("  the present rules decide this entry otherwise than was recorded", place)
        return
    known = sentences(bench)
    for rule in trace.rules[:most]:
        text = known.get(rule, "")
        yield Answer(f"  rule {rule}: {_clipped(text)}", place, {"rule": rule, "text": text})
    if outer := trace.rules[most:]:
        yield Answer(f"  and {', '.join(outer)}", place, {"rules": list(outer)})
    if trace.used:
        used = ", ".join(trace.used)
        yield Answer(f"  with {used}", place, {"used": list(trace.used)})
    if trace.source:
        yield Answer(f"  emitted at {trace.source}", place, {"source": trace.source})


def _clipped(text: str) -> str:
    return text if len(text) <= _SENTENCE else f"{text[: _SENTENCE - 3]}..."


# -- throws ----------------------------------------------------------------------------------------


def _throws(search: CauseSearch, place: str) -> Iterator[Answer]:
    count = len(search.throws)
    if not count:
        yield Answer("  no dice are thrown in this entry", place, {"throws": 0})
        return
    found = 0
    for cause in search.throw_causes():
        found += 1
        yield Answer(f"  {throw_text(search, cause)}", place, _throw_data(cause))
    least = ", as far as faces were sampled" if search.sampled_throws else ""
    other = "other throw" if found else f"throw (of {count})"
    if found < count:
        yield Answer(
            f"  no {other} of this entry changes it{least}",
            place,
            {"throws": count, "deciding": found, "sampled": search.sampled_throws},
        )


def throw_text(search: CauseSearch, cause: ThrowCause) -> str:
    """Return in a line a throw that mattered: its faces, grouped by their consequences."""
    alike = [cause.face, *(face for face, out in cause.outcomes if same(out, search.answer))]
    parts = [f"{ranges(alike)} {'gives' if len(alike) == 1 else 'give'} the same"]
    before = search.what.in_state(search.before)
    others: list[tuple[Any, list[int]]] = []
    for face, out in cause.outcomes:
        if not same(out, search.answer):
            group = next((faces for known, faces in others if known == out), None)
            if group is None:
                others.append((out, [face]))
            else:
                group.append(face)
    for out, faces in others[:_REMEDIES]:
        parts.append(f"{ranges(faces)} {_led_to(out, before, len(faces) == 1)}")
    if len(others) > _REMEDIES:
        parts.append(
            f"{sum(len(faces) for _, faces in others[_REMEDIES:])} faces give still others"
        )
    head = f"throw {cause.number} of {len(search.throws)}, d{cause.sides}={cause.face}"
    return f"{head} decides: {', '.join(parts)}"


def _led_to(out: Any, before: Any, is_one: bool) -> str:  # noqa: FBT001 - private, one caller
    """Return the outcome of other faces, as a verb with its object."""
    ending = "s" if is_one else ""
    if _is_equal(out, before):
        return f"leave{ending} it {'as it was' if isinstance(out, Record) else shown(out)}"
    return f"give{ending} {shown(out)}"


def _is_equal(one: Any, other: Any) -> bool:
    return one is other or bool(one == other)


def ranges(numbers: Sequence[int]) -> str:
    """Return numbers in order, with runs of them as ``4-8``.

    >>> ranges([1, 5, 3, 4])
    '1, 3-5'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def _throw_data(cause: ThrowCause) -> dict[str, Any]:
    outcomes = {str(face): plain(out) for face, out in cause.outcomes}
    head = {"throw": cause.number, "sides": cause.sides, "face": cause.face}
    return {**head, "outcomes": outcomes}


# -- premises --------------------------------------------------------------------------------------


def _premises(bench: Debugger, search: CauseSearch, *, everything: bool) -> Iterator[Answer]:
    """Yield the premises that decide the value, numbered for ``why N``.

    Those that only made the command possible come last, by name only.
    """
    start, place = search.start, bench.place(search.start)
    bench.leads = []
    found = list(search.premise_causes())
    needed = [one for one in found if all(_is_refusal(out) for out in _others(search, one))]
    listed = found if everything else [one for one in found if one not in needed]
    for cause in listed if everything else listed[:_SHOWN]:
        bench.leads.append((write(cause.path), start))
        number = len(bench.leads)
        data = {"number": number, **_premise_data(cause)}
        yield Answer(f"  [{number}] {premise_text(search, cause)}", place, data)
    if not everything:
        yield from _names("more values decide it (--all)", listed[_SHOWN:], place)
        yield from _names("else it would have been refused", needed, place)
    yield from _sampled(search, place)


def _is_refusal(out: Any) -> bool:
    return isinstance(out, Denial)


def _others(search: CauseSearch, cause: PremiseCause) -> list[Any]:
    """Return the outcomes of a premise that differ from the recorded one."""
    return [out for _, out in cause.outcomes if not same(out, search.answer)]


def _names(text: str, causes: Sequence[PremiseCause], place: str) -> Iterator[Answer]:
    if causes:
        names = [write(one.path) for one in causes]
        more = ", ".join(names[:_SHOWN]) + (" ..." if len(names) > _SHOWN else "")
        yield Answer(f"  {text}: {more}", place, {"note": text, "values": names})


def _sampled(search: CauseSearch, place: str) -> Iterator[Answer]:
    parts = {"throws": search.sampled_throws, "values": search.sampled_values}
    what = " and ".join(name for name, is_so in parts.items() if is_so)
    if what:
        text = f"  sampled: {search.tries} tries (of at most {TRIES:,}), not all {what}"
        yield Answer(text, place, {"sampled": what, "tries": search.tries})


def premise_text(search: CauseSearch, cause: PremiseCause) -> str:
    """Return in a line a premise that mattered: its value, and what others would have led to."""
    groups: list[tuple[Any, list[str]]] = []
    for other, out in cause.outcomes:
        if not same(out, search.answer):
            group = next((names for known, names in groups if _is_equal(known, out)), None)
            if group is None:
                groups.append((out, [_other(other)]))
            else:
                group.append(_other(other))
    parts = [
        f"{', '.join(names)} {'gives' if len(names) == 1 else 'give'} {shown(out)}"
        for out, names in groups[:3]
    ]
    return f"{write(cause.path)} ({shown(cause.value)}): {'; '.join(parts)}"


def _other(other: Any) -> str:
    return "taken away" if other is GONE else shown(other)


def _premise_data(cause: PremiseCause) -> dict[str, Any]:
    outcomes = [[_other(other), plain(out)] for other, out in cause.outcomes]
    return {"path": write(cause.path), "value": plain(cause.value), "outcomes": outcomes}


# -- refusals --------------------------------------------------------------------------------------


def _why_not(bench: Debugger, text: str, step: int, by: str | None) -> Iterator[Answer]:
    state, place = bench.line.state(step), bench.place(step)
    acting = acting_seat(bench.seats, bench.rules.owes(state)) if not by else None
    seat = seat_named(bench.seats, by) if by else HOUSE if acting is None else acting
    trial = Trial(bench.rules, state, seat, _command(bench, text, step))
    found = trial.refusal()
    who = seat_name(bench.seats, seat)
    bench.leads = []
    if found is None:
        yield Answer(f"{place}  {who} may do that", place, {"accepted": True, "seat": who})
        return
    yield from _refusal(bench, found, place, who)
    yield from _remedies(bench, trial, step)


def _command(bench: Debugger, text: str, step: int) -> Command:
    if not text.strip():
        raise Wrong("why not is followed by a command in quotes, such as why not 'end-turn'")
    try:
        view = bench.rules.view(bench.line.state(step), REFEREE)
        return read_command(bench.rules, view, text)
    except BadNotation as bad:
        raise Wrong(bad.text) from None


def _refusal(bench: Debugger, found: CommandRefusal, place: str, who: str) -> Iterator[Answer]:
    data = {"accepted": False, "seat": who, "code": found.code, "rule": found.rule}
    yield Answer(f"{place}  {who}: refused, {found.code}: {found.text}", place, data)
    if found.rule:
        text = sentences(bench).get(found.rule, "")
        yield Answer(f"  rule {found.rule}: {text}", place, {"rule": found.rule, "text": text})
    if found.source:
        yield Answer(f"  refused at {found.source}", place, {"source": found.source})


def _remedies(bench: Debugger, trial: Trial, step: int) -> Iterator[Answer]:
    """Yield the smallest changes of the state with which the command is accepted."""
    place = bench.place(step)
    found = sorted(trial.remedies(), key=lambda one: one.size)
    for one in found[:_REMEDIES]:
        bench.leads.append((write(one.path), step))
        number = len(bench.leads)
        yield Answer(f"  [{number}] {remedy_text(one)}", place, {"number": number, **_data(one)})
    if not found:
        yield Answer("  no change of one value that was tried allows it", place, {"remedies": 0})
    elif len(found) > _REMEDIES:
        yield Answer(f"  {len(found) - _REMEDIES} greater changes allow it too", place)
    if trial.is_sampled:
        yield Answer(f"  sampled: {trial.tries} tries", place, {"sampled": trial.tries})


def remedy_text(one: Remedy) -> str:
    """Return in a line a change of the state with which a command would be accepted."""
    if one.other is GONE:
        return f"{write(one.path)} taken away would allow it"
    return f"{write(one.path)} {shown(one.value)} -> {shown(one.other)} would allow it"


def _data(one: Remedy) -> dict[str, Any]:
    return {"path": write(one.path), "value": plain(one.value), "allowing": _other(one.other)}


# -- values ----------------------------------------------------------------------------------------


def shown(at: Any) -> str:
    """Return a value as a few words."""
    return f"a refusal, {at.code}" if isinstance(at, Denial) else value_text(at)


def plain(at: Any) -> Any:
    """Return a value as JSON data."""
    return {"refused": at.code} if isinstance(at, Denial) else value_data(at)
