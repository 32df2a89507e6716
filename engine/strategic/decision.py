"""Decisions: the scratch pad that every chapter works on; dice, armies, questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Final, TypeAlias, TypeVar

from engine.core.decision import BaseDecision
from engine.core.dice import Dice
from engine.kit.grid import Place
from engine.strategic.events.battle import ArmiesGrew, ArmiesRemoved, GrowthReason, RemovalReason
from engine.strategic.events.cities import TransitsLost
from engine.strategic.events.heroes import Answered, Asked
from engine.strategic.events.movement import GoalSet
from engine.strategic.pieces import Army, Question, QuestionKind, Transit
from engine.strategic.world import World

Decision: TypeAlias = BaseDecision[World, Any]
"""One decision: the world so far, the dice, and the events it led to."""

_HALF: Final = 10
"""Bits of each half of a scrambled number."""

_MASK: Final = (1 << _HALF) - 1
_TURNS: Final = 4

BLOCK: Final = 1 << 2 * _HALF
"""Size of a block of numbers that are permuted among themselves."""

_ROUNDS: Final = 10
"""Rounds of the permutation, as in ciphers for small domains."""


def next_block(highest: int) -> int:
    """First number of the block after ``highest``."""
    return (highest // BLOCK + 1) * BLOCK


def new_ids(world: World, count: int) -> tuple[int, ...]:
    """Numbers for new armies; those of transits are the numbers of their armies.

    Where anything is hidden they follow no order that would tell how many armies there are. Games
    that were begun with a ``key`` of 32 bits keep their way of numbering.
    """
    fresh = range(world.next_id, world.next_id + count)
    if world.secret:
        secret = bytes.fromhex(world.secret)
        return tuple(permuted(number, secret) for number in fresh)
    return tuple(scrambled(number, world.key) for number in fresh) if world.key else tuple(fresh)


def permuted(number: int, secret: bytes) -> int:
    """Number, from 1 up, that stands for another one: a Feistel network of keyed hashes.

    Each block is mapped to the next 2**20 numbers, one to one.

    Whoever knows any numbers of armies cannot tell the others from chance without the secret, which
    is too long to be tried out.
    """
    block, place = divmod(number, BLOCK)
    left, right = place >> _HALF, place & _MASK
    for turn in range(_ROUNDS):
        label = b"%d %d %d" % (block, turn, right)
        digest = blake2b(label, key=secret, person=b"army numbers", digest_size=2).digest()
        left, right = right, left ^ int.from_bytes(digest, "big") & _MASK
    return block * BLOCK + (left << _HALF | right) + 1


def scrambled(number: int, key: int) -> int:
    """Another number below 2**20 for every number below it, one to one.

    For games that were begun when keys had 32 bits.
    """
    left, right = number >> _HALF & _MASK, number & _MASK
    for turn in range(_TURNS):
        mixed = (right * 0x9E37 + (key >> 8 * turn) * 0x85EB + turn * 0xC2B2) & 0xFFFFFFFF
        left, right = right, left ^ (mixed >> 11 & _MASK)
    return left << _HALF | right


# -- Dice ------------------------------------------------------------------------------------------


T = TypeVar("T")


def roll(dice: Dice, count: int, sides: int, plus: int = 0) -> int:
    """Sum of ``count`` dice with so many sides, and ``plus``; no sides: just that."""
    return plus + sum(dice.roll(sides) for _ in range(count)) if sides else plus


def pick(dice: Dice, listed: Sequence[T]) -> T:
    """Random choice of one of the listed; nothing is thrown where there is no choice."""
    return listed[dice.roll(len(listed)) - 1] if len(listed) > 1 else listed[0]


# -- Armies ----------------------------------------------------------------------------------------


def remove_armies(decision: Decision, armies: Iterable[Army], reason: RemovalReason) -> None:
    """Remove armies from the map; their items are dropped by ``sites.fall``."""
    decision.emit(ArmiesRemoved(tuple(sorted(army.id for army in armies)), reason))


def grow_armies(decision: Decision, grown: Iterable[Army], reason: GrowthReason) -> None:
    """Replace armies by what experience, a medal, a level or a blessing made of them, if any."""
    rows = tuple(grown)
    if rows:
        decision.emit(ArmiesGrew(rows, reason))


def aim(
    decision: Decision, armies: tuple[int, ...], goal: Place | None, *, flag: bool = False
) -> None:
    """Set the goal of armies, or none; nothing is emitted for those that have it already."""
    rows = (decision.state.armies[army] for army in armies)
    other = tuple(army.id for army in rows if army.goal != goal or army.to_flag != flag)
    if other:
        decision.emit(GoalSet(other, goal, flag))


def lose_transits(decision: Decision, transits: Iterable[Transit]) -> None:
    """Remove armies on their way, if there are any."""
    lost = tuple(transit.id for transit in transits)
    if lost:
        decision.emit(TransitsLost(lost))


# -- Questions -------------------------------------------------------------------------------------


def ask(decision: Decision, question: Question) -> None:
    """Ask a side something that it must answer before anything else."""
    decision.emit(Asked(question))


def answer(decision: Decision, question: Question, text: str) -> None:
    """Note the answer to the question that waits."""
    decision.emit(Answered(question.kind, question.side, text))


def asked_of(world: World, side: int, kind: QuestionKind) -> Question | None:
    """Question of a kind that waits for an answer of a side."""
    found = world.question
    return found if found is not None and (found.kind, found.side) == (kind, side) else None
