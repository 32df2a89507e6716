"""A saved game to study: found in, counted, remarked upon, branched, exported."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from engine.core.archive import Comment, SaveFault
from engine.core.record import replace
from engine.tabletop.ask import AskSome, Choice
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.replay import luck
from tui.replay.branches import Branch, branches
from tui.replay.history import History
from tui.replay.losses_table import Reckoning
from tui.replay.moments import described, examples
from tui.replay.query import BadQuery, Query, parse
from tui.replay.timeline import KINDS, Kind, Moment
from tui.screens.exporting import ExportScreen
from tui.widgets.jobs import begin
from tui.widgets.timeline_bar import sign

if TYPE_CHECKING:
    from tui.screens.log import Leads

_SLICE = 40
"""Entries of a log that are read before keys are listened to again."""

_MOST = 400
"""Moments that a list shows."""

_REMEMBERED = 8
"""Queries that are offered again."""

_TOLD = 40
"""Branches of which the list tells how they ended; that costs some milliseconds each."""

_ROW = 68
"""Characters of a row of the tree."""

_LONGEST_COMMENT = 500
"""Characters."""

_HELP = (
    "12 or r7: to that entry or round. Or ask for moments:",
    "move attack loss capture work phase round end, won lost",
    "chance amount luck round seat other piece target x y",
    "= != < <= > >= ~(has in it)  and or not ( )",
)
"""What the find box takes, in short."""


class ReplayScreen(ExportScreen):
    """The watched game, and what can be asked of it. Ends with the entry to go on from."""

    # -- finding ---------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Go to an entry or a round, or find moments by a query."""
        from tui.screens.study import TypeLine  # noqa: PLC0415 - not before it is needed

        known = list(
            dict.fromkeys([*self.shell.asked[:_REMEMBERED], *examples(self.viewing.seats)])
        )
        lines = [Line(text, Tone.QUIET) for text in _HELP]
        window = TypeLine("Find", lines, check=self._wrong, examples=known)
        self.app.push_screen(window, self._find)

    def _wrong(self, text: str) -> str:
        """What is wrong with what was typed."""
        if self.viewing.place_named(text) is not None:
            return ""
        try:
            self._parse(text)
        except BadQuery as bad:
            return str(bad)
        return ""

    def _parse(self, text: str) -> Query:
        numbers = (
            self.viewing.rules.statistics(self.viewing.state) if self.viewing.may_count else ()
        )
        return parse(text, self.viewing.seats, tuple(numbers))

    def _find(self, text: str | None) -> None:
        if text is None:
            return
        place = self.viewing.place_named(text)
        if place is not None:
            self._seek(place)
            return
        self.shell.asked = list(dict.fromkeys([text, *self.shell.asked]))
        self.hits = self._parse(text).search(self.viewing.story)
        if not self.hits:
            rest = "" if self.viewing.story.is_whole else ", as far as the log has been read"
            self.remark(f"Nothing like that happened{rest}: {text}")
            return
        self._list_hits()

    def _list_hits(self) -> None:
        from tui.screens.study import Pick  # noqa: PLC0415 - not before it is needed

        hits, seats = self.hits, self.viewing.seats
        here = next((n for n, hit in enumerate(hits) if hit.index >= self.viewing.index), 0)
        first = max(0, min(here - _MOST // 2, len(hits) - _MOST))
        shown = range(first, min(len(hits), first + _MOST))
        choices = tuple(Choice(str(n), described(hits[n], seats)) for n in shown)
        title = f"{len(hits)} found" + ("" if len(shown) == len(hits) else f", {_MOST} shown")
        self.app.push_screen(Pick(title, choices, here - first), self._chosen_hit)

    def _chosen_hit(self, value: str | None) -> None:
        if value is None:
            return
        hit: Moment = self.hits[int(value)]
        self._seek(hit.index, hit.event + 1)
        self.call_after_refresh(self.remark, self.hit_text(int(value)))

    # -- how it is looked at ---------------------------------------------------------------------

    def action_kinds(self) -> None:
        """Choose which markers there are; the list is the legend as well."""
        from tui.screens.study import ChooseKinds  # noqa: PLC0415 - not before it is needed

        glyphs = self.shell.glyphs
        choices = tuple(Choice(kind, f"{sign(kind, glyphs)}  {KINDS[kind]}") for kind in KINDS)
        asked = AskSome("Markers", choices, 0, len(choices))
        chosen = {number for number, kind in enumerate(KINDS) if kind in self.kinds}
        self.app.push_screen(ChooseKinds(asked, chosen), self._take_kinds)

    def _take_kinds(self, answer: str | None) -> None:
        if answer is not None:
            words = set(answer.split(">"))
            self.kinds = frozenset[Kind](kind for kind in KINDS if kind in words)
            self._mark()

    def action_viewer(self) -> None:
        """Choose with whose eyes to look."""
        from tui.screens.study import Pick  # noqa: PLC0415 - not before it is needed

        watch = self.viewing
        choices = tuple(Choice(str(viewer), watch.name_of(viewer)) for viewer in watch.viewers)
        begin = watch.viewers.index(watch.viewer)
        title = "Seen by" if not watch.is_secret else "Seen by (all of it when the game is over)"

        def chosen(value: str | None) -> None:
            if value is not None:
                self._go(lambda: watch.look_as(int(value)))
                self.hits = []
                self._read_on()

        self.app.push_screen(Pick(title, choices, begin), chosen)

    def action_charts(self) -> None:
        """How the numbers of the seats went."""
        from tui.screens.study import Charts  # noqa: PLC0415 - not before it is needed

        story = self.viewing.story
        if not story.numbers:
            key = self.key_names().get("replay.reports", "?")
            self.remark(f"The numbers of all seats are not for this view yet; {key}: what is.")
            return
        series = {name: story.history(name) for name in story.numbers[0]}
        self.app.push_screen(Charts(series, self.viewing.seats))

    def action_reports(self) -> None:
        """Tables of what the viewer owned and knew at this moment, and how it came to that."""
        from tui.screens.reports import ReportsScreen  # noqa: PLC0415 - not before it is needed

        watch = self.viewing
        found = watch.presenter.reports(watch.view)
        line = watch.line[: watch.index + 1]
        screen = ReportsScreen(found, lambda: History(watch.rules, line, watch.viewer), watch.seats)
        self.app.push_screen(screen, self.go_if_told)

    def action_luck(self) -> None:
        """What chance gave so far against what it could be expected to give, by rounds."""
        from tui.screens.pages import Page, PagesScreen  # noqa: PLC0415 - not before it is needed

        here, names = self.viewing.index, self.viewing.seats
        moments = [m for m in self.viewing.story.moments if m.index <= here]
        pages = [Page("So far", luck.lines(luck.ledger(m.fact for m in moments), names))]
        for number in sorted({moment.round for moment in moments}):
            made = luck.ledger(m.fact for m in moments if m.round == number)
            if not made.is_empty:
                pages.append(Page(f"Round {number}", luck.lines(made, names)))
        self.app.push_screen(PagesScreen(pages))

    def action_losses(self) -> None:
        """Who lost what and why, up to here."""
        begin(self, self._show_losses, "losses")

    async def _show_losses(self) -> None:
        from tui.screens.log import LogScreen, reckoned  # noqa: PLC0415 - not before it is needed

        watch = self.viewing
        line = watch.line[: watch.index + 1]
        reckoning = Reckoning(watch.rules, line, watch.viewer)
        for done in reckoning.walk():
            if done % _SLICE == 0:
                self.remark(f"Reading the game: {done} of {len(line)} entries.")
                await asyncio.sleep(0)
        self.sync()  # the log is read: the hint no longer says how far
        pages = reckoned(reckoning.rows, watch.seats, watch.viewer)

        def chosen(found: tuple[Leads, Line] | None) -> None:
            if found is None:
                return
            leads, said = found
            if leads == "moment":
                self._seek(next((n for n, e in enumerate(line) if e.seq == said.entry), 0))
            elif said.at is not None:
                self.go_to(*said.at)

        self.app.push_screen(LogScreen(pages, at_end=False), chosen)

    def action_why(self) -> None:
        """The rule behind what happened here."""
        rules = [line.rule for line in self.viewing.said() if line.rule]
        self.show_help(rules[0] if rules else "")

    # -- remarks ---------------------------------------------------------------------------------

    def action_comment(self) -> None:
        """Write a remark at this entry, change it, or take it back by leaving nothing of it."""
        from tui.screens.study import TypeLine  # noqa: PLC0415 - not before it is needed

        lines = [Line("Kept in the save. Nothing in it: the comment goes.", Tone.QUIET)]
        preset = self.viewing.comment()
        window = TypeLine("Comment at this entry", lines, preset=preset, check=_too_long)
        self.app.push_screen(window, self._keep_comment)

    def _keep_comment(self, text: str | None) -> None:
        if text is None or text.strip() == self.viewing.comment():
            return
        comment = Comment(self.viewing.entry.seq, text.strip())
        try:
            self._write_comment(comment)
        except SaveFault as fault:
            self.remark(f"Not kept: {fault}")
            return
        known = self.viewing.opened
        self.viewing.opened = replace(known, comments=(*known.comments, comment))
        self._mark()
        self.sync()

    def _write_comment(self, comment: Comment) -> None:
        """Through the save of the game that is played, or a moment's opening of it."""
        playing = self.viewing.opened.file
        if playing is not None:
            playing.comment(comment)
            return
        assert self.archive is not None  # noqa: S101 - the action was refused without one
        opened = self.archive.open(self.name_of_save)
        if opened.file is not None:
            try:
                opened.file.comment(comment)
            finally:
                opened.file.close()

    def action_comments(self) -> None:
        """All comments of this line, to go to one."""
        from tui.screens.study import Pick  # noqa: PLC0415 - not before it is needed

        remarks, watch = self.viewing.comments(), self.viewing
        choices = tuple(
            Choice(str(place), f"#{place + 1:<5} {remarks[entry.seq]}")
            for place, entry in enumerate(watch.line)
            if entry.seq in remarks
        )
        if not choices:
            key = self.key_names().get("replay.comment", "?")
            self.remark(f"There are no comments yet; {key} writes one.")
            return
        begin = sum(int(choice.value) < watch.index for choice in choices) % len(choices)

        def chosen(value: str | None) -> None:
            if value is not None:
                self._seek(int(value))

        self.app.push_screen(Pick("Comments", choices, begin), chosen)

    # -- branches --------------------------------------------------------------------------------

    def action_branches(self) -> None:
        """The tree of branches: watch one, or go on with it."""
        from tui.screens.study import BranchTree  # noqa: PLC0415 - not before it is needed

        found = branches(self.viewing.opened.log, ascii_only=self.shell.glyphs == "ascii")
        choices = tuple(
            Choice(str(branch.head), self._branch_text(branch, tell=number < _TOLD))
            for number, branch in enumerate(found)
        )
        watched = self.viewing.line[-1].seq
        begin = next((n for n, branch in enumerate(found) if branch.head == watched), 0)
        self.app.push_screen(BranchTree("Branches", choices, begin), self._chosen_branch)

    def _branch_text(self, branch: Branch, *, tell: bool) -> str:
        watch = self.viewing
        own = branch.length - branch.leaves - 1
        text = f"{branch.lead}{own} {'entry' if own == 1 else 'entries'}"
        text += f" after entry {branch.leaves + 1}" if branch.leaves >= 0 else ""
        text += f": {watch.ending(branch.head)}" if tell else ""
        text += " (the game)" if watch.opened.log.head == branch.head else ""
        text += " (watched)" if watch.line[-1].seq == branch.head else ""
        remark = watch.comment_between(branch.leaves, branch.head)
        text += f' "{remark}"' if remark else ""
        return text if len(text) <= _ROW else text[: _ROW - 3] + "..."

    def _chosen_branch(self, value: str | None) -> None:
        if value is None:
            return
        if value.startswith("go "):
            self.dismiss(int(value.removeprefix("go ")))
            return
        self._go(lambda: self.viewing.follow(int(value)))
        self.hits = []
        self._read_on()


def _too_long(text: str) -> str:
    over = len(text) - _LONGEST_COMMENT
    return f"{over} characters too long" if over > 0 else ""
