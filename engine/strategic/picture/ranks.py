"""Ranks: a battle as an animation that shows both sides with their living, fighting and fallen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.strategic.battle_records import Battleground, BattleLine, Lineup, Support
from engine.strategic.duels import HITS, chance_of_duel, duel_rounds, share
from engine.strategic.events.battle import Fighter
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.style import BattleTale
from engine.strategic.picture.words import seat_of
from engine.tabletop.board import BoardMark, Line
from engine.tabletop.fact import EventMoment
from engine.tabletop.roles import MarkSign, Tone

_MOST_ROWS: Final = 4
"""Maximum number of armies of a side shown at once."""

_NAME: Final = 15
"""Width of an army's name and strength, in columns."""

_FRONTS: Final = (">", "<")
"""Signs of the armies that fight: the attacker's and the defender's."""


class Ranks:
    """Both lines of a battle, row by row, while they fight."""

    def __init__(self, context: PictureContext, tale: BattleTale) -> None:
        """Show a battle; ``context`` is the one before it."""
        self._context, self._tale = context, tale
        self._names = {
            one.army: f"{_fitted(_short(context, one), one.strength)} {one.strength}"
            for one in tale.fighters.values()
        }

    def opening(self, rest: Mapping[int, str]) -> EventMoment:
        """Return the moment before the first blow, with the attackers' chance if it is known."""
        chance = self._tale.chance
        percent = 100 * chance[0] // chance[1] if chance is not None else 0
        said = f"attack wins in {percent} %" if chance is not None else ""
        return self.moment("The battle begins", rest, {}, said)

    def ending(self, rest: Mapping[int, str]) -> EventMoment:
        """Return the moment after the last blow."""
        won = any(rest.get(one.army) for one in self._tale.attackers)
        winner = self._context.side_title(self._tale.sides[not won])
        return self.moment(f"Won: {winner}", rest, {})

    def moment(
        self, title: str, rest: Mapping[int, str], fronts: Mapping[int, str], said: str = ""
    ) -> EventMoment:
        """Return a moment of the battle. Rows keep their position, so that few cells change.

        Args:
            title: progress of the battle.
            rest: text for what each army has left; an army without any has fallen.
            fronts: signs of the armies that fight just now.
            said: text of the line below both ranks.
        """
        tale, lines = self._tale, [Line(title, Tone.TITLE)]
        ranks = zip(tale.sides, (tale.attackers, tale.defenders), strict=True)
        for side, line in ranks:
            seat, standing = seat_of(side), sum(bool(rest.get(one.army)) for one in line)
            name = self._context.side_title(side)[:_NAME]
            lines.append(Line(f"{name:<{_NAME}} {standing} of {len(line)}", Tone.STRONG, seat))
            lines += (self._row(one, rest, fronts, seat) for one in _shown(line, rest))
        return EventMoment(self._marks(), (*lines, Line(said)))

    def _row(
        self, one: Fighter, rest: Mapping[int, str], fronts: Mapping[int, str], seat: int
    ) -> Line:
        """Return an army's row: a sign if it fights or fell, its strength and what it has left."""
        left = rest.get(one.army, "")
        sign = fronts.get(one.army, " ") if left else "x"
        return Line(f"{sign} {self._names[one.army]:<{_NAME}} {left or 'fell'}", seat=seat)

    def _marks(self) -> tuple[BoardMark, ...]:
        """Mark both tiles. The marks never change, since each change is sent to the terminal."""
        start, at = self._tale.start, self._tale.at
        target = BoardMark(*at, MarkSign.TARGET, "x")
        return (target,) if start == at else (BoardMark(*start, MarkSign.HELD), target)


def _short(context: PictureContext, one: Fighter) -> str:
    """Return the name of a hero that the viewer knew, else the type."""
    army = context.world.armies.get(one.army)
    return context.type_name(one.type) if army is None or not army.hero else army.hero.name


def _fitted(name: str, strength: int) -> str:
    """Return a name that fits beside its strength: words before the last become initials.

    >>> _fitted("Light Infantry", 2), _fitted("Light Infantry", 12), _fitted("Giant Bats", 3)
    ('L. Infantry', 'L. Infantry', 'Giant Bats')
    """
    room = _NAME - len(f" {strength}")
    if len(name) > room:
        *first, last = name.split()
        name = " ".join([*(f"{word[0]}." for word in first), last])
    return name[:room]


def _shown(line: Sequence[Fighter], rest: Mapping[int, str]) -> Sequence[Fighter]:
    """Return the armies to show: those around the front, since armies fall in line order."""
    front = next((place for place, one in enumerate(line) if rest.get(one.army)), len(line))
    first = max(0, min(front - 1, len(line) - _MOST_ROWS))
    return line[first : first + _MOST_ROWS]


# -- duels with dice -------------------------------------------------------------------------------


def moments(context: PictureContext, tale: BattleTale) -> Iterator[EventMoment]:
    """Yield a battle of duels: at its start, after each round with a hit, and at its end.

    The line below shows the attacker's chance in this duel just before the hit, and the dice.
    """
    duels = tale.duels
    if any(not duel.dice for duel in duels):
        return
    ranks = Ranks(context, tale)
    left = dict.fromkeys(tale.fighters, HITS)
    yield ranks.opening(_signs(left))
    first, second = (
        BattleLine(line, Support(0, ()), ()) for line in (tale.attackers, tale.defenders)
    )
    lineup = Lineup(Battleground("open"), first, second, ())
    duel, thrown = 0, 0
    for one in duel_rounds(lineup, duels):
        thrown += 1
        fronts = one.attacker.army, one.defender.army
        if one.hit not in {"attacker", "defender"}:
            continue
        strengths = one.attacker.strength, one.defender.strength
        dice, shielded = context.settings.fighting.dice, duels[duel].shielded
        hit = share(*strengths, dice, shielded=shielded)
        chance = chance_of_duel(hit, left[fronts[0]], left[fronts[1]])
        left[fronts[0]], left[fronts[1]] = one.attacker_left, one.defender_left
        title = f"Duel {duel + 1} of {len(duels)}"
        said = f"{100 * chance:.0f} %, dice {one.attacker_die} to {one.defender_die}"
        signs = dict(zip(fronts, _FRONTS, strict=True))
        yield ranks.moment(title, _signs(left), signs, f"{said}, round {thrown}")
        if not min(one.attacker_left, one.defender_left):
            duel, thrown = duel + 1, 0
    yield ranks.ending(_signs(left))


def _signs(left: Mapping[int, int]) -> dict[int, str]:
    """Show the hits that each army can still take, as signs."""
    return {army: "*" * bears + "." * (HITS - bears) for army, bears in left.items() if bears}
