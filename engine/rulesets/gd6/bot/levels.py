"""The three levels of computer players (section 16 of the rule book)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.dice import Dice, pick
from engine.core.record import replace
from engine.core.ruleset import Bot, Offers
from engine.rulesets.gd6.bot.board import (
    BOLD,
    EASY,
    GENTLE,
    KEEPER,
    SWARM,
    USUAL,
    BotBoard,
    PlayStyle,
    merits,
    relative_merit,
)
from engine.rulesets.gd6.bot.lists import PlanningScene, list_of, scene_of
from engine.rulesets.gd6.bot.moves import SPY, ListSketch, MovePlan, sealed
from engine.rulesets.gd6.bot.trials import (
    SeatLists,
    by_style,
    likely_homes,
    neighbours,
    outcome_of,
    plain_site,
    played_on,
    repeated,
    settled,
    settled_against,
)
from engine.rulesets.gd6.commands import AnyCommand
from engine.rulesets.gd6.state import State, View

# -- level 2: local search -------------------------------------------------------------------------

CAREFUL_TRIALS = 768
"""Product of the changes tried per list and the map's territories: large maps are slower."""

CAREFUL_FEWEST, CAREFUL_MOST = 6, 40
"""Minimum and maximum number of changes tried."""

SLACK = 30
"""Deficit, in tenths of an army, at which the evaluation of a list is cut short."""

HOPELESS = -1_000_000
"""Value of a list whose evaluation was cut short."""

AHEAD = 1
"""Turns simulated after a trial."""


GuessScores = tuple[int, ...]
"""Relative merit of a list against each guess."""


class Scale:
    """Evaluation of one seat's lists against guesses about the others, cached."""

    def __init__(
        self,
        scene: PlanningScene,
        rivals: Sequence[int],
        guesses: Sequence[SeatLists],
        *,
        likely: bool = False,
    ) -> None:
        self.scene = scene
        self.guesses = guesses
        self.likely = likely
        """True if all guesses are equally likely. If not, the worst case counts as well."""
        self._seats = (scene.seat, *rivals)
        self._known: dict[object, GuessScores] = {}
        self._tried: dict[object, tuple[int, ListSketch]] = {}

    def after(self, orders: SeatLists) -> State:
        """Return the position in which a set of lists is evaluated."""
        return played_on(outcome_of(self.scene.state, orders), self._seats, USUAL, AHEAD)

    def weigh(self, sketch: ListSketch, best: GuessScores = ()) -> GuessScores:
        """Return the scores of a list; stop early once it falls behind ``best``."""
        orders, seat = sketch.orders(), self.scene.seat
        if orders not in self._known:
            found: list[int] = []
            for guess in self.guesses:
                found.append(relative_merit(merits(self.after({**guess, seat: orders})), seat))
                if best and sum(found) + SLACK < sum(best[: len(found)]):
                    break
            self._known[orders] = tuple(found)
        known = self._known[orders]
        self._tried[orders] = self.total(known), sketch
        return known

    def total(self, found: GuessScores) -> int:
        """Return the mean score, plus the worst one unless all guesses are equally likely."""
        if len(found) < len(self.guesses):
            return HOPELESS
        mean = sum(found) // len(found)
        return mean if self.likely else mean + min(found)

    def good(self, best: ListSketch) -> list[ListSketch]:
        """Return the lists within ``LEEWAY`` of the best, ``MOST_DRAWN`` at most, best first."""
        most = self._tried[best.orders()][0]
        near = [tried for tried in self._tried.values() if tried[0] >= most - LEEWAY]
        near.sort(key=lambda tried: (-tried[0], tried[1] is not best))
        return [sketch for _, sketch in near[:MOST_DRAWN]]


def styles(rivals: Sequence[int]) -> list[PlayStyle]:
    """Return the styles of the lists from which the search starts."""
    hunters = [replace(BOLD, grudge=rival) for rival in rivals[:3]]
    return [USUAL, BOLD, KEEPER, SWARM, *hunters]


def guesses(scene: PlanningScene, rivals: Sequence[int]) -> list[SeatLists]:
    """Return guesses of the rivals' lists: last turn's again, one in easy and one in usual style.

    Without rivals there is one guess, which is empty.
    """
    if not rivals:
        return [{}]
    plain = [by_style(scene, rivals, style) for style in (EASY, USUAL)]
    return [repeated(scene, rivals), *plain]


def careful_list(scene: PlanningScene, dice: Dice) -> ListSketch:
    """Plan for level 2: return the best list found with a fixed number of trials."""
    return best_list(settled(scene, dice), dice)


def best_list(scene: PlanningScene, dice: Dice) -> ListSketch:
    """Return the best list of level 2 once the site is chosen."""
    return best_of(
        scene, dice, max(CAREFUL_FEWEST, min(CAREFUL_MOST, CAREFUL_TRIALS // scene.board.geo.size))
    )


def best_of(scene: PlanningScene, dice: Dice, trials: int) -> ListSketch:
    """Return the best list for the seat of a scene, found by trying ``trials`` changes."""
    rivals = neighbours(scene)
    return climbed(Scale(scene, rivals, guesses(scene, rivals)), rivals, dice, trials)


def climbed(scale: Scale, rivals: Sequence[int], dice: Dice, trials: int) -> ListSketch:
    """Return the best list found by ``trials`` random changes, from the best of the plain lists."""
    scene = scale.scene
    best: tuple[GuessScores, ListSketch] = (), ListSketch()
    for style in styles(rivals):
        best = _better(scale, best, list_of(scene, scene.seat, style))
    for _ in range(trials):
        best = _better(scale, best, changed(best[1], scene.board, scene.seat, dice))
    return best[1]


def _better(
    scale: Scale, best: tuple[GuessScores, ListSketch], other: ListSketch
) -> tuple[GuessScores, ListSketch]:
    found = scale.weigh(other, best[0])
    return (found, other) if scale.total(found) > scale.total(best[0]) else best


# -- changes of a list -----------------------------------------------------------------------------

KINDS = 6
"""Number of kinds of random changes to a list."""


def changed(sketch: ListSketch, board: BotBoard, seat: int, dice: Dice) -> ListSketch:
    """Return a copy of a list with one random change, or with none if it is impossible."""
    other = sketch.copy()
    if not other.moves:
        _spawn_elsewhere(other, board, seat, dice)
        return other
    place = dice.roll(len(other.moves)) - 1
    match dice.roll(KINDS):
        case 1:
            del other.moves[place]
        case 2:
            other.moves[place] = _redirected(other.moves[place], board, dice)
        case 3:
            _split(other, place, board, dice)
        case 4:
            other.moves.insert(0, other.moves.pop(place))
        case 5:
            other.moves.append(other.moves.pop(place))
        case _:
            _spawn_elsewhere(other, board, seat, dice)
    return other


def _redirected(going: MovePlan, board: BotBoard, dice: Dice) -> MovePlan:
    """Send the same units along another random path of at most the same length."""
    path, unit, count = going
    near = board.geo.near
    steps = dice.roll(2 if unit == SPY or len(path) < 3 else len(path) - 1)
    fresh = [path[0]]
    for _ in range(max(1, min(steps, len(path) - 1))):
        fresh.append(pick(dice, near[fresh[-1]]))
    return tuple(fresh), unit, count


def _split(sketch: ListSketch, place: int, board: BotBoard, dice: Dice) -> None:
    """Send half of the units along another path, at the lowest priority."""
    path, unit, count = sketch.moves[place]
    half = count // 2
    if half:
        sketch.moves[place] = path, unit, count - half
        sketch.moves.append(_redirected((path, unit, half), board, dice))


def _spawn_elsewhere(sketch: ListSketch, board: BotBoard, seat: int, dice: Dice) -> None:
    """Move the spawned armies from one place to another."""
    places = board.spawn_places(seat) if board.has_hq(seat) else []
    if not sketch.spawns or len(places) < 2:
        return
    old = pick(dice, sorted(sketch.spawns))
    fresh = pick(dice, places)
    count = sketch.spawns.pop(old)
    sketch.spawns[fresh] = sketch.spawns.get(fresh, 0) + count


# -- level 3: best answers and a draw --------------------------------------------------------------

MOST_GUESSES: Final = 3
"""Maximum number of guesses, each with a list for every rival."""

PLANS: Final = 6
"""Budget of planned lists of rivals; many rivals mean fewer guesses."""

GUESSED: Final = 160
"""Product of the changes tried in a rival's list and the map's territories."""

ANSWER_TRIALS: Final = 960
"""Product of the changes tried in the player's own list and the map's territories."""

ANSWER_FEWEST: Final = 4
"""Minimum number of changes tried."""

LEEWAY: Final = 10
"""Maximum deficit, against the best list, of a list that may be drawn."""

MOST_DRAWN: Final = 6
"""Maximum number of lists in the draw."""

ROUNDS: Final = 200
"""Rounds of regret matching."""

LEAST: Final = 8
"""Minimum share of the mix, in percent, for a list to be drawn."""


def mixed_list(scene: PlanningScene, dice: Dice) -> ListSketch:
    """Plan for level 3: draw one of the best answers to the likely lists of rivals."""
    rivals_now = max(1, len(scene.board.seats) - 1)
    homes = likely_homes(scene, dice, max(1, min(MOST_GUESSES, PLANS // rivals_now)))
    scene = settled_against(scene, homes, dice)
    rivals = neighbours(scene)
    if not rivals:
        return best_list(scene, dice)
    scale = Scale(scene, rivals, _rival_lists(scene, rivals, homes, dice), likely=True)
    best = climbed(scale, rivals, dice, _share(ANSWER_TRIALS, scene))
    return _drawn(scale, rivals, scale.good(best), dice)


def _share(trials: int, scene: PlanningScene) -> int:
    """Return the number of changes to try on the map of a scene."""
    return max(ANSWER_FEWEST, trials // scene.board.geo.size)


def _rival_lists(
    scene: PlanningScene, rivals: Sequence[int], homes: Sequence[Mapping[int, int]], dice: Dice
) -> list[SeatLists]:
    """Plan likely lists of all rivals, as on level 2, as often as the budget allows.

    If that is only once, add a guess that they play by plain rules.
    """
    count, trials = max(1, min(MOST_GUESSES, PLANS // len(rivals))), _share(GUESSED, scene)
    found: list[SeatLists] = []
    for number in range(count):
        sites = {**homes[number % len(homes)], **scene.homes}
        found.append(
            {
                rival: best_of(
                    PlanningScene(scene.state, scene.due, rival, sites), dice, trials
                ).orders()
                for rival in rivals
            }
        )
    return found if count > 1 else [*found, by_style(scene, rivals, USUAL)]


def _drawn(
    scale: Scale, rivals: Sequence[int], own: Sequence[ListSketch], dice: Dice
) -> ListSketch:
    """Draw one of the lists by the mixed strategy of regret matching."""
    if len(own) == 1:
        return own[0]
    rows, columns = [], []
    for sketch in own:
        orders = sketch.orders()
        found = [
            merits(scale.after({**guess, scale.scene.seat: orders})) for guess in scale.guesses
        ]
        rows.append([relative_merit(each, scale.scene.seat) for each in found])
        columns.append(
            [sum(relative_merit(each, rival) for rival in rivals) // len(rivals) for each in found]
        )
    mix, _ = mixes(rows, columns, ROUNDS)
    return own[draw(mix, LEAST, dice)]


# -- regret matching -------------------------------------------------------------------------------

UNIT: Final = 1 << 20
"""Number that represents a probability of 1."""

PayTable = Sequence[Sequence[int]]
"""Payoffs by row (first index) and column (second index)."""


def mixes(rows: PayTable, columns: PayTable, rounds: int) -> tuple[list[int], list[int]]:
    """Return the mixed strategies of both sides, as probabilities in parts of UNIT.

    ``rows`` holds the payoffs of the row player, ``columns`` those of the other; equal shapes.

    >>> mixes([[1, 0], [0, 1]], [[0, 1], [1, 0]], 100)
    ([524288, 524288], [524288, 524288])
    """
    height, width = len(rows), len(rows[0])
    turned_rows = [[rows[i][j] for i in range(height)] for j in range(width)]
    regret_rows, regret_columns = [0] * height, [0] * width
    total_rows, total_columns = [0] * height, [0] * width
    for number in range(1, rounds + 1):
        mix_rows, mix_columns = _by_regret(regret_rows), _by_regret(regret_columns)
        for total, mix in ((total_rows, mix_rows), (total_columns, mix_columns)):
            for place, part in enumerate(mix):
                total[place] += part * number
        _regret(regret_rows, turned_rows, mix_rows, mix_columns)
        _regret(regret_columns, columns, mix_columns, mix_rows)
    return _shared(total_rows), _shared(total_columns)


def _regret(regret: list[int], table: PayTable, own: list[int], other: list[int]) -> None:
    """Add the regret of each choice against the mix, cut off at 0.

    ``table`` holds the payoffs of own choices for each choice of the other side.
    """
    paid = [0] * len(own)
    for row, part in zip(table, other, strict=True):
        if part:
            for place, pay in enumerate(row):
                paid[place] += pay * part
    mean = sum(pay * part for pay, part in zip(paid, own, strict=True)) // UNIT
    for place, pay in enumerate(paid):
        regret[place] = max(0, regret[place] + (pay - mean) // UNIT)


def _by_regret(regret: list[int]) -> list[int]:
    """Return probabilities in proportion to regrets; uniform if all regrets are 0."""
    return _shared(regret) if any(regret) else _shared([1] * len(regret))


def _shared(amounts: list[int]) -> list[int]:
    """Scale amounts to a sum of UNIT; the rounding error goes to the largest."""
    total = sum(amounts)
    parts = [amount * UNIT // total for amount in amounts]
    parts[amounts.index(max(amounts))] += UNIT - sum(parts)
    return parts


def draw(mix: Sequence[int], least: int, dice: Dice) -> int:
    """Draw an index from a mix, ignoring parts below ``least`` percent."""
    kept = [part if part * 100 >= UNIT * least else 0 for part in mix]
    if not any(kept):
        kept = [part if part == max(mix) else 0 for part in mix]
    rest = dice.roll(sum(kept))
    for place, part in enumerate(kept):
        rest -= part
        if rest <= 0:
            return place
    return len(kept) - 1


# -- levels ----------------------------------------------------------------------------------------


class ComputerPlayer:
    """A computer player with one way to plan a list."""

    def __init__(self, think: Callable[[PlanningScene, Dice], ListSketch]) -> None:
        """Create a player that plans its lists with ``think``."""
        self._think = think

    def plan(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - the view tells everything in this game
        dice: Dice,
    ) -> Sequence[AnyCommand]:
        """Return the commands that write the whole list and seal it."""
        return sealed(view, self._think(scene_of(view), dice).orders())

    def rest(
        self,
        view: View,
        offers: Offers[AnyCommand],  # noqa: ARG002 - as above
    ) -> Sequence[AnyCommand]:
        """Return the commands that write an empty list and seal it."""
        return sealed(view, ())


def greedy_list(scene: PlanningScene, dice: Dice) -> ListSketch:
    """Plan for level 1: greedily choose moves by gain per unit, at a beginner's pace."""
    seat = scene.seat
    if scene.settles(seat):
        scene = scene.with_homes({seat: plain_site(scene.state, seat, dice)})
    return list_of(scene, seat, GENTLE)


LEVELS: Final[Mapping[str, Bot[View, AnyCommand]]] = {
    "easy": ComputerPlayer(greedy_list),
    "normal": ComputerPlayer(careful_list),
    "hard": ComputerPlayer(mixed_list),
}
