"""Shrinking: reduce a case as far as a test still finds the same in it.

Passes try reductions in a fixed order; the first one that is kept is taken. Trials may run ahead in
other processes, but they count in the order of requests: the result is the same for any number of
workers. Rounds of passes continue until no pass finds a reduction. In the end no single entry and
no single piece can be removed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from engine.core.record import replace
from engine.core.ruleset import AnyRuleset
from engine.debug.cases import Case, CaseVerdict, DecidedStep, Keep, decided, digest_of
from engine.debug.land import cells_of, without_cells
from engine.debug.paths import put, value, write
from engine.debug.reductions import (
    busy_rows,
    crops,
    details_of,
    orders_of,
    with_plain_rows,
    without_details,
    without_orders,
    without_rows,
    without_seat,
)
from engine.debug.scenario_tree import is_piece, pieces, rows_of

PassName: TypeAlias = Literal[
    "start", "entries", "seats", "pieces", "land", "options", "details", "throws"
]
PASSES: Final[tuple[PassName, ...]] = get_args(PassName)

Measure: TypeAlias = Literal["rounds", "entries", "pieces"]

ShrinkTrial: TypeAlias = Callable[[Iterator[Case]], Iterator[CaseVerdict | None]]
"""Function that yields the verdicts of cases, in their order. It may take cases ahead; if left
early, it drops the rest."""

A = TypeVar("A")

_MOST_ROUNDS: Final = 30
_MOST_VALUES: Final = 20
"""Maximum number of other values of a die or a field that the notes try."""
_MOST_PIECES: Final = 8
"""Maximum number of pieces of a case with notes; with more it was not shrunk far."""


def here(keep: Keep) -> ShrinkTrial:
    """Return a ShrinkTrial in this process, one case after the other."""
    return lambda cases: map(keep, cases)


class ShrinkProgress(NamedTuple):
    """State of a shrink: the current pass, the smallest case, and trials so far."""

    name: str
    case: Case
    trials: int


class Shrinker:
    """The smallest case found so far, and the verdicts on other cases."""

    def __init__(
        self,
        rules: AnyRuleset,
        start: CaseVerdict,
        trial: ShrinkTrial,
        *,
        skipped: Collection[str] = (),
        prefer: Measure = "entries",
    ) -> None:
        """Begin with a case.

        Args:
            rules: the ruleset.
            start: the verdict on the first case; its signature is kept.
            trial: makes trials.
            skipped: names of passes to skip.
            prefer: the measure by which the start of a case is chosen.
        """
        self.rules = rules
        self.signature = start.signature
        self.best = start.case
        self.also: dict[str, Case] = {}
        """Cases with other signatures, by signature; the first case of each."""
        self.trials = 0
        self.known: dict[str, CaseVerdict | None] = {}
        """Verdicts by the digest of their case; known cases are not tried again."""
        self.on_verdict: Callable[[str, CaseVerdict | None], None] = lambda _digest, _verdict: None
        self.on_progress: Callable[[ShrinkProgress], None] = lambda _progress: None
        self._trial = trial
        self._prefer = prefer
        self._now = ""
        self._is_position = False
        self._passes = [one for one in self._all_passes() if one[0] not in skipped]

    def _all_passes(self) -> list[tuple[str, Callable[[], None]]]:
        listed: list[tuple[str, Callable[[], None]]] = [
            ("start", self._start_later),
            ("entries", self._drop_entries),
            ("land", self._less_land),
            ("pieces", self._fewer_pieces),
            ("seats", self._drop_seats),
            ("land", self._plainer_land),
            ("options", self._drop_options),
            ("details", self._plainer),
            ("throws", self._lower_throws),
        ]
        if self._prefer == "pieces":
            listed.append(listed.pop(1))
        return listed

    def run(self) -> Case:
        """Shrink until nothing more can be removed; return the smallest case."""
        for _ in range(_MOST_ROUNDS):
            before = self.best
            for name, work in self._passes:
                self._now = name
                work()
            if self.best == before:
                break
        return self.best

    # -- trials ----------------------------------------------------------------------------------

    def _pick(self, candidates: Iterable[tuple[A, Case]]) -> A | None:
        """Take the first candidate that shows the same; return its key, or None."""
        for what, verdict in self._verdicts(candidates):
            if verdict is None:
                continue
            if self._is_better(verdict):
                self.best = verdict.case
                self._tell()
                return what
            if verdict.signature != self.signature:
                self.also.setdefault(verdict.signature, verdict.case)
        return None

    def _is_better(self, verdict: CaseVerdict | None) -> bool:
        """Return whether a case shows the same and is not the current best.

        Lower throws must not lead to more throws, or shrinking might never end.
        """
        if verdict is None or not self._keeps(verdict) or verdict.case == self.best:
            return False
        return self._now != "throws" or _length(verdict.case) <= _length(self.best)

    def _verdicts(
        self, candidates: Iterable[tuple[A, Case]]
    ) -> Iterator[tuple[A, CaseVerdict | None]]:
        """Yield candidates with their verdicts, in order; known ones cost no trial."""
        waiting: deque[tuple[A, str]] = deque()

        def unknown() -> Iterator[Case]:
            for what, case in candidates:
                digest = digest_of(case)
                waiting.append((what, digest))
                if digest in self.known:
                    if self._is_better(self.known[digest]):
                        return
                elif digest not in {one for _, one in list(waiting)[:-1]}:
                    yield case

        for verdict in self._trial(unknown()):
            yield from self._leading(waiting)
            what, digest = waiting.popleft()
            self.known[digest] = verdict
            self.on_verdict(digest, verdict)
            self.trials += 1
            self._tell()
            yield what, verdict
            yield from self._leading(waiting)
        yield from self._leading(waiting)

    def _leading(self, waiting: deque[tuple[A, str]]) -> Iterator[tuple[A, CaseVerdict | None]]:
        while waiting and waiting[0][1] in self.known:
            what, digest = waiting.popleft()
            yield what, self.known[digest]

    def _keeps(self, verdict: CaseVerdict | None) -> bool:
        return verdict is not None and verdict.signature == self.signature

    def _tell(self) -> None:
        self.on_progress(ShrinkProgress(self._now, self.best, self.trials))

    # -- passes ----------------------------------------------------------------------------------

    def _without(
        self,
        atoms_of: Callable[[Case], Sequence[A]],
        without: Callable[[Case, Sequence[A]], Iterable[Case]],
    ) -> None:
        """Remove ranges of a case's parts: all, halves, quarters, each alone."""
        atoms = atoms_of(self.best)
        size = len(atoms)
        while size:
            at: int | None = 0
            while at is not None:
                at = self._pick(_ranges(self.best, atoms, size, at, without))
                if at is not None:
                    atoms = atoms_of(self.best)
            size = min(size // 2, len(atoms))

    def _start_later(self) -> None:
        """Begin with a later position."""
        while self._pick(self._later_starts()) is not None:
            self._is_position = True

    def _later_starts(self) -> Iterator[tuple[int, Case]]:
        walk = list(decided(self.rules, self.best))[1:]
        for place in self._places(walk):
            position = self.rules.position(walk[place].before)
            yield place, Case(position, {}, self.best.steps[walk[place].number :])

    def _places(self, walk: Sequence[DecidedStep]) -> list[int]:
        """Return the numbers of steps to start from, the best first, sparser further back."""
        last = len(walk) - 1
        backs = [0, *(1 << power for power in range(last.bit_length()))] if last > 0 else []
        places = [last - back for back in backs if back < last]
        if self._prefer == "pieces":
            places.sort(key=lambda place: pieces(self.rules.position(walk[place].before)))
        if self._prefer == "rounds":
            places.sort(key=lambda place: (_ends(walk[place:]), place))
        return places if self._is_position or not walk else [*places, 0]

    def _drop_entries(self) -> None:
        self._without(lambda case: range(len(case.steps)), _without_steps)

    def _fewer_pieces(self) -> None:
        """Remove rows; reset those that must stay to their defaults."""
        self._without(lambda case: rows_of(case.scenario), without_rows)
        self._without(lambda case: busy_rows(case.scenario), with_plain_rows)

    def _drop_seats(self) -> None:
        found: int | None = 0
        while found is not None:
            first = next(decided(self.rules, self.best)).after
            columns = self.rules.statistics(first).values()
            seats = len(next(iter(columns), ()))
            found = self._pick(
                (seat, without_seat(self.best, seat, seats)) for seat in reversed(range(seats))
            )

    def _less_land(self) -> None:
        while self._pick(enumerate(crops(self.best))) is not None:
            pass

    def _plainer_land(self) -> None:
        self._without(lambda case: cells_of(case.scenario), without_cells)

    def _drop_options(self) -> None:
        self._without(lambda case: sorted(case.options), _without_options)

    def _plainer(self) -> None:
        """Reset fields of the position to their defaults, and remove parts of commands."""
        self._without(lambda case: details_of(case.scenario), without_details)
        self._without(orders_of, without_orders)

    def _lower_throws(self) -> None:
        """Lower throws to 1, or at least below their value, if the finding stays."""
        self._without(_throws, _with_ones)
        for number, index in _throws(self.best):
            now = _thrown(self.best, number)
            if index < len(now):
                lower = sorted({now[index] // 2, now[index] - 1} - {0, now[index]})
                self._pick((low, _with_throw(self.best, number, index, low)) for low in lower)

    # -- notes -----------------------------------------------------------------------------------

    def notes(self) -> list[str]:
        """Return notes on what may vary in the smallest case: kinds of pieces, values of dice."""
        self._now = "notes"
        if pieces(self.best.scenario) > _MOST_PIECES:
            return []
        return [*self._throw_notes(), *self._row_notes()]

    def _same(self, cases: Sequence[Case]) -> list[bool]:
        found = [self._keeps(verdict) for _, verdict in self._verdicts(enumerate(cases))]
        return found + [False] * (len(cases) - len(found))

    def _throw_notes(self) -> Iterator[str]:
        for one in decided(self.rules, self.best):
            for index, (sides, thrown) in enumerate(one.outcome.throws):
                if sides > _MOST_VALUES:
                    continue
                others = [face for face in range(1, sides + 1) if face != thrown]
                cases = [_with_throw(self.best, one.number, index, face) for face in others]
                kept = [face for face, same in zip(others, self._same(cases), strict=True) if same]
                where = "set-up" if one.number < 0 else f"entry {one.number + 1}"
                verb = "does" if len(kept) == 1 else "do"
                what = "any value does" if kept == others else f"{_spans(kept)} {verb} as well"
                if kept:
                    yield f"{where}, throw {index + 1}, d{sides}={thrown}: {what}"

    def _row_notes(self) -> Iterator[str]:
        """Yield notes on rows whose type may also be another one that the position has."""
        scenario = self.best.scenario
        for row in rows_of(scenario):
            record = value(scenario, row.path)
            for name in ("type", "kind", "unit"):
                if not is_piece(record) or name not in record.__struct_fields__:
                    continue
                now = getattr(record, name)
                others = self._kinds(row.rows, name, now)
                cases = [
                    replace(self.best, scenario=put(scenario, (*row.path, name), other))
                    for other in others
                ]
                kept = [one for one, same in zip(others, self._same(cases), strict=True) if same]
                if kept:
                    some = f"{', '.join(map(str, kept))} as well"
                    listed = f"any {name}" if kept == others else some
                    yield f"{write(row.path)}, {name} {now}: {listed}"

    def _kinds(self, rows: Any, name: str, now: Any) -> list[Any]:
        scenarios = [case.scenario for case in (self._first, self.best) if case is not None]
        listed = (
            value(scenario, row.path)
            for scenario in scenarios
            for row in rows_of(scenario)
            if row.rows[-1] == rows[-1]
        )
        found = {getattr(row, name) for row in listed if hasattr(row, name)}
        return sorted(found - {now}, key=repr)[:_MOST_VALUES]

    _first: Case | None = None

    def with_kinds_of(self, case: Case) -> None:
        """Let the notes try kinds of pieces of another position, such as that of the game."""
        self._first = case


def _ranges(
    case: Case,
    atoms: Sequence[A],
    size: int,
    first: int,
    without: Callable[[Case, Sequence[A]], Iterable[Case]],
) -> Iterator[tuple[int, Case]]:
    for at in range(first, len(atoms), size):
        yield from ((at, made) for made in without(case, atoms[at : at + size]))


def _without_steps(case: Case, gone: Sequence[int]) -> Iterator[Case]:
    steps = tuple(step for number, step in enumerate(case.steps) if number not in gone)
    if steps:
        yield replace(case, steps=steps)


def _without_options(case: Case, gone: Sequence[str]) -> Iterator[Case]:
    left = {name: now for name, now in case.options.items() if name not in gone}
    yield replace(case, options=left)


def _ends(walk: Sequence[DecidedStep]) -> int:
    """Return the number of steps that end a phase or turn."""
    return sum(any(event.ends_phase for event in one.outcome.events) for one in walk)


# -- throws ----------------------------------------------------------------------------------------


def _throws(case: Case) -> list[tuple[int, int]]:
    """Return the throws that are not 1, as (number of the step, -1 for the set-up; index)."""
    return [
        (number, index)
        for number in range(-1, len(case.steps))
        for index, thrown in enumerate(_thrown(case, number))
        if thrown != 1
    ]


def _length(case: Case) -> int:
    return len(case.throws) + sum(len(step.throws) for step in case.steps)


def _thrown(case: Case, number: int) -> tuple[int, ...]:
    return case.throws if number < 0 else case.steps[number].throws


def _with_throw(case: Case, number: int, index: int, face: int) -> Case:
    now = _thrown(case, number)
    made = (*now[:index], face, *now[index + 1 :])
    if number < 0:
        return replace(case, throws=made)
    steps = list(case.steps)
    steps[number] = replace(steps[number], throws=made)
    return replace(case, steps=tuple(steps))


def _with_ones(case: Case, places: Sequence[tuple[int, int]]) -> Iterator[Case]:
    for number, index in places:
        case = _with_throw(case, number, index, 1)
    yield case


# -- words -----------------------------------------------------------------------------------------


def _spans(numbers: Sequence[int]) -> str:
    """Return numbers as text, neighbours as a span.

    >>> _spans([1, 4, 5, 6])
    '1, 4-6'
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ", ".join(f"{one[0]}-{one[-1]}" if len(one) > 1 else str(one[0]) for one in spans)
