"""Study of a watched game: found moments, markers, comments, branches, charts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, assert_never

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from engine.core.archive import Archive, Comment, SaveFault
from engine.core.record import replace
from engine.tabletop.ask import AskSome, Choice
from engine.tabletop.board import Line
from engine.tabletop.english import many
from engine.tabletop.roles import Tone
from tui.play.report_words import rounds_in_words
from tui.replay.query import BadQuery, Query, described, examples, parse
from tui.replay.timeline import KINDS, USUAL, Branch, Marker, MarkerKind, Moment, branches, near
from tui.replay.watch import Watch
from tui.screens.ask import ChooseOne, ChooseSome
from tui.screens.dialog import ChoiceList, Dialog, TypeLine
from tui.screens.frame import ask
from tui.screens.map import MapScreen
from tui.settings import keys
from tui.widgets.charts import chart
from tui.widgets.timeline_bar import sign

_MOST = 400
"""Maximum number of moments in a list."""

_REMEMBERED = 8
"""Maximum number of earlier queries that are offered again."""

_TOLD = 40
"""Maximum number of branches whose end the list shows; each costs some milliseconds."""

_ROW = 68
"""Characters of a row of the tree."""

_LONGEST_COMMENT = 500
"""Maximum number of characters of a comment."""

_HELP = (
    "12 or r7: to that entry or round. Or ask for moments:",
    "move attack loss capture work phase round end, won lost",
    "chance amount luck round seat other piece target x y",
    "= != < <= > >= ~(has in it)  and or not ( )",
)
"""Short syntax of the find box."""


class WatchScreen(MapScreen[int]):
    """A screen on which a log is watched, as its parts need it."""

    viewing: Watch

    def seek(self, index: int, part: int = -1) -> None:
        """Go to an entry, or to one of its events."""
        raise NotImplementedError

    def go(self, way: Callable[[], None]) -> None:
        """Go somewhere with ``way``, and draw it once no key is pending."""
        raise NotImplementedError

    def mark(self) -> None:
        """Redraw the markers on the timeline."""
        raise NotImplementedError

    def read_on(self) -> None:
        """Read the rest of the log in the background."""
        raise NotImplementedError


# -- moments and markers -------------------------------------------------------------------------


class MomentFinder:
    """The moments found by a query, and the markers on the timeline."""

    def __init__(self, screen: WatchScreen) -> None:
        self._screen = screen
        self._watch = screen.viewing
        self.kinds: frozenset[MarkerKind] = USUAL
        """The visible kinds of markers."""
        self.hits: list[Moment] = []
        """Moments that match the last query; n and N step through them."""

    def ask(self) -> None:
        """Ask for an entry or a round to go to, or for a query that finds moments."""
        known = list(
            dict.fromkeys([*self._screen.shell.asked[:_REMEMBERED], *examples(self._watch.seats)])
        )
        lines = [Line(text, Tone.QUIET) for text in _HELP]
        window = TypeLine("Find", lines, check=self._wrong, examples=known)
        ask(self._screen.app, window, self._find)

    def _wrong(self, text: str) -> str:
        """Return the fault of a query, or an empty text."""
        if self._watch.place_named(text) is not None:
            return ""
        try:
            self._parse(text)
        except BadQuery as bad:
            return str(bad)
        return ""

    def _parse(self, text: str) -> Query:
        numbers = self._watch.rules.statistics(self._watch.state) if self._watch.may_count else ()
        return parse(text, self._watch.seats, tuple(numbers))

    def _find(self, text: str) -> None:
        place = self._watch.place_named(text)
        if place is not None:
            self._screen.seek(*place)
            return
        self._screen.shell.asked = list(dict.fromkeys([text, *self._screen.shell.asked]))
        self.hits = self._parse(text).search(self._watch.story)
        if not self.hits:
            rest = "" if self._watch.story.is_whole else ", as far as the log has been read"
            self._screen.remark(f"Nothing like that happened{rest}: {text}")
            return
        self._list_hits()

    def _list_hits(self) -> None:
        hits, seats = self.hits, self._watch.seats
        here = next((n for n, hit in enumerate(hits) if hit.index >= self._watch.index), 0)
        first = max(0, min(here - _MOST // 2, len(hits) - _MOST))
        shown = range(first, min(len(hits), first + _MOST))
        choices = tuple(Choice(str(n), described(hits[n], seats)) for n in shown)
        title = f"{len(hits)} found" + ("" if len(shown) == len(hits) else f", {_MOST} shown")
        window = ChooseOne(title, choices, begin=here - first)
        ask(self._screen.app, window, self._chosen_hit)

    def _chosen_hit(self, value: str) -> None:
        hit: Moment = self.hits[int(value)]
        self._screen.seek(hit.index, hit.event + 1)
        self._screen.remark(self.hit_text(int(value)))

    def forget(self) -> None:
        """Forget the moments that were found."""
        self.hits = []

    def show_hit(self, by: int) -> None:
        """Go to the next or previous moment that was found."""
        here = self._watch.index, self._watch.part - 1
        places = [(hit.index, hit.event) for hit in self.hits]
        at = bisect_right(places, here) if by > 0 else bisect_left(places, here) - 1
        if not 0 <= at < len(places):
            self._screen.remark(
                f"That is the {'last' if by > 0 else 'first'} of {len(places)} found."
            )
            return
        hit = self.hits[at]
        self._screen.go(lambda: self._watch.seek(hit.index, hit.event + 1))
        self._screen.remark(self.hit_text(at))

    def hit_text(self, at: int) -> str:
        """Return ``found 2 of 5`` with the keys to the others, for the index of a found moment."""
        names = self._screen.key_names()
        on, back = names.get("replay.round-on", "?"), names.get("replay.hit-back", "?")
        return f"found {at + 1} of {len(self.hits)}: {on} and {back} go on and back, Esc ends"

    # -- markers ---------------------------------------------------------------------------------

    def markers(self) -> list[Marker]:
        """Return the markers of the visible kinds."""
        watch = self._watch
        places = {entry.seq: place for place, entry in enumerate(watch.line)}
        remarks = [Marker(places[seq], "comment") for seq in watch.comments() if seq in places]
        return [m for m in (*remarks, *watch.story.markers) if m.kind in self.kinds]

    def go_to_marker(self, by: int) -> None:
        """Go to the next marker or the previous one."""
        marker = near(self.markers(), self._watch.index, by)
        if marker is None:
            rest = "" if self._watch.story.is_whole else " The log is still being read."
            self._screen.remark(f"There is no marker {'after' if by > 0 else 'before'} this.{rest}")
            return
        self._screen.seek(marker.index)
        self._screen.remark(self._marker_text(marker))

    def _marker_text(self, marker: Marker) -> str:
        watch, who = self._watch, self._watch.name_of(marker.seat) if marker.seat >= 0 else ""
        match marker.kind:
            case "comment":
                text = f"Comment: {watch.comment()}"
            case "end":
                text = "The end"
            case "lead":
                text = f"{who} leads now"
            case "round":
                word = watch.presenter.round_word.capitalize()
                text = f"{word} {watch.story.round_at(marker.index)} begins"
            case "phase":
                text = f"Phase: {watch.status.phase}"
            case "loss":
                text = f"Lost: {who}: {marker.text}"
            case "capture":
                text = f"Captured by {who}: {marker.text}"
            case "battle":
                text = f"Battle: {who}: {marker.text}"
            case _:
                assert_never(marker.kind)
        return f"{sign(marker.kind, self._screen.shell.glyphs)}  {text}"

    def choose_kinds(self) -> None:
        """Let the player choose the visible kinds of markers; the list explains them too."""
        glyphs = self._screen.shell.glyphs
        choices = tuple(Choice(kind, f"{sign(kind, glyphs)}  {KINDS[kind]}") for kind in KINDS)
        asked = AskSome("Markers", choices, 0, len(choices))
        chosen = {number for number, kind in enumerate(KINDS) if kind in self.kinds}
        ask(self._screen.app, ChooseSome(asked, chosen), self._take_kinds)

    def _take_kinds(self, answer: str) -> None:
        words = set(answer.split(">"))
        self.kinds = frozenset[MarkerKind](kind for kind in KINDS if kind in words)
        self._screen.mark()


# -- comments ------------------------------------------------------------------------------------


class Comments:
    """The comments at entries of a watched game; they are stored in its save."""

    def __init__(self, screen: WatchScreen, archive: Archive | None, name_of_save: str) -> None:
        """Write comments into a save of ``archive``; None if writing is not allowed."""
        self._screen = screen
        self._watch = screen.viewing
        self._archive = archive
        self._name_of_save = name_of_save

    def write(self) -> None:
        """Ask for the comment at this entry; an empty text deletes the comment."""
        lines = [Line("Kept in the save. Nothing in it: the comment goes.", Tone.QUIET)]
        preset = self._watch.comment()
        window = TypeLine("Comment at this entry", lines, preset=preset, check=_too_long)
        ask(self._screen.app, window, self._keep_comment)

    def _keep_comment(self, text: str) -> None:
        if text.strip() == self._watch.comment():
            return
        comment = Comment(self._watch.entry.seq, text.strip())
        try:
            self._write_comment(comment)
        except SaveFault as fault:
            self._screen.remark(f"Not kept: {fault}")
            return
        known = self._watch.opened
        self._watch.opened = replace(known, comments=(*known.comments, comment))
        self._screen.mark()
        self._screen.sync()

    def _write_comment(self, comment: Comment) -> None:
        """Write through the save of the game in progress, or open its save briefly."""
        playing = self._watch.opened.file
        if playing is not None:
            playing.comment(comment)
            return
        assert self._archive is not None  # noqa: S101 - the action was refused without one
        opened = self._archive.open(self._name_of_save)
        if opened.file is not None:
            try:
                opened.file.comment(comment)
            finally:
                opened.file.close()

    def choose(self) -> None:
        """List the comments of this line, and go to the chosen one."""
        remarks, watch = self._watch.comments(), self._watch
        choices = tuple(
            Choice(str(place), f"#{entry.seq:<5} {remarks[entry.seq]}")
            for place, entry in enumerate(watch.line)
            if entry.seq in remarks
        )
        if not choices:
            key = self._screen.key_names().get("replay.comment", "?")
            self._screen.remark(f"There are no comments yet; {key} writes one.")
            return
        begin = sum(int(choice.value) < watch.index for choice in choices) % len(choices)
        window = ChooseOne("Comments", choices, begin=begin)
        ask(self._screen.app, window, lambda value: self._screen.seek(int(value)))


def _too_long(text: str) -> str:
    over = len(text) - _LONGEST_COMMENT
    return f"{over} characters too long" if over > 0 else ""


# -- branches and viewers ------------------------------------------------------------------------


class LineChooser:
    """Choice of the branch and of the viewer in a watched game."""

    def __init__(self, screen: WatchScreen, forget_hits: Callable[[], None]) -> None:
        """Change the line and viewer of ``watch``; call ``forget_hits`` after a change."""
        self._screen = screen
        self._watch = screen.viewing
        self._forget_hits = forget_hits

    def choose(self) -> None:
        """Show the tree of branches; watch the chosen one, or continue it."""
        found = branches(self._watch.opened.log, ascii_only=self._screen.shell.glyphs == "ascii")
        choices = tuple(
            Choice(str(branch.head), self._branch_text(branch, tell=number < _TOLD))
            for number, branch in enumerate(found)
        )
        watched = self._watch.line[-1].seq
        begin = next((n for n, branch in enumerate(found) if branch.head == watched), 0)
        ask(self._screen.app, BranchTree("Branches", choices, begin=begin), self._chosen_branch)

    def _branch_text(self, branch: Branch, *, tell: bool) -> str:
        watch = self._watch
        own = branch.length - branch.leaves - 1
        text = f"{branch.lead}{many(own, 'entry', 'entries')}"
        if branch.leaves >= 0:
            text += f" after entry {watch.opened.log.line(branch.head)[branch.leaves].seq}"
        text += f": {watch.ending(branch.head)}" if tell else ""
        text += " (the game)" if watch.opened.log.head == branch.head else ""
        text += " (watched)" if watch.line[-1].seq == branch.head else ""
        remark = watch.comment_between(branch.leaves, branch.head)
        text += f' "{remark}"' if remark else ""
        return text if len(text) <= _ROW else text[: _ROW - 3] + "..."

    def _chosen_branch(self, value: str) -> None:
        if value.startswith("go "):
            self._screen.dismiss(int(value.removeprefix("go ")))
            return
        self._change(lambda: self._watch.follow(int(value)))

    def _change(self, way: Callable[[], None]) -> None:
        """Change the line or the viewer: forget the found moments, and read the log again."""
        self._screen.go(way)
        self._forget_hits()
        self._screen.read_on()

    def choose_viewer(self) -> None:
        """Ask as which viewer to watch."""
        watch = self._watch
        choices = tuple(Choice(str(viewer), watch.name_of(viewer)) for viewer in watch.viewers)
        begin = watch.viewers.index(watch.viewer)
        title = "Seen by" if not watch.is_secret else "Seen by (all of it when the game is over)"

        def chosen(value: str) -> None:
            self._change(lambda: watch.look_as(int(value)))

        ask(self._screen.app, ChooseOne(title, choices, begin=begin), chosen)


class BranchTree(ChooseOne):
    """Window of the branches: watch one, or continue it."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("branches")
    keys_text = "Enter: watch   g: go on playing there   Esc: back"

    def action_go_on(self) -> None:
        """Close to continue the chosen branch at its end."""
        at = self.query_one(ChoiceList).highlighted
        if at is not None:
            self.dismiss(f"go {self._choices[at].value}")


# -- charts --------------------------------------------------------------------------------------


class Charts(Dialog[None]):
    """Window of charts: a statistic of all seats by rounds, one at a time."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("charts")
    keys_text = "Left, right: other numbers   Esc: back"

    def __init__(
        self,
        series: Mapping[str, Sequence[Sequence[int]]],
        names: Sequence[str],
        word: str = "round",
        first: int = 1,
    ) -> None:
        """Show ``series`` (a sequence per seat, by name of the statistic) from round ``first`` on.

        ``word`` is the game's word for a round.
        """
        super().__init__("")
        self._word, self._first = word, first
        self._series = dict(series)
        self._names = tuple(names)
        self._at = 0

    def body(self) -> ComposeResult:
        """Yield the chart."""
        yield Static("", id="chart")

    def on_mount(self) -> None:
        """Draw the chart."""
        self.action_turn(0)

    def on_resize(self) -> None:
        """Draw the chart for the new size."""
        self.action_turn(0)

    def dress(self) -> None:
        """Draw the chart with the chosen colours and signs."""
        super().dress()
        self.action_turn(0)

    def action_turn(self, by: int) -> None:
        """Draw the next statistic, or the previous one."""
        self._at = (self._at + by) % len(self._series)
        name = list(self._series)[self._at]
        shell = self.shell
        width, height = min(self.app.size.width - 8, 110), min(self.app.size.height - 8, 30)
        box = self.query_one("#box")
        box.styles.max_width = width + 4
        self.query_one("#title", Static).update(
            f"{name}, by {self._word}s ({self._at + 1} of {len(self._series)})"
        )
        area = self.query_one("#chart", Static)
        area.styles.width, area.styles.height = width, height
        if shell.settings.reader == "on":
            told = rounds_in_words(self._series[name], self._names, self._word, self._first)
            area.update("\n".join(told))
            return
        drawn = chart(
            self._series[name], self._names, width, height, shell.palette, shell.glyphs,
            first=self._first,
        )  # fmt: skip
        area.update(drawn if drawn.plain else "There is no room for a chart.")
