"""``fate``: when a game was decided, as computer players play it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from engine.core.codec import plain
from engine.tabletop.fact import Fact, FactKind
from engine.tabletop.presenter import presenter_of
from study.debug.debugger import Answer, Debugger
from study.debug.turning_points import (
    FateCurve,
    FatePoint,
    FateQuestion,
    TurningPoint,
    end_sought,
    fate_curve,
)
from tui.console.exits import Wrong
from tui.console.printing import columns, raw
from tui.play.continuation import usual_level
from tui.play.seats import seat_name, seat_named
from tui.replay.query import per_cent

_RICH: Final = "▁▂▃▄▅▆▇█"
_PLAIN: Final = "_.-:=+*#"
"""Heights of a sparkline; and those for terminals without block characters."""

_TELLING: Final[Sequence[FactKind]] = ("end", "capture", "attack", "loss", "work", "other", "move")
"""Kinds of facts; the ones that tell a reader more come first."""

_MOSTLY: Final = 2
"""Ratio from which the larger part of a swing is called its main cause."""


def fate(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Show how often computer players reach the same end, from each place, and what decided it.

    Raises:
        Wrong: an argument cannot be read, or the game is secret and not over.
        Stuck: a process died twice over the same games.
    """
    eyes = _eyes(bench, args.seat)

    def place(step: int) -> str:
        return bench.place(_step_of(eyes, bench, step))

    end = end_sought(eyes, args.of)
    steps = [bench.step_at(text) for text in args.at.split(",")] if args.at else None
    seen = None if steps is None else tuple(sorted(_step_of(bench, eyes, one) for one in steps))
    question = FateQuestion(end, _level(eyes, args.level), args.runs, args.seed, seen)
    with shown_progress() as progress:
        curve = fate_curve(eyes, question, jobs=args.jobs, progress=progress, place=place)
    yield from told(eyes, curve, ascii_only=not _has_blocks())


def _step_of(one: Debugger, other: Debugger, step: int) -> int:
    """Return the step of another viewer's line at or after a step of one line."""
    if one is other or step == 0:
        return step
    return min(len(other.line), other.line.step_from(*one.line.origin(step)))


def _eyes(bench: Debugger, name: str | None) -> Debugger:
    """Return the debugger for a seat's view.

    Raises:
        Wrong: the seat does not exist, or the debugger is limited to another.
    """
    if name is None:
        return bench
    seat = seat_named(bench.seats, name)
    if bench.viewer >= 0 and bench.viewer != seat:
        raise Wrong(f"this game is seen by {seat_name(bench.seats, bench.viewer)} only")
    return Debugger(bench.opened, seat, bench.head)


def _level(bench: Debugger, who: str | None) -> str:
    """Return the level of the computer players.

    Raises:
        Wrong: the level does not exist.
    """
    if who is None:
        return usual_level(bench.rules)
    level = who.removeprefix("bot:")
    if level not in bench.rules.bots:
        known = ", ".join(f"bot:{name}" for name in bench.rules.bots)
        raise Wrong(f"there is no computer player {who[:40]!r}; known: {known}")
    return level


@contextmanager
def shown_progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show progress on standard error, if that is a terminal; its line is cleared at the end."""
    stream = raw(sys.stderr)
    if not stream.isatty():
        yield None
        return

    def show(played: int, expected: int) -> None:
        stream.write(f"\r{played} of {expected} games ")
        stream.flush()

    try:
        yield show
    finally:
        stream.write("\r\x1b[K")
        stream.flush()


def _has_blocks() -> bool:
    """Return whether standard output can show block characters."""
    try:
        _RICH.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


# -- words -----------------------------------------------------------------------------------------


def told(bench: Debugger, curve: FateCurve, *, ascii_only: bool = False) -> Iterator[Answer]:
    """Yield a curve as lines: the question, the shares by round, each point, the turning points."""
    question, points = curve.question, curve.points
    head = f"{question.end.text}: {question.runs} games of bot:{question.level} from each place"
    yield Answer(head, data={"question": plain(question)})
    spark, rounds = sparkline(curve, ascii_only=ascii_only)
    ends = f"{shown(points[0].share)} at {points[0].place}, {shown(points[-1].share)} at the end"
    data: dict[str, Any] = {"rounds": {str(number): share for number, share in rounds}}
    yield Answer(f"round {rounds[0][0]} {spark} {rounds[-1][0]}   {ends}", data=data)
    yield from _points(points, ascii_only=ascii_only)
    moments = curve.turning_points
    swing = points[-1].share - points[0].share
    yield Answer(
        f"from start to end {signed(swing)}"
        + ("; most of it was decided here:" if moments else "; nothing decided it"),
        data={"swing": swing},
    )
    for number, moment in enumerate(moments, 1):
        yield from _moment(bench, number, moment)
    if curve.stuck or curve.faults:
        text = f"{curve.stuck} games did not end, {curve.faults} had a fault in the rules"
        yield Answer(text, data={"stuck": curve.stuck, "faults": curve.faults})
    yield Answer(f"This is so as bot:{question.level} plays; people may see it otherwise.")


def sparkline(
    curve: FateCurve, *, ascii_only: bool = False
) -> tuple[str, Sequence[tuple[int, float]]]:
    """Return the shares by round as a row of blocks, and the (round, share) of each block.

    A round without a point repeats the previous share.
    """
    known = dict(curve.by_round())
    rows: list[tuple[int, float]] = []
    for number in range(min(known), max(known) + 1):
        rows.append((number, known.get(number, rows[-1][1] if rows else 0.0)))
    heights = _PLAIN if ascii_only else _RICH
    return "".join(heights[min(7, int(share * 8))] for _, share in rows), rows


def shown(share: float) -> str:
    """Return a share in percent, never rounded to certainty."""
    return per_cent((round(share * 1_000_000), 1_000_000))


def signed(swing: float) -> str:
    """Return a swing in percent, with its sign."""
    return f"{100 * swing:+.0f}%"


def _points(points: Sequence[FatePoint], *, ascii_only: bool) -> Iterator[Answer]:
    full, rest = ("#", ".") if ascii_only else ("█", "░")
    rows = []
    for point in points:
        low, high = point.interval
        filled = round(point.share * 20)
        bar = full * filled + rest * (20 - filled)
        interval = f"{shown(low)} to {shown(high)}"
        rows.append([point.place, f"round {point.round}", bar, shown(point.share), interval])
    for point, line in zip(points, columns(rows), strict=True):
        low, high = point.interval
        data = {"round": point.round, "share": point.share, "interval": [low, high]}
        yield Answer(line, point.place, {**data, "same": point.same, "games": point.games})


def _moment(bench: Debugger, number: int, moment: TurningPoint) -> Iterator[Answer]:
    """Yield a turning point in plain words: the event, the change of the chance, and its cause."""
    before, after = moment.before, moment.after
    if after.index - before.index > 1:
        what = f"somewhere behind {before.place}, up to here"
    else:
        what = what_happened(bench, moment)
    rise = "rose" if moment.swing > 0 else "fell"
    yield Answer(
        f"{number}. {after.place}, round {after.round}: {what}",
        after.place,
        {
            "round": after.round,
            "before": before.share,
            "after": after.share,
            "swing": moment.swing,
            "choice": moment.choice,
            "dice": moment.dice,
            "certain": moment.is_certain,
        },
    )
    doubt = "" if moment.is_certain else ", which may be chance"
    text = f"the chance {rise} from {shown(before.share)} to {shown(after.share)}{doubt}"
    yield Answer(f"   {text}", after.place, {"words": text})
    if moment.kept is not None:
        yield Answer(f"   {parts(moment)}", after.place, {"words": parts(moment)})


def parts(moment: TurningPoint) -> str:
    """Return in words how much of a swing is due to the choice and how much to the dice."""
    choice, dice = moment.choice or 0.0, moment.dice or 0.0
    if not dice:
        return f"the choice alone: {signed(choice)}"
    much = "both"
    if abs(dice) >= _MOSTLY * abs(choice):
        much = "mostly the dice"
    elif abs(choice) >= _MOSTLY * abs(dice):
        much = "mostly the choice"
    return f"{much}: the choice {signed(choice)}, the dice {signed(dice)}"


def what_happened(bench: Debugger, moment: TurningPoint) -> str:
    """Return the most telling event of an entry in the words of its game, or its command."""
    span = bench.line.span(moment.after.index)
    facts = [
        (_TELLING.index(found.fact.kind), step, found.fact)
        for found in bench.story.moments
        if found.fact.kind in _TELLING
        and (step := bench.line.step_from(found.index, found.event)) in span
    ]
    who = seat_name(bench.seats, moment.seat)
    command = f"{who}: {moment.command}" if moment.command else "what others did"
    if not facts:
        return command
    _, step, fact = min(facts, key=lambda row: row[:2])
    return _sentence(bench, step, fact) or command


def _sentence(bench: Debugger, step: int, fact: Fact) -> str:
    """Return the event before a step in the words of its game, and the chance of an attempt."""
    after = bench.line.state(step)
    view = bench.rules.view(after, bench.viewer) if bench.knows_all else after
    lines = presenter_of(bench.rules).tell(bench.line.step(step).event, view)
    text = next((line.text for line in lines if line.text), "")
    if not text or fact.chance is None or fact.won is None or fact.chance[0] in {0, fact.chance[1]}:
        return text
    end = "succeeded" if fact.won else "failed"
    known = "With all that was hidden, it" if fact.in_hindsight else "It"
    return f"{text} {known} had a chance of {per_cent(fact.chance)} and {end}."
