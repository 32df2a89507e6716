"""Commands that tell of the game: how it stands, what happened, why."""

from __future__ import annotations

from typing import Final

from engine.tabletop.board import condensed
from engine.tabletop.manual import Chapter, Rule
from tui.linemode.line_session import Party
from tui.play.report_words import history_lines, spoken
from tui.replay.luck import ledger
from tui.replay.luck import lines as luck_lines

_LAST: Final = 10
_MOST: Final = 40
"""Most lines of the log that are found at once."""


def status(party: Party, _rest: str) -> None:
    """Tell how the game stands and who plays."""
    chair = party.chair
    party.voice.tell(chair.presenter.summary(chair.view))
    if chair.status.todo and not chair.status.over:
        party.voice.say(f"Pieces that can still act: {chair.status.todo}.")
    seats(party, "")


def seats(party: Party, rest: str) -> None:
    """Tell who sits where; with a name, let that person act if it owes something too."""
    owing = party.table.owes
    if rest:
        found = [p.seat for p in party.table.players if p.name.casefold() == rest.casefold()]
        if not found or found[0] not in party.chairs:
            party.voice.say("No person of that name sits here.")
        elif found[0] == party.chair.viewer:
            party.voice.say("That is you.")
        elif found[0] not in owing:
            party.voice.say("That person has nothing to do now.")
        else:
            party.take_seat(found[0])
            party.go_on()
        return
    for player in party.table.players:
        who = f"computer, {player.bot}" if player.bot else "person"
        you = ", you" if player.seat == party.chair.viewer else ""
        due = ", to act" if player.seat in owing else ""
        party.voice.say(f"{player.name}: {who}{you}{due}.")


def why(party: Party, rest: str) -> None:
    """Tell a rule: the named one, or those behind what was said last."""
    rules = {rule.id.casefold(): rule for one in _book(party) for rule in one.rules}
    wanted = [rest] if rest else list(party.voice.rules)
    if not wanted:
        party.voice.say("There is no rule behind what was said last.")
    for name in wanted:
        rule = rules.get(name.casefold())
        if rule is None:
            party.voice.say(f"There is no rule {name[:40]!r} in the book.")
        else:
            _tell_rule(party, rule)


def book(party: Party, rest: str) -> None:
    """List the chapters of the rule book, or read one."""
    chapters = _book(party)
    if not rest:
        for number, chapter in enumerate(chapters, 1):
            party.voice.say(f"{number}. {chapter.title} ({len(chapter.rules)} rules)")
        party.voice.say("rules and a number or a word reads one.")
        return
    if rest.isdecimal():
        number = int(rest[:4])
        found = list(chapters[number - 1 : number]) if number else []
    else:
        found = [one for one in chapters if rest.casefold() in one.title.casefold()][:1]
    if not found:
        party.voice.say("There is no such chapter.")
        return
    party.voice.say(found[0].title)
    for words in found[0].words:
        party.voice.say(words)
    for rule in found[0].rules:
        _tell_rule(party, rule)


def log(party: Party, rest: str) -> None:
    """The last lines of the log, or those that hold a word."""
    lines = condensed(party.chair.lines)
    if rest.isdecimal() or not rest:
        lines = lines[-min(int(rest[:4] or 0) or _LAST, 1000) :]
    else:
        lines = [line for line in lines if rest.casefold() in line.text.casefold()][-_MOST:]
    if not lines:
        party.voice.say("There is none.")
    party.voice.tell(lines)


def again(party: Party, _rest: str) -> None:
    """Everything that happened since this person acted last, every small thing too."""
    chair = party.chair
    lines = condensed(chair.lines[chair.left : chair.came])
    if not lines:
        party.voice.say("Nothing happened while you were away.")
    party.voice.tell(lines)


def luck(party: Party, _rest: str) -> None:
    """What chance gave against what it could be expected to give."""
    chair = party.chair
    for line in luck_lines(ledger(chair.facts()), chair.names):
        if line.text:
            party.voice.say(line.text)


def reports(party: Party, rest: str) -> None:
    """List the reports, or tell one row by row; ``history`` is how the numbers went."""
    chair, wanted = party.chair, rest.casefold()
    found = {report.name: report for report in chair.presenter.reports(chair.view)}
    if wanted and "history".startswith(wanted):
        party.voice.tell(history_lines(chair.history(), chair.names))
        return
    name = next((name for name in found if wanted and name.startswith(wanted)), "")
    if name:
        party.voice.say(f"{found[name].title}, {len(found[name].rows)} in all.")
        party.voice.tell(line for line in spoken(found[name]) if line.text)
        return
    if rest:
        party.voice.say(f"There is no report {rest[:30]!r}.")
    for report in found.values():
        party.voice.say(f"reports {report.name}: {len(report.rows)}")
    party.voice.say("reports history: how the numbers went, by rounds")


def save(party: Party, _rest: str) -> None:
    """Tell where the game is kept."""
    if party.name:
        party.voice.say(f"Every command is saved at once. This game is called {party.name!r}.")
    else:
        party.voice.say("This game is not saved.")


def _book(party: Party) -> tuple[Chapter, ...]:
    return party.chair.presenter.manual


def _tell_rule(party: Party, rule: Rule) -> None:
    party.voice.say(f"{rule.id}: {rule.text}")
