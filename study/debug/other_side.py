"""Branches of a game that the rules of another copy of this program decide."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from study.debug.tree_process import TreeFault, TreeProcess


class OtherSide(Exception):
    """The other copy cannot decide this game; the text is the reason in one line."""


def other_branch(
    tree: Path, ruleset: str, seed: bytes, start: bytes, entries: Sequence[bytes]
) -> dict[str, Any]:
    """Return a branch decided by the rules of another copy of this program.

    Args:
        tree: folder of the other copy, which contains ``engine``.
        ruleset: name of the ruleset.
        seed: seed of the game.
        start: the state before the branch, encoded.
        entries: the recorded entries, each encoded.

    Returns:
        ``entries`` (each encoded), ``illegal`` (None, or its fields by name) and ``left``.

    Raises:
        OtherSide: the copy is missing, or cannot read the game.
    """
    if not (tree / "engine" / "core").is_dir():
        raise OtherSide(f"{tree}: there is no copy of this program with its rules")
    try:
        with closing(TreeProcess(tree.resolve(), "branches")) as process:
            answer: dict[str, Any] = process.answer([ruleset, seed, start, entries])
    except TreeFault as fault:
        raise OtherSide(f"{tree}: {fault}") from None
    return answer
