"""Changes that a player may ask about at a moment of a replay, in words.

A piece that was lost or hurt, a place that was taken, the end of the game, or a number of a side.
Field names never appear: pieces are named as the game names them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.core.containers import Roster
from engine.core.record import Record
from engine.debug.history import Followed, Meanings, ValueChange, followed, wound
from engine.debug.line import GameLine
from engine.debug.paths import MISSING, StatePath, value, write
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.fact import Fact
from tui.play.seats import seat_name
from tui.replay.watch import Watch

ChangeKind: TypeAlias = Literal["end", "lost", "taken", "hurt", "number", "other"]
"""Kind of a change, from the most to the least telling."""

_RANKS: Final[Sequence[ChangeKind]] = ("end", "lost", "taken", "hurt", "number", "other")

_ASKED: Final = frozenset({"loss", "capture", "attack", "work", "move"})
"""Kinds of facts that come with a change to ask about."""

_MOST: Final = 9
"""Maximum number of changes that are offered."""

_EVENTS: Final = 60
"""Maximum number of events of an entry whose changes are examined."""


class AskedChange(Record, frozen=True):
    """A change that a player can ask about."""

    kind: ChangeKind
    label: str
    """The change in a few words."""
    name: str
    """Name of the piece, the place or the number, as the subject of a sentence."""
    step: int
    """Number of the event in the entry, from 1 on."""
    followed: Any
    """The value in question, a ``Followed``."""
    before: Any
    """The value before the entry."""
    row: StatePath = ()
    """Path of the piece's record; empty if the change is about no piece."""
    cells: tuple[tuple[int, int], ...] = ()
    said: str = ""
    """The event in the game's own sentence."""
    rule: str = ""


class MomentInWords:
    """The present entry of a replay, for questions even after the replay has moved on."""

    def __init__(self, watch: Watch) -> None:
        """Take the present entry of ``watch``, up to the events that have happened."""
        self.rules, self.presenter, self.seats = watch.rules, watch.presenter, tuple(watch.seats)
        self.entry = watch.entry
        self.line = GameLine(watch.rules, [watch.entry], [watch.before])
        self.at = watch.part
        self._told = list(watch.told[:_EVENTS])
        self._view = self._told[0].before if self._told else watch.view
        self.said = [line.text for line in watch.said() if line.text]

    # -- changes ---------------------------------------------------------------------------------

    def changes(self) -> list[AskedChange]:
        """Return the changes of this entry, the most telling first; empty for the set-up."""
        if self.entry.command is None or not self._told:
            return []
        found: dict[str, AskedChange] = {}
        for change in (*self._end(), *self._of_facts()):
            known = found.get(change.followed.text)
            if known is None or _RANKS.index(change.kind) < _RANKS.index(known.kind):
                found[change.followed.text] = change
        if all(change.kind == "other" for change in found.values()):
            found |= {change.followed.text: change for change in self._numbers()}
        distinct = {(change.kind, change.label): change for change in reversed(found.values())}
        ordered = sorted(distinct.values(), key=lambda one: (_RANKS.index(one.kind), one.step))
        return ordered[:_MOST]

    def _end(self) -> Iterator[AskedChange]:
        for told in self._told:
            step = told.number + 1
            outcome = self.rules.outcome(self.line.state(step))
            if outcome is None or self.rules.outcome(self.line.state(step - 1)) is not None:
                continue
            names = " and ".join(seat_name(self.seats, seat) for seat in outcome.winners)
            label = f"The end: {names or 'nobody'} won"
            asked = Followed("outcome", self.rules.outcome)
            said, rule = self._sentence(told)
            yield AskedChange("end", label, "the game", step, asked, None, said=said, rule=rule)

    def _of_facts(self) -> Iterator[AskedChange]:
        meanings = self.rules.field_meanings
        for told in self._told:
            rows = list(_changed_rows(self.line.state(told.number), told.number + 1, self.line))
            for fact in self.presenter.facts(told.event, told.before, told.after):
                if fact.kind not in _ASKED or not rows:
                    continue
                best = min(rows, key=lambda row: _fit(fact, meanings, *row[1:]))
                if _fit(fact, meanings, *best[1:])[0]:
                    continue
                if len(rows) > 1:
                    rows.remove(best)
                yield self._of_row(told, fact, *best)

    def _of_row(self, told: Any, fact: Fact, row: StatePath, old: Any, new: Any) -> AskedChange:
        """Return the change of a piece that a fact is about."""
        meanings = self.rules.field_meanings
        turn = ValueChange(told.number + 1, old, new).turn(meanings)
        name = self._name(fact, row, old if old is not MISSING else new)
        if fact.kind in {"move", "work"}:  # a dismissed or used-up piece is not lost
            turn = "changed"
        hurt = wound(old, new, meanings) if turn == "hurt" else None
        owner = _new_owner(old, new, meanings)
        said, rule = self._sentence(told, fact)
        name = name or "the piece"
        path, kind, label = row, "other", said
        if turn == "gone" or (fact.kind == "loss" and hurt is None):
            kind, label = "lost", f"{name}: lost"
        elif hurt is not None:
            path = (*row, *hurt.path)
            kind, label = "hurt", f"{name}: hurt, {hurt.old} to {hurt.new}"
        elif owner is not None:
            path = (*row, owner)
            name = self._listed_at(fact, name)
            if fact.kind == "attack":  # its target is not the place that changed hands
                name = self.named(row, old) or "the place"
            seat = _new_seat(new, owner)
            taken = "lost" if seat == NOBODY else f"taken by {seat_name(self.seats, seat)}"
            kind, label = "taken", f"{name}: {taken}"
        before = self.line.state(0)
        around = [self.line.state(told.number), self.line.state(told.number + 1)]
        asked = followed(self.rules, [before, *around], write(path))
        if name == "the piece" and kind != "hurt":
            label = said or label
        cells = tuple(dict.fromkeys(at for at in (fact.at, fact.source) if at is not None))
        return AskedChange(
            kind,  # type: ignore[arg-type]  # one of the words above
            label,
            name,
            told.number + 1,
            asked,
            asked.in_state(before),
            row,
            cells,
            said,
            rule,
        )

    def _numbers(self) -> Iterator[AskedChange]:
        """Yield the numbers of the sides that changed."""
        before, after = self.line.state(0), self.line.state(self.at)
        old, new = self.rules.statistics(before), self.rules.statistics(after)
        for name in new:
            for seat, (was, now) in enumerate(zip(old.get(name, ()), new[name], strict=False)):
                if was == now or seat >= len(self.seats):
                    continue
                asked = followed(self.rules, [after], write((name, self.seats[seat])), self.seats)
                step = next(
                    step
                    for step in range(1, self.at + 1)
                    if asked.in_state(self.line.state(step)) != was or step == self.at
                )
                words = f"{name} of {self.seats[seat]}"
                label = f"{words}: {was} to {now}"
                yield AskedChange("number", label, words, step, asked, was, said=self._first())

    def _first(self) -> str:
        return self.said[0] if self.said else ""

    def _sentence(self, told: Any, fact: Fact | None = None) -> tuple[str, str]:
        """Return the event in the game's own sentence, with its rule."""
        lines = [line for line in self.presenter.tell(told.event, told.after) if line.text]
        at = [line for line in lines if fact is not None and line.at == fact.at is not None]
        line = (at or lines or [Line(self._first())])[0]
        return line.text, line.rule or next((one.rule for one in lines if one.rule), "")

    # -- names -----------------------------------------------------------------------------------

    def _name(self, fact: Fact, row: StatePath, piece: Any) -> str:
        """Return the piece that a fact is about, with its owner, as in sentences."""
        owner, what = fact.seat, fact.piece
        if fact.kind in {"attack", "capture"} and fact.target:
            owner, what = fact.other, fact.target
        if not what:
            return self.named(row, piece)
        whose = seat_name(self.seats, owner) if owner != NOBODY else ""
        return f"{whose}'s {what}" if whose and whose not in what else what

    def _listed_at(self, fact: Fact, name: str) -> str:
        """Return a place as the game lists it, if ``name`` is only its kind."""
        finds = (one.text for one in self.presenter.finds(self._view) if one.at == fact.at)
        return (
            name if not name.islower() else next((t for t in finds if name in t.casefold()), name)
        )

    def named(self, path: StatePath, row: Any) -> str:
        """Return the name of a row of the state as the game lists it; empty if it lists none."""
        if cell := cell_of(row):
            finds = [one for one in self.presenter.finds(self._view) if one.at == cell]
            own = [one for one in finds if str(path[1]) in one.text.split()] or finds
            if own:
                return own[0].text
        if text := getattr(row, "name", ""):
            return str(text)
        roster = value(self.line.state(0), path[:1])
        if isinstance(roster, Roster) and len(roster) == len(self.seats):
            return seat_name(self.seats, int(str(path[1])))
        return ""


# -- rows ------------------------------------------------------------------------------------------


def _changed_rows(old: Any, step: int, line: GameLine) -> Iterator[tuple[StatePath, Any, Any]]:
    """Yield the rows that an event changed: path, before, after."""
    new = line.state(step)
    for name in new.__struct_fields__:
        was, now = getattr(old, name), getattr(new, name)
        if was is now or not isinstance(now, Roster) or not isinstance(was, Roster):
            continue
        for key in sorted({*was, *now}):
            one, other = was.get(key, MISSING), now.get(key, MISSING)
            if one is not other and one != other:
                yield (name, int(key)), one, other


def cell_of(row: Any) -> tuple[int, int] | None:
    """Return the cell of a piece's record, or None if it has no cell."""
    x, y = getattr(row, "x", None), getattr(row, "y", None)
    return (x, y) if type(x) is int and type(y) is int else None


def _fit(fact: Fact, meanings: Meanings, old: Any, new: Any) -> tuple[int, ...]:
    """Return how badly a changed row fits a fact; the first number is 0 if it fits at all."""
    cells = {cell for row in (old, new) if (cell := cell_of(row))}
    turn = ValueChange(0, old, new).turn(meanings)
    telling = {"gone": 0, "hurt": 1, "changed": 2, "moved": 3, "made": 3}[turn]
    if fact.kind in {"move", "work"}:
        telling = {"moved": 0, "made": 0}.get(turn, 1)
    if fact.kind == "capture":
        telling = 0 if _new_owner(old, new, meanings) else 1
    return int(bool(cells) and fact.at not in cells), telling


def _new_owner(old: Any, new: Any, meanings: Meanings) -> str | None:
    """Return the field with the owner of a row if it changed, or None."""
    if not isinstance(old, Record) or type(old) is not type(new):
        return None
    names = (name for name in old.__struct_fields__ if meanings.get(name) == "owner")
    return next((name for name in names if getattr(old, name) != getattr(new, name)), None)


def _new_seat(row: Any, owner: str) -> int:
    """Return the seat that owns a row."""
    return int(getattr(row, owner))
