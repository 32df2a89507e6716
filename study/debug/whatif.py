"""``whatif``: a game with one thing changed, beside the game as it was recorded."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.core.ids import Seat
from engine.debug.branching import parting
from study.debug.debugger import Answer, Debugger
from study.debug.suppositions import Supposition, SuppositionKind, WhatIf, imagined, kept
from tui.console.printing import columns
from tui.play.seats import seat_name
from tui.replay.timeline import SeatStatistics, Story

_WIDTH: Final = 79


def whatif(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Change one thing and report the further course of the game.

    Raises:
        Wrong: the change cannot be made.
    """
    made = imagined(bench, supposition(bench, args))
    yield from told(bench, made)
    if args.output is not None:
        name = kept(bench, made.entries, args.output)
        yield Answer(f"kept as {name}", data={"kept": name})


def supposition(bench: Debugger, args: Namespace) -> Supposition:
    """Return the supposition that the arguments describe.

    Raises:
        Wrong: the place cannot be read.
    """
    step = None if args.at is None else bench.step_at(args.at)
    given: Mapping[SuppositionKind, str | None] = {
        "throw": args.throw,
        "command": args.command,
        "option": args.option,
        "value": args.set,
        "rules": args.rules,
    }
    asked = ((kind, text) for kind, text in given.items() if text is not None)
    kind, text = next(asked, ("nothing", ""))
    return Supposition(kind, text, step, args.then == "bots")


# -- output ----------------------------------------------------------------------------------------


def told(bench: Debugger, made: WhatIf) -> Iterator[Answer]:
    """Yield how a branch differs from the recorded line: first difference, statistics, outcome."""
    place = str(made.recorded[min(made.first, len(made.recorded) - 1)].seq)
    yield Answer(f"what if {made.title}?", place, {"what_if": made.title})
    yield _first_difference(bench, made)
    yield _again(bench, made)
    story = Story(bench.rules, made.entries)
    for _ in story.walk():
        pass
    yield from _numbers(bench.story, story, bench.story.round_at(made.first))
    recorded_end = bench.line.state(len(bench.line))
    yield _outcome(bench, "recorded", bench.story, recorded_end)
    yield _outcome(bench, "branch", story, made.end, made.stuck)


def _first_difference(bench: Debugger, made: WhatIf) -> Answer:
    old, new = made.alike
    found = parting(made.recorded[old:], made.entries[new:])
    if found is None:
        return Answer("the same happens, to the last event", data={"first_difference": None})
    if not found.event:
        what = f"the branch goes on behind the recording, with entry {new + found.index}"
        if found.recorded == "played":
            what = f"entry {made.recorded[old + found.index].seq} is not played in the branch"
        return Answer(f"first difference: {what}", data={"first_difference": what})
    entry = made.recorded[old + found.index]
    place = f"{entry.seq}.{found.event}"
    field = f"{found.field} is {found.now}, recorded {found.recorded}"
    who = seat_name(bench.seats, entry.seat)
    data = {"field": found.field, "recorded": found.recorded, "branch": found.now}
    event = min(found.event, len(entry.events))
    return Answer(
        f"first difference at {place} ({who}): {field}",
        f"{entry.seq}.{event}",
        {"first_difference": data},
    )


def _again(bench: Debugger, made: WhatIf) -> Answer:
    """Return how many recorded entries were played again, and the first that could not be."""
    played, illegal = made.played, made.played.illegal
    asked = len(played.entries) + played.left
    text = f"{len(played.entries)} of {asked} recorded entries were played again"
    text = text if asked else "no recorded entry was played again"
    bots = len(made.entries) - made.alike[1] - (made.first - made.alike[0]) - len(played.entries)
    if bots > 0:
        text += f", then {bots} by computer players"
    if illegal is None:
        return Answer(text, data={"played": len(played.entries), "bots": max(0, bots)})
    rule = f" [{illegal.rule}]" if illegal.rule else ""
    who = seat_name(bench.seats, illegal.seat)
    text += f"; entry {illegal.seq} cannot be: {who} {illegal.command}: {illegal.reason}{rule}"
    data = {name: getattr(illegal, name) for name in illegal.__struct_fields__}
    return Answer(text, str(illegal.seq), {"played": len(played.entries), "illegal": data})


def _outcome(bench: Debugger, name: str, story: Story, end: Any, stuck: str = "") -> Answer:
    """Return the end of a line: its outcome, or who must act."""
    entries, found = len(story.line), bench.rules.outcome(end)
    number = story.round_at(entries - 1)
    data: dict[str, Any] = {"line": name, "entries": entries, "round": number, "stuck": stuck}
    if found is None:
        owing = [seat_name(bench.seats, seat) for seat in sorted(bench.rules.owes(end))]
        text = f"round {number}, {entries} entries; {', '.join(owing)} to act"
        text += f"; given up: {stuck}" if stuck else ""
        return Answer(f"{name:<10}{text}", data={**data, "winners": None, "to_act": owing})
    text = f"{winners(bench.seats, found.winners)} ({found.reason})"
    text += f" in round {number}, after {entries} entries"
    names = [seat_name(bench.seats, seat) for seat in found.winners]
    return Answer(f"{name:<10}{text}", data={**data, "winners": names, "reason": found.reason})


def winners(seats: Sequence[str], won: Sequence[Seat]) -> str:
    """Return the names of the winners as text."""
    if not won:
        return "nobody wins"
    names = " and ".join(seat_name(seats, seat) for seat in won)
    return f"{names} win{'s' if len(won) == 1 else ''}"


def numbers_by_round(story: Story) -> dict[int, SeatStatistics]:
    """Return the statistics at the end of each round, and the latest ones for the round in play."""
    ends = [index - 1 for index, _ in story.rounds[1:]] + [len(story.numbers) - 1]
    return {
        number: story.numbers[max(0, end)]
        for (_, number), end in zip(story.rounds, ends, strict=True)
        if story.numbers
    }


def _numbers(recorded: Story, branch: Story, since: int) -> Iterator[Answer]:
    """Yield the numbers that differ, round by round, side by side."""
    old, new = numbers_by_round(recorded), numbers_by_round(branch)
    rounds = [number for number in sorted({*old, *new}) if number >= since]
    names = list(recorded.rules.statistics(recorded.rules.empty()))
    apart = [name for name in names if any(_differs(old, new, [name], at) for at in rounds)]
    if not apart:
        yield Answer("the numbers are the same in every round", data={"numbers": "same"})
        return
    rounds = rounds[next(n for n, at in enumerate(rounds) if _differs(old, new, apart, at)) :]
    heads = ["round", *(f"{name} {side}" for name in apart for side in ("recorded", "branch"))]
    cells = [
        [str(at), *(_cell(side.get(at), name) for name in apart for side in (old, new))]
        for at in rounds
    ]
    data = [
        {"round": at, "recorded": _plain(old.get(at)), "branch": _plain(new.get(at))}
        for at in rounds
    ]
    yield from _tables(heads, cells, data)


def _tables(
    heads: list[str], cells: list[list[str]], data: list[dict[str, Any]]
) -> Iterator[Answer]:
    """Yield rows in as many tables as the width requires; each row has its data."""
    wide = 1
    while 1 + 2 * wide < len(heads):
        rows = [row[: 3 + 2 * wide] for row in (heads, *cells)]
        if len(columns(rows)[0]) > _WIDTH:
            break
        wide += 1
    for at in range(1, len(heads), 2 * wide):
        rows = [[row[0], *row[at : at + 2 * wide]] for row in (heads, *cells)]
        head, *lines = columns(rows)
        yield Answer(head, data={"numbers": heads[at : at + 2 * wide]})
        for line, row in zip(lines, data, strict=True):
            yield Answer(line, f"r{row['round']}" if row["recorded"] else "", row)


def _differs(
    old: Mapping[int, SeatStatistics],
    new: Mapping[int, SeatStatistics],
    names: Sequence[str],
    at: int,
) -> bool:
    """Return whether one of these numbers differs after a round, or only one line has it."""
    if at not in old or at not in new:
        return True
    return any(old[at][name] != new[at][name] for name in names)


def _cell(numbers: SeatStatistics | None, name: str) -> str:
    return ":".join(map(str, numbers[name])) if numbers is not None else "-"


def _plain(numbers: SeatStatistics | None) -> dict[str, list[int]] | None:
    return None if numbers is None else {name: list(row) for name, row in numbers.items()}
