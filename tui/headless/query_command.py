"""``banneret dump --where``: the moments of a saved game that a query describes."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.archive import Opened
from engine.core.codec import encode_json, plain
from engine.core.feed import knows_all
from engine.core.ids import REFEREE, Viewer
from engine.core.registry import find
from engine.core.scenarios import names_in
from tui.console.exits import Wrong
from tui.replay.query import BadQuery, described, parse
from tui.replay.timeline import Story


def found(opened: Opened, query: str, viewer: Viewer = REFEREE, *, json: bool) -> Iterator[str]:
    """A line for each moment: round, entry (the first is 1), and what it was.

    Raises:
        Wrong: the query cannot be read; the text names the column. Or the log is broken.
    """
    rules = find(opened.header.ruleset)
    seats = names_in(rules, opened.log)
    story = Story(rules, opened.log.line(), viewer)
    numbers = rules.statistics(rules.empty()) if knows_all(rules, viewer) else {}
    try:
        wanted = parse(query, seats, tuple(numbers))
    except BadQuery as bad:
        raise Wrong(str(bad)) from None
    for _ in story.walk():
        pass
    for moment in wanted.search(story):
        if not json:
            yield described(moment, seats)
            continue
        place = {"place": moment.index + 1, "entry": story.line[moment.index].seq}
        where = {"event": moment.event, "round": moment.round, "phase": moment.phase}
        yield encode_json({**place, **where, "fact": plain(moment.fact)}).decode()
    if story.fault:
        raise Wrong(f"the log is broken: {story.fault}")
