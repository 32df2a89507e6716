"""``test``: a pytest of one entry, with its position, commands and throws as text.

A small case makes the best test; ``shrink --test`` writes one at once.
"""

from __future__ import annotations

import keyword
import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.core.archive import Archive
from engine.core.codec import plain
from engine.core.containers import Plane
from engine.core.notation import write
from engine.core.record import Record, Scenario, replace, tag
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset, ScenarioFault
from engine.debug.cases import (
    Case,
    CaseOutcome,
    CaseStep,
    DecidedStep,
    LooseDice,
    case_of,
    decided,
    needed_options,
    trimmed,
)
from engine.debug.tracing import EntryTrace, traced
from study.debug.debugger import Answer, Debugger
from tui.console.exits import Wrong
from tui.console.files import is_there, put_file, unusable

_WIDTH: Final = 96
"""Maximum characters of a line of JSON; the lines of a test have at most 100."""
_LINE: Final = 100
_LONG: Final = 40
"""Length in characters above which a part gets its own line."""
_INDENT: Final = "    "


def test(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Write a test of the entry at a place, or of the last entry of a small save.

    Raises:
        Wrong: files are not allowed here, the file already exists, or the entry does not exist.
    """
    archive = bench.archive
    out = Path(args.output)
    if is_there(out):
        raise Wrong(f"{out}: is there already")
    if args.of:
        rules, case = case_in(archive, args.of)
        yield from written_test(rules, case, args.of, out)
        return
    yield from written_test(bench.rules, _case_at(bench, args.at or "."), "", out)


test.__test__ = False  # type: ignore[attr-defined]  # pytest collects what is called so


def case_in(archive: Archive, name: str) -> tuple[AnyRuleset, Case]:
    """Return the ruleset and the case of a save.

    Raises:
        SaveFault: it cannot be read.
    """
    opened = archive.read(name)
    rules = find(opened.header.ruleset)
    return rules, case_of(rules, opened.log.line())


def _case_at(bench: Debugger, text: str) -> Case:
    """Return the case of an entry: the position before it, and the entry."""
    step = bench.step_at(text)
    index = bench.line.index_at(step)
    if step <= 0 or bench.line.entries[index].command is None:
        raise Wrong(f"{bench.place(step)}: no command was given there; name an entry from 1 on")
    entry = bench.line.entries[index]
    line = bench.line.entries[: index + 1]
    before = bench.line.state(bench.line.starts[index])
    own = case_of(bench.rules, [line[0], entry]).steps[0]
    return Case(bench.rules.position(before), {}, (own,))


def written_test(rules: AnyRuleset, case: Case, why: str, out: Path) -> Iterator[Answer]:
    """Write a test of a case; ``why`` is what was sought in it.

    Raises:
        Wrong: there is nothing to test, or the file cannot be written.
    """
    if not case.steps:
        raise Wrong("there is no entry to test")
    text = text_of(rules, case, why)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise unusable(out, problem) from None
    put_file(out, [text])
    yield Answer(f"a test of {write(case.steps[-1].command)}: {out}", data={"test": str(out)})


# -- the text of a test ----------------------------------------------------------------------------


def text_of(rules: AnyRuleset, case: Case, why: str) -> str:
    """Return a test of the last step of a case, as Python.

    It expects the result of the present rules: events, a refusal, or, if they fail, only that they
    do not.

    Args:
        rules: the ruleset.
        case: position and steps; the last step is tested.
        why: what was sought, for the docstring.
    """
    walk = list(decided(rules, case))
    known = [one.outcome for one in walk]
    case = needed_options(rules, trimmed(case, known, len(case.steps) - 1))
    walk = list(decided(rules, case))
    last, step = walk[-1], case.steps[-1]
    told = _told(last.outcome)
    marks = _marks(_ids(rules, last, step))
    return "\n".join(
        [
            *_head(rules, why, marked=bool(marks)),
            *_constant("SCENARIO", _json(_minimal(_untitled(rules, case.scenario)))),
            *(
                _constant("EVENTS", _json([*map(_minimal, last.outcome.events)]))
                if last.outcome.events
                else ()
            ),
            "",
            *marks,
            f"def test_{_name(step, told)}() -> None:",
            *(f"{_INDENT}{line}" for line in _body(rules, case, last.outcome)),
            "",
        ]
    )


def _marks(ids: Sequence[str]) -> list[str]:
    """Return the line that names rules, up to the width of the line."""
    known = [f'"{one}"' for one in ids]
    while len(line := f"@pytest.mark.rule({', '.join(known)})") > _LINE:
        known.pop()
    return [line] if known else []


def _untitled(rules: AnyRuleset, scenario: Scenario) -> Scenario:
    """Return a scenario without texts for people, if it is valid without them."""
    plain = replace(scenario, title="", about="")
    try:
        rules.check(plain)
    except ScenarioFault:
        return scenario
    return plain


def _head(rules: AnyRuleset, why: str, *, marked: bool) -> list[str]:
    text = re.sub(r"\s+", " ", why).replace("\\", "/").replace('"', "'").strip()[:60]
    return [
        f'"""A case of {rules.name}{f", kept for: {text}" if text else ""}."""',
        "",
        "from __future__ import annotations",
        "",
        *(["import pytest", ""] if marked else []),
        "from engine.debug.replayed import Replayed",
        "",
    ]


def _constant(name: str, text: str) -> list[str]:
    prefix = "r" if "\\" in text else ""
    is_wide = any(len(line) > _LINE for line in text.splitlines())
    return [
        f'{name} = {prefix}"""',
        *text.splitlines(),
        f'"""{"  # noqa: E501" if is_wide else ""}',
        "",
    ]


def _body(rules: AnyRuleset, case: Case, outcome: CaseOutcome) -> Iterator[str]:
    extra = [f"options={dict(case.options)!r}"] if case.options else []
    extra += [f"throws={list(case.throws)!r}"] if case.throws else []
    made = ", ".join([f'"{rules.name}"', "SCENARIO", *extra]).replace("'", '"')
    yield from _wrapped("game = Replayed", made)
    for step in case.steps[:-1]:
        yield from _call("game.play", step)
    step = case.steps[-1]
    if outcome.refused:
        yield from _call("assert game.refusal", step, f' == "{outcome.refused}"')
    elif outcome.fault:
        yield from _call("game.play", step)
    else:
        yield from _call("events = game.play", step)
        yield "assert events == game.events(EVENTS)"


def _call(call: str, step: CaseStep, behind: str = "") -> Iterator[str]:
    throws = f", throws={list(step.throws)!r}" if step.throws else ""
    yield from _wrapped(call, f"{step.seat}, {_quoted(write(step.command))}{throws}", behind)


def _quoted(text: str) -> str:
    """Return a Python string literal, in quotes that need no backslash if possible."""
    if '"' in text and "'" not in text and "\\" not in text:
        return f"'{text}'"
    return msgspec.json.encode(text).decode()


def _wrapped(call: str, arguments: str, behind: str = "") -> Iterator[str]:
    """Yield a call on one line, or with its arguments on separate lines."""
    line = f"{call}({arguments}){behind}"
    if len(line) + len(_INDENT) <= _LINE:
        yield line
        return
    yield "# fmt: off"
    yield f"{call}("
    for part in re.split(r", (?=throws=|options=)", arguments):
        yield from (f"{_INDENT}{one}" for one in _folded(f"{part},"))
    yield f"){behind}"
    yield "# fmt: on"


def _folded(part: str) -> Iterator[str]:
    """Yield a long argument on several lines."""
    while len(part) > 88:
        cut = part.rfind(" ", 0, 88) + 1
        if cut <= 0:
            break
        if part[:cut].count('"') % 2:
            yield f'{part[:cut]}"'
            part = f'"{part[cut:]}'
        else:
            yield part[:cut].rstrip()
            part = part[cut:]
    yield part


def _name(step: CaseStep, told: str) -> str:
    words = re.sub(r"\W+", "_", f"{tag(step.command)} {told}".casefold()).strip("_")[:80]
    return f"{words}_" if keyword.iskeyword(words) else words


def _told(outcome: CaseOutcome) -> str:
    if outcome.refused:
        return f"is refused {outcome.refused}"
    if outcome.fault:
        return "raises nothing"
    return "leads to " + " and ".join(dict.fromkeys(tag(event) for event in outcome.events[:3]))


def _ids(rules: AnyRuleset, last: DecidedStep, step: CaseStep) -> Sequence[str]:
    """Return ids of the rules under which a step's events were emitted, or of its refusal."""
    dice = LooseDice(step.throws, last.number)
    try:
        trace: EntryTrace = traced(
            rules, lambda: rules.decide(last.before, step.seat, step.command, dice)
        )
    except Refused as refused:
        return (refused.rule,) if refused.rule else ()
    except Exception:  # noqa: BLE001 - a fault is what the test is about
        return ()
    found = [one for event in trace.events for one in event.rules]
    found += [one for event in trace.events for one in event.used]
    return tuple(dict.fromkeys(found))


# -- records as short JSON -------------------------------------------------------------------------


def _minimal(value: Any) -> Any:
    """Return the plain data of a record without fields that have their default."""
    if isinstance(value, Record):
        kind = type(value).__struct_config__
        made = {kind.tag_field: kind.tag} if kind.tag_field else {}
        for info in msgspec.structs.fields(value):
            now = getattr(value, info.name)
            factory = info.default_factory
            default = info.default if factory is msgspec.NODEFAULT else factory()
            if now is not msgspec.UNSET and (default is msgspec.NODEFAULT or now != default):
                made[info.encode_name] = _minimal(now)
        return made
    if isinstance(value, tuple | list):
        return [_minimal(one) for one in value]
    if isinstance(value, dict):
        return {key: _minimal(one) for key, one in value.items()}
    if isinstance(value, Plane):
        return {"dtype": value.cells.dtype.newbyteorder("<").str, "rows": value.cells.tolist()}
    return plain(value)


def _json(value: Any, indent: str = "", room: int = _WIDTH) -> str:
    """Return JSON on one line if it fits, or else one item per line."""
    line = msgspec.json.format(msgspec.json.encode(value), indent=0).decode()
    if len(indent) + len(line) <= room or not isinstance(value, dict | list) or not value:
        return line
    inner = indent + " "
    if isinstance(value, dict):
        names = [f"{msgspec.json.encode(key).decode()}: " for key in value]
        below = zip(names, value.values(), strict=True)
        parts = [f"{name}{_json(one, inner, room - len(name) - 1)}" for name, one in below]
        return "{\n" + _filled(parts, inner, room) + f"\n{indent}}}"
    parts = [_json(one, inner, room) for one in value]
    return f"[\n{_filled(parts, inner, room)}\n{indent}]"


def _filled(parts: Sequence[str], inner: str, room: int) -> str:
    """Return parts of a list or a record: short ones share lines, long ones do not."""
    lines = [inner]
    for number, part in enumerate(parts):
        word = part if number == len(parts) - 1 else f"{part},"
        alone = len(part) > _LONG or len(lines[-1]) + len(word) + 1 > room
        if alone and lines[-1].strip():
            lines.append(inner)
        lines[-1] += word if not lines[-1].strip() else f" {word}"
        if len(part) > _LONG and number < len(parts) - 1:
            lines.append(inner)
    return "\n".join(lines)
