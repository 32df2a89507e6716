"""Decisions: the scratch pad of every part of the rules, with dice, armies and questions."""

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
"""One decision: the world so far, the dice, and the events emitted."""

_HALF: Final = 10
"""Number of bits of each half of a scrambled number."""

_MASK: Final = (1 << _HALF) - 1
_TURNS: Final = 4

BLOCK: Final = 1 << 2 * _HALF
"""Size of a block of numbers that are permuted among themselves."""

_ROUNDS: Final = 10
"""Number of rounds of the permutation, as in ciphers for small domains."""


def next_block(highest: int) -> int:
    """Return the first number of the block after ``highest``."""
    return (highest // BLOCK + 1) * BLOCK


def new_ids(world: World, count: int) -> tuple[int, ...]:
    """Return ids for new armies; a transit has the id of its army.

    If anything is hidden, the ids are permuted, so that they do not reveal how many armies exist.
    Games that began with a ``key`` of 32 bits keep their older permutation.
    """
    fresh = range(world.next_id, world.next_id + count)
    if world.secret:
        secret = bytes.fromhex(world.secret)
        return tuple(permuted(number, secret) for number in fresh)
    return tuple(scrambled(number, world.key) for number in fresh) if world.key else tuple(fresh)


def permuted(number: int, secret: bytes) -> int:
    """Return the number, at least 1, to which a Feistel network of keyed hashes maps a number.

    The map is one to one from each block to the next 2**20 numbers. Without the secret, known ids
    of armies say nothing about the others, and the secret is too long to guess.
    """
    block, place = divmod(number, BLOCK)
    left, right = place >> _HALF, place & _MASK
    for turn in range(_ROUNDS):
        label = b"%d %d %d" % (block, turn, right)
        digest = blake2b(label, key=secret, person=b"army numbers", digest_size=2).digest()
        left, right = right, left ^ int.from_bytes(digest, "big") & _MASK
    return block * BLOCK + (left << _HALF | right) + 1


def scrambled(number: int, key: int) -> int:
    """Return the number below 2**20 to which another one is mapped, one to one.

    Only for games that began when keys had 32 bits.
    """
    left, right = number >> _HALF & _MASK, number & _MASK
    for turn in range(_TURNS):
        mixed = (right * 0x9E37 + (key >> 8 * turn) * 0x85EB + turn * 0xC2B2) & 0xFFFFFFFF
        left, right = right, left ^ (mixed >> 11 & _MASK)
    return left << _HALF | right


# -- Dice ------------------------------------------------------------------------------------------


T = TypeVar("T")


def roll(dice: Dice, count: int, sides: int, plus: int = 0) -> int:
    """Return the sum of ``count`` dice with ``sides`` sides, and ``plus``; 0 sides add nothing."""
    return plus + sum(dice.roll(sides) for _ in range(count)) if sides else plus


def pick(dice: Dice, listed: Sequence[T]) -> T:
    """Return a random element; a single element needs no roll."""
    return listed[dice.roll(len(listed)) - 1] if len(listed) > 1 else listed[0]


# -- Armies ----------------------------------------------------------------------------------------


def remove_armies(decision: Decision, armies: Iterable[Army], reason: RemovalReason) -> None:
    """Remove armies from the map; ``sites.fall`` drops their items."""
    decision.emit(ArmiesRemoved(tuple(sorted(army.id for army in armies)), reason))


def grow_armies(decision: Decision, grown: Iterable[Army], reason: GrowthReason) -> None:
    """Replace armies after experience, a medal, a level or a blessing; emit nothing for none."""
    rows = tuple(grown)
    if rows:
        decision.emit(ArmiesGrew(rows, reason))


def aim(
    decision: Decision, armies: tuple[int, ...], goal: Place | None, *, flag: bool = False
) -> None:
    """Set the goal of armies, or clear it with None; skip armies that have this goal already."""
    rows = (decision.state.armies[army] for army in armies)
    other = tuple(army.id for army in rows if army.goal != goal or army.to_flag != flag)
    if other:
        decision.emit(GoalSet(other, goal, flag))


def lose_transits(decision: Decision, transits: Iterable[Transit]) -> None:
    """Remove armies in transit; emit nothing for none."""
    lost = tuple(transit.id for transit in transits)
    if lost:
        decision.emit(TransitsLost(lost))


# -- Questions -------------------------------------------------------------------------------------


def ask(decision: Decision, question: Question) -> None:
    """Ask a side a question that it must answer before anything else."""
    decision.emit(Asked(question))


def answer(decision: Decision, question: Question, text: str) -> None:
    """Record the answer to the open question."""
    decision.emit(Answered(question.kind, question.side, text))


def asked_of(world: World, side: int, kind: QuestionKind) -> Question | None:
    """Return the open question of a kind to a side, or None."""
    found = world.question
    return found if found is not None and (found.kind, found.side) == (kind, side) else None
