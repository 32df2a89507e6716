"""Processes that decide saves with the rules of a tree of sources, one process for each tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from engine.core.record import Record
from study.debug.tree_process import TreeFault, TreeProcess
from study.debug.trees import SourceTree

DEADLINE: Final = 60.0
"""Seconds in which a save has to be decided, and in which a tree has to start."""


class Unready(Exception):
    """A tree cannot be started; the text is the reason in one line."""


class SaveSigns(Record, frozen=True):
    """Signs of each entry of a save as one side decided it, or the reason why there are none.

    ``ended`` says how the process ended, or which event could not be applied, after these signs.
    """

    layout: str = ""
    decisions: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    fault: str = ""
    ended: str = ""


class Decider:
    """A process that decides with the rules of one tree; started with the first request."""

    def __init__(self, tree: SourceTree, deadline: float = DEADLINE) -> None:
        """Decide with a tree, each answer in at most ``deadline`` seconds."""
        self.tree = tree
        self.deadline = deadline
        self._process: TreeProcess | None = None
        self._closed = False

    def signs(self, save: Path) -> SaveSigns:
        """Return the signs of all entries of a save.

        Raises:
            Unready: the tree cannot be started.
        """
        signs: list[tuple[str, str]] = []
        layout = ended = ""
        try:
            for answer in self.start().ask({"read": str(save)}):
                if "fault" in answer:
                    return SaveSigns(fault=answer["fault"])
                if "layout" in answer:
                    layout = answer["layout"]
                elif answer[0] == "!":
                    ended = f"cannot apply an event, {answer[1]}"
                else:
                    signs.append(answer)
        except TreeFault as died:
            ended = str(died)
            self.stop()
        decisions, states = zip(*signs, strict=True) if signs else ((), ())
        return SaveSigns(layout, decisions, states, ended=ended)

    def ask(self, **request: Any) -> dict[str, Any]:
        """Send a request about the save that was read last; return the answer of the process.

        Raises:
            Unready: the tree cannot be started.
            TreeFault: the process ended before it answered.
        """
        try:
            answer: dict[str, Any] = self.start().answer(request)
        except TreeFault:
            self.stop()
            raise
        return answer

    def start(self) -> TreeProcess:
        """Return the process; start it if it is not running.

        Raises:
            Unready: it cannot be started.
        """
        if self._process is None:
            if self._closed:
                raise Unready(f"{self.tree.name} was stopped")
            try:
                self._process = TreeProcess(
                    self.tree.path,
                    "saves",
                    deadline=self.deadline,
                    writes_bytecode=self.tree.is_unpacked,
                )
            except TreeFault as fault:
                raise Unready(f"{self.tree.name} cannot start: {fault}") from None
        return self._process

    def stop(self) -> None:
        """End the process; the next request starts it again."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def close(self) -> None:
        """End the process permanently."""
        self._closed = True
        self.stop()

    def __enter__(self) -> Decider:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
