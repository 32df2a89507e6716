"""Result of a game: a big word, the winner's banner, a summary, statistics and a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import ClassVar, Final, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import OptionList, Static

from engine.core.archive import SeatPlayer
from engine.core.ids import REFEREE, Seat
from engine.core.record import replace
from engine.core.ruleset import Outcome
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.english import joined, many
from engine.tabletop.fact import GAVE_UP
from engine.tabletop.presenter import AnyPresenter, presenter_of
from engine.tabletop.roles import Tone
from tui.play.outcome import endings, numbers
from tui.play.playback import pieces_of, told_of
from tui.play.seats import with_sides
from tui.play.session import Session
from tui.play.table_protocol import TableProtocol
from tui.replay.luck import ledger, summary
from tui.replay.timeline import Moment, Story
from tui.screens.dialog import ChoiceList, option
from tui.screens.frame import Small
from tui.screens.menu import MenuScreen
from tui.settings import keys
from tui.style.scene import Banner, Canvas, Sky, field_of, spelt_out, word_fits
from tui.widgets.charts import SMALLEST, chart
from tui.widgets.jobs import begin, sliced
from tui.widgets.panels import Bar, Rows
from tui.widgets.scenery import Scenery

_WAYS: Final[tuple[tuple[str, str], ...]] = (
    ("replay", "Watch the replay"),
    ("look", "Look at the map"),
    ("again", "Again with the same settings"),
)

_WIDEST: Final = 90
_HIGHEST: Final = 18
"""Maximum columns and rows of the chart; more would only stretch it."""

_LEAST_SCENE: Final = 5
"""Rows of the scene in a window of the usual size."""

_ROOM: Final = 22
"""Minimum rows of a window that shows a scene."""

_KEPT: Final = len(_WAYS) + 4
"""Rows for the choices and the first of the numbers."""

_SKIES: Final[dict[bool | None, Sky]] = {True: "dawn", False: "embers", None: "dusk"}


class _ChartArea(Static):
    """The place of the chart, which is drawn to fit."""

    def on_resize(self) -> None:
        if isinstance(self.screen, ResultScreen):
            self.screen.draw_chart()


class _LeftArea(Vertical):
    """The place of the numbers and the choices, which share its rows."""

    def on_resize(self) -> None:
        """Redistribute the rows; when the screen opens, there is no size before this."""
        if isinstance(self.screen, ResultScreen):
            self.screen.draw_middle()


class ResultScreen(MenuScreen[str]):
    """Result of a game.

    It closes with ``replay``, ``why``, ``fate``, ``look``, ``again`` or ``left``.

    ``why`` and ``fate`` are pages of the replay.
    """

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("result")
    keys_text = (
        "Enter: choose   {key:result.why}: why   {key:result.fate}: when it was decided   "
        "{key:result.leave}: look at the map"
    )
    _keys_untried = "Enter: choose   {key:result.why}: why   {key:result.leave}: look at the map"

    def __init__(
        self,
        table: TableProtocol,
        session: Session,
        *,
        may_begin: bool = True,
        tries_moments: bool = True,
        home: str = "title",
    ) -> None:
        """Show the result of a table's game.

        ``home`` names the screen to which the person goes back.

        ``may_begin`` is True if the person may begin another game. ``tries_moments`` is True if
        this program plays games to find out when this one was decided.
        """
        super().__init__()
        self._tries_moments = tries_moments
        if not tries_moments:
            self._keys_now = self._keys_untried
        self._ways = [way for way in _WAYS if may_begin or way[0] != "again"]
        self._ways.append(("left", f"Back to the {home}"))
        self.heading = session.status.text
        self._table = table
        self._session = session
        # Secrets are revealed once a game is over; until then a seat sees only its own view.
        eyes = REFEREE if table.outcome() is not None else session.viewer
        self._story = table.chronicle(eyes).story()
        here = [player.seat for player in table.players if table.is_here(player.seat)]
        sides = [replace(one, name=table.side_name(one.seat)) for one in table.players]
        self._names = [one.name for one in sides]
        self.verdict = verdict(table.outcome(), sides, here)
        self._word = ""
        self._scenery = Scenery(self._paint, _SKIES[self.verdict.is_won], id="scenery")
        self._tale: list[Line] = []
        self._rows_of_numbers = Rows(id="numbers")

    def compose(self) -> ComposeResult:
        """Yield the scene and the summary, then numbers and choices beside a chart."""
        yield Bar(id="heading")
        yield self._scenery
        yield Rows(id="why")
        with Container(id="middle"):
            with _LeftArea(id="left"):
                yield self._rows_of_numbers
                yield ChoiceList(*(option(label, value=value) for value, label in self._ways))
            yield _ChartArea("", id="chart")
        yield Bar(id="keys")
        yield Small()

    def on_mount(self) -> None:
        """Show what is known at once, and read the log for the rest."""
        self.choices.focus()
        begin(self, self._count, "history")

    def on_screen_suspend(self) -> None:
        """Stop animating while the screen is hidden."""
        self._scenery.move(on=False)

    def on_screen_resume(self) -> None:
        """Start animating when the screen is visible again."""
        self.dress()

    def dress(self) -> None:
        """Apply the chosen colours, also to the scene and the lines."""
        super().dress()
        shell = self.shell
        if self.verdict.winner != NOBODY:
            livery = shell.palette.livery(self.verdict.winner)
            self._scenery.banner_colours = livery.ink, livery.idle_back
            if self.verdict.is_won is None:
                self._scenery.letter_colour = livery.ink
        self._scenery.dress(shell.glyphs, shell.palette)
        self._scenery.move(on=shell.may_wave and self.app.screen is self)
        self.share_room()

    # -- sharing the room --------------------------------------------------------------------------

    def share_room(self) -> None:
        """Give the scene its rows if they fit, and wrap the lines again."""
        super().share_room()
        width, height = self.app.size
        shell = self.shell
        shown = height >= _ROOM and shell.settings.reader == "off"
        rows = max(_LEAST_SCENE, height // 4) if shown else 0
        self._scenery.display = shown
        self._scenery.styles.height = rows
        self._word = ""
        tall = 1 if shell.glyphs == "ascii" else 2
        for word in self.verdict.words:
            big = spelt_out(word)
            if shown and big and word_fits(big, width, rows, tall):
                self._word = big
                break
        self._scenery.draw_again()
        self.call_after_refresh(self._draw)

    def _paint(self, canvas: Canvas) -> Banner | None:
        return field_of(self._word, canvas)

    # -- text --------------------------------------------------------------------------------------

    async def _count(self) -> None:
        """Read the log in slices, so that keys are handled in between."""
        async for _ in sliced(self._story.walk()):
            pass
        self._tale = tale(self._story, self._session.presenter, self._full_names)
        self.call_after_refresh(self._draw)

    @property
    def _full_names(self) -> list[str]:
        return with_sides(self._names, self._session.presenter, self._session.view)

    def _draw(self) -> None:
        """Show how the game ended; the parts below follow once this is laid out."""
        why = self.query_one("#why", Rows)
        session = self._session
        ending = endings(session.presenter, session.view, session.names)
        lines = [] if self._word else [Line(self.verdict.words[0], Tone.TITLE)]
        rows = why.wrapped([*lines, *ending, *self._tale])
        free = self.app.size.height - self._scenery_rows - 2 - _KEPT
        rows = rows[: max(1, free)]
        why.styles.height = len(rows)
        why.put(rows)
        self.call_after_refresh(self.draw_middle)

    def draw_middle(self) -> None:
        """Draw the table above the choices, and the chart."""
        table, story, area = self._table, self._story, self._rows_of_numbers
        texts = presenter_of(table.rules).new_game
        told = numbers(table.numbers(), table.players, table.outcome(), area.size.width, texts)
        room = self.query_one("#left").size.height - len(self._ways)
        if story.is_whole:
            fortune = ledger(moment.fact for moment in story.moments)
            luck = summary(fortune, self._full_names)
            if len(told) + 1 + len(luck) < room:
                told += [Line(""), *luck]
            self.draw_chart()
        rows = area.wrapped(told)[: max(0, room)]
        area.styles.height = min(room, len(rows) + 1)
        area.put(rows)

    @property
    def _scenery_rows(self) -> int:
        return self._scenery.size.height if self._scenery.display else 0

    def draw_chart(self) -> None:
        """Draw the leading number round by round, once all rounds are known."""
        if not self._story.is_whole:
            return
        area, shell = self.query_one("#chart", Static), self.shell
        lead = self._session.presenter.lead
        series = self._story.history(lead)
        width, height = area.size
        if not series or width < SMALLEST[0] or height <= SMALLEST[1]:
            return
        width, rows = min(width, _WIDEST), min(height - 1, _HIGHEST)
        drawn = chart(
            series, self._names, width, rows, shell.palette, shell.glyphs,
            first=self._story.first_round,
        )  # fmt: skip
        word = self._session.presenter.round_word
        area.update(Text(f"{lead}, by {word}s\n").append_text(drawn))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for the choice ``fate`` if this program cannot find out the moment."""
        if (action, parameters) == ("open_replay", ("fate",)) and not self._tries_moments:
            return False
        return super().check_action(action, parameters)

    def action_open_replay(self, page: str) -> None:
        """Close to open a page of the replay."""
        self.dismiss(page)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the selected choice."""
        self.dismiss(event.option_id)


# -- summary of the game ---------------------------------------------------------------------------


class ResultVerdict(NamedTuple):
    """Result of a game for the people at one screen."""

    words: tuple[str, ...]
    """Words for the result, the preferred one first; later ones are shorter."""
    is_won: bool | None
    """True or False for players at this screen; None for spectators, or if only some of them won.
    """
    winner: Seat
    """First of the winners, or NOBODY."""


def verdict(
    outcome: Outcome | None, players: Sequence[SeatPlayer], here: Iterable[Seat]
) -> ResultVerdict:
    """Return the result as seen from the seats ``here``; without any, as seen by a spectator."""
    winners = outcome.winners if outcome is not None else ()
    if not winners:
        return ResultVerdict(("Draw",), None, NOBODY)
    won = {seat in winners for seat in here}
    if len(won) == 1:
        is_won = won.pop()
        return ResultVerdict(("Victory" if is_won else "Defeat",), is_won, winners[0])
    names = [player.name for player in players if player.seat in winners]
    words = (" and ".join(names), *(name.split()[0] for name in names[:1] if name.split()))
    return ResultVerdict((*words, "Victory"), None, winners[0])


# -- the sentences ---------------------------------------------------------------------------------


def tale(story: Story, presenter: AnyPresenter, names: Sequence[str]) -> list[Line]:
    """Return the summary of a completely read story; sentences without content are left out.

    It reveals no more than the story, which was made for one viewer.
    """
    found = [
        _gave_up(story, names),
        _lead(story, names),
        _heaviest(story.moments, names, presenter.round_word),
        _last_blow(story, presenter),
        _length(story),
    ]
    return [line for line in found if line is not None]


def _name(names: Sequence[str], seat: Seat) -> str:
    return names[seat] if 0 <= seat < len(names) else "nobody"


def _gave_up(story: Story, names: Sequence[str]) -> Line | None:
    """Return a sentence on who gave up, and when, or None."""
    word = presenter_of(story.rules).round_word
    found = [
        (moment.fact.seat, max(1, moment.round))
        for moment in story.moments
        if moment.fact.kind == "other" and moment.fact.target.startswith(GAVE_UP)
    ]
    if not found:
        return None
    told = joined([f"{_name(names, seat)} gave up in {word} {number}" for seat, number in found])
    return Line(f"{told}.", seat=found[0][0] if len(found) == 1 else NOBODY)


def _lead(story: Story, names: Sequence[str]) -> Line | None:
    """Return a sentence on which sides led, and since when, or None; a tie is no lead."""
    if not story.leads:
        return None
    word = presenter_of(story.rules).round_word
    alone = [seats[0] for _, seats in story.leads if len(seats) == 1]
    if not alone:
        return Line("No side ever led.")
    index, last = story.leads[-1]
    changes, number = sum(a != b for a, b in pairwise(alone)), story.round_of(index)
    changed = f"The lead changed {_times(changes)}. " if changes else ""
    seat, name = alone[-1], _name(names, alone[-1])
    if len(last) > 1:
        text = f"{name} led last, until {word} {number}; at the end no side led."
    elif changes or len(alone) > 1:
        text = f"{name} took {'it' if changed else 'the lead'} for good in {word} {number}."
    elif index:
        text = f"{name} took the lead in {word} {number} and kept it."
    else:
        text = f"{name} led from beginning to end."
    return Line(changed + text, seat=seat)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count) or f"{count} times"


def _heaviest(moments: Iterable[Moment], names: Sequence[str], word: str) -> Line | None:
    """Return a sentence on the greatest loss of a seat in one round, or None.

    ``word`` is the game's word for a round. Losses are compared by the strength of the pieces, or
    by their number if the game names none.
    """
    lost: Counter[tuple[Seat, int]] = Counter()
    worth: Counter[tuple[Seat, int]] = Counter()
    named: dict[tuple[Seat, int], str] = {}
    for moment in moments:
        fact, key = moment.fact, (moment.fact.seat, moment.round)
        if fact.kind == "loss" and fact.seat != NOBODY and fact.worth != 0:
            lost[key] += pieces_of(fact)
            worth[key] += fact.worth or 0
            named[key] = fact.piece or fact.target
    if not lost:
        return None
    best = max(lost, key=lambda key: (worth[key], lost[key], -key[1], -key[0]))
    (seat, number), count = best, lost[best]
    what = f"{count} pieces" if count > 1 else named[best] or "one piece"
    what += f" of strength {worth[best]}" if worth[best] else ""
    text = f"The heaviest loss was {_name(names, seat)}'s: {what} in {word} {max(1, number)}."
    return Line(text, seat=seat)


def _last_blow(story: Story, presenter: AnyPresenter) -> Line | None:
    """Return the game's own sentence about the last blow of a fight, or None."""
    if story.blow is None:
        return None
    told, fact = story.blow
    said = [line for line in told_of(presenter, told) if line.text]
    at = [line for line in said if fact.at is not None and line.at == fact.at]
    return Line(f"The last blow: {(at or said)[0].text}", seat=fact.seat) if said else None


def _length(story: Story) -> Line | None:
    """Return a sentence with the number of rounds and of events, or None."""
    if not story.rounds:
        return None
    kinds = Counter(moment.fact.kind for moment in story.moments)
    lost = sum(pieces_of(m.fact) for m in story.moments if m.fact.kind == "loss")
    parts = [
        _some(kinds["attack"], "attack"),
        _some(lost, "piece lost", "pieces lost"),
        _some(kinds["capture"], "place taken or destroyed", "places taken or destroyed"),
    ]
    word = presenter_of(story.rules).round_word
    last = max(number for _, number in story.rounds)
    rounds = many(max(1, last) - story.first_round + 1, word)
    known = [part for part in parts if part]
    return Line(f"{rounds}: {', '.join(known)}." if known else f"{rounds}, without a blow.")


def _some(number: int, one: str, more: str = "") -> str:
    return many(number, one, more) if number else ""
