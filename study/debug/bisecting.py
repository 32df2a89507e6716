"""``bisect``: the revision since which a saved game gives a different result.

Git chooses the next test among the revisions that change deciding code. A revision is bad if it
parts from the good one as the bad one does; one that parts differently, because of another fault,
proves nothing and is skipped. Nothing is checked out: revisions are unpacked into the cache of
trees.
"""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

from engine.core.record import Record
from engine.debug.parting import Parting
from study.debug.comparing import Compared, RuleComparison, as_data, cause_text, path_of
from study.debug.debugger import Answer, Debugger
from study.debug.decider_process import DEADLINE
from study.debug.trees import DECIDING, Repository, SourceTree, why_no_repository
from tui.console.exits import Wrong
from tui.console.files import put_file
from tui.console.lifeline import completed

VerdictWord: TypeAlias = Literal["good", "bad", "skip"]

_SHOWN: Final = 10
"""Characters of a commit id that are printed."""
_SKIP: Final = 125
"""Exit code of a command that cannot decide, as for ``git bisect run``."""


class BrokenRevision(Exception):
    """A revision cannot be built or started; the text is the reason in one line."""


class RevisionVerdict(Record, frozen=True):
    """Verdict on a revision: good, bad or skip, the reason, and its parting from the good one."""

    word: VerdictWord
    why: str = ""
    parting: Parting | None = None


RevisionJudge: TypeAlias = Callable[[str], RevisionVerdict]
"""Returns the verdict on the deciding code of a commit."""


# -- the search ------------------------------------------------------------------------------------


class RevisionSearch:
    """A search between a good and a bad commit; verdicts are cached by the deciding code."""

    def __init__(self, repository: Repository, good: str, bad: str) -> None:
        """Search between two commits, given by their full ids."""
        self.repository = repository
        self.good, self.bad = [good], bad
        self.skipped: list[str] = []
        self.builds = 0
        self.log: list[str] = [
            f"git bisect start {' '.join(map(_quoted, ('--', *DECIDING)))}",
            *self._logged(good, "good"),
            *self._logged(bad, "bad"),
        ]
        self._known = {
            repository.key(good): RevisionVerdict("good", "as the good one"),
            repository.key(bad): RevisionVerdict("bad", "as the bad one"),
        }

    def next(self) -> str | None:
        """Return the commit to test next, which halves the rest, or None at the end."""
        listed = self._left("--bisect-all")
        rest = [one for one in listed if one != self.bad and one not in self.skipped]
        return rest[0] if rest else None

    def suspects(self) -> list[str]:
        """Return the commits that may be the first bad one; just one unless some were skipped."""
        return self._left()

    def judge(self, commit: str, judge: RevisionJudge) -> RevisionVerdict:
        """Return the verdict on a commit; equal deciding code is judged only once."""
        key = self.repository.key(commit)
        if key not in self._known:
            self.builds += 1
            self._known[key] = judge(commit)
        return self._known[key]

    def note(self, commit: str, verdict: RevisionVerdict) -> None:
        """Record the verdict on a commit, for the search and in the log."""
        self.log += self._logged(commit, verdict.word)
        match verdict.word:
            case "good":
                self.good.append(commit)
            case "bad":
                self.bad = commit
            case "skip":
                self.skipped.append(commit)

    def end(self, suspects: list[str]) -> None:
        """Write the first bad commit, or the suspects, into the log in git's form."""
        if len(suspects) == 1:
            self.log.append(f"# first bad commit: {self._named(suspects[0])}")
        else:
            self.log.append("# only skipped commits left to test")
            self.log += [f"# possible first bad commit: {self._named(one)}" for one in suspects]

    def _left(self, *options: str) -> list[str]:
        ends = [self.bad, *(f"^{one}" for one in self.good)]
        listed = self.repository.ask("rev-list", *options, *ends, "--", *DECIDING)
        return [line.split()[0] for line in listed.splitlines()]

    def _logged(self, commit: str, word: VerdictWord) -> list[str]:
        return [f"# {word}: {self._named(commit)}", f"git bisect {word} {commit}"]

    def _named(self, commit: str) -> str:
        return f"[{commit}] {self.repository.subject(commit)}"


def _quoted(word: str) -> str:
    """Quote a word, as ``git bisect replay`` requires."""
    return f"'{word}'"


# -- verdicts --------------------------------------------------------------------------------------


class PartingJudge:
    """Judges revisions by whether they part from the good one as the bad one does."""

    def __init__(
        self, repository: Repository, save: Path, good: SourceTree, bad: SourceTree
    ) -> None:
        """Judge by a save.

        Raises:
            Wrong: the good or the bad revision cannot be started.
        """
        self._repository, self._save = repository, save
        self._comparison = RuleComparison(bad, DEADLINE, here=good)
        self.target: Parting | None = None

    def start(self, deadline: float) -> Parting:
        """Return the parting of the bad revision from the good one.

        Raises:
            Wrong: they agree, or one of them cannot decide the save.
        """
        self._comparison.here.deadline = self._comparison.there.deadline = deadline
        self._comparison.start()
        found = self._compared()
        if found.parting is None:
            raise Wrong("the good and the bad revision decide this game alike")
        self.target = found.parting
        return found.parting

    def __call__(self, commit: str) -> RevisionVerdict:
        """Return the verdict on a commit.

        Raises:
            BrokenRevision: it cannot be built or started.
        """
        try:
            self._comparison.exchange(self._repository.tree(commit))
        except Wrong as wrong:
            raise BrokenRevision(str(wrong)) from None
        found = self._compared().parting
        if found is None:
            return RevisionVerdict("good")
        if self._is_target(found):
            return RevisionVerdict("bad", f"parts at {found.place}: {found}", found)
        return RevisionVerdict("skip", f"another fault, at {found.place}: {found}", found)

    def close(self) -> None:
        """End the processes of the revisions."""
        self._comparison.close()

    def _is_target(self, found: Parting) -> bool:
        target = self.target
        if target is None:
            return False
        same = (found.seq, found.difference) == (target.seq, target.difference)
        return same or found.signature == target.signature

    def _compared(self) -> Compared:
        found = self._comparison.compare(self._save)
        if found.fault:
            raise Wrong(f"the good revision cannot decide this game: {found.fault}")
        return found


def command_judge(repository: Repository, save: Path, command: str) -> RevisionJudge:
    """Return a judge that runs a command: 0 is good, 125 undecided, anything else bad.

    The command gets the tree and the save in the variables ``BANNERET_TREE`` and ``BANNERET_SAVE``.
    """

    def judge(commit: str) -> RevisionVerdict:
        try:
            tree = repository.tree(commit)
        except Wrong as wrong:
            raise BrokenRevision(str(wrong)) from None
        told = {"BANNERET_TREE": str(tree.path), "BANNERET_SAVE": str(save)}
        told["PYTHONPATH"] = str(tree.path)
        try:
            done = completed(shlex.split(command), env={**os.environ, **told})
        except (OSError, ValueError) as problem:
            raise Wrong(f"exit:{command}: {problem}") from None
        word: VerdictWord = {0: "good", _SKIP: "skip"}.get(done.returncode, "bad")  # type: ignore[assignment]
        return RevisionVerdict(word, f"exit code {done.returncode}")

    return judge


# -- the verb --------------------------------------------------------------------------------------


def bisect(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Find the revision since which a game gives a different result; yield each test."""
    place = Path(args.repository) if args.repository else None
    repository = Repository.find(place)
    if repository is None:
        raise Wrong(why_no_repository())
    good, bad = repository.commit(args.good), repository.commit(args.bad)
    _check_ends(repository, good, bad, args)
    search = RevisionSearch(repository, good, bad)
    try:
        yield from _searched(search, path_of(bench), args)
    except KeyboardInterrupt:
        yield Answer(f"stopped after {search.builds} builds; what is known so far:")
        yield from _log(search, args.output)
        raise


def _check_ends(repository: Repository, good: str, bad: str, args: Namespace) -> None:
    if good == bad:
        raise Wrong(f"{args.good} and {args.bad} are the same revision")
    if repository.ask("merge-base", good, bad).strip() != good:
        raise Wrong(f"{args.good} does not come before {args.bad}")


def _searched(search: RevisionSearch, save: Path, args: Namespace) -> Iterator[Answer]:
    if args.keep.startswith("exit:"):
        judge = command_judge(search.repository, save, args.keep.removeprefix("exit:"))
        yield from _narrowed(search, judge, args)
        return
    if args.keep != "parts":
        raise Wrong(f"--keep takes parts or exit:COMMAND, not {args.keep[:40]!r}")
    ends = [search.repository.tree(commit) for commit in (search.good[0], search.bad)]
    parting = PartingJudge(search.repository, save, *ends)
    search.builds += len(ends)
    try:
        target = parting.start(args.deadline or DEADLINE)
        yield Answer(f"the bad revision parts at {target.place}: {target}", data=as_data(target))
        yield from _narrowed(search, parting, args)
    finally:
        parting.close()
    yield Answer(f"first parting at {target.place}: {target}", target.place, as_data(target))
    if target.cause is not None:
        yield Answer(f"  {cause_text(target.cause)}")


def _narrowed(search: RevisionSearch, judge: RevisionJudge, args: Namespace) -> Iterator[Answer]:
    """Test revisions until the first bad one is left."""
    while (commit := search.next()) is not None:
        try:
            verdict = search.judge(commit, judge)
        except BrokenRevision as broken:
            if not args.skip:
                hint = "--skip-if-broken passes over such revisions"
                raise Wrong(f"{commit[:_SHOWN]} is broken: {broken}; {hint}") from None
            verdict = RevisionVerdict("skip", f"broken: {broken}")
        search.note(commit, verdict)
        yield _tested(search, commit, verdict)
    yield from _result(search)
    yield from _log(search, args.output)


def _tested(search: RevisionSearch, commit: str, verdict: RevisionVerdict) -> Answer:
    subject = search.repository.subject(commit)
    why = f"  ({verdict.why})" if verdict.why else ""
    data = {"commit": commit, "verdict": verdict.word, "why": verdict.why, "subject": subject}
    return Answer(f"{verdict.word:<4} {commit[:_SHOWN]} {subject}{why}", data=data)


def _result(search: RevisionSearch) -> Iterator[Answer]:
    suspects = search.suspects()
    search.end(suspects)
    builds = f"{search.builds} builds, {len(search.skipped)} skipped"
    if len(suspects) == 1:
        (culprit,) = suspects
        subject = search.repository.subject(culprit)
        text = f"{culprit} is the first bad revision: {subject} ({builds})"
        data = {"culprit": culprit, "subject": subject}
        yield Answer(text, data={**data, "builds": search.builds, "skipped": search.skipped})
        shown = search.repository.ask("show", "--stat", "--format=", culprit)
        for line in shown.strip().splitlines():
            yield Answer(f"  {line.strip()}")
        return
    yield Answer(f"the first bad revision is one of these, the others were skipped ({builds}):")
    for one in suspects:
        subject = search.repository.subject(one)
        yield Answer(f"  {one} {subject}", data={"suspect": one, "subject": subject})


def _log(search: RevisionSearch, file: str | None) -> Iterator[Answer]:
    if file is None:
        for line in search.log:
            yield Answer(line)
        return
    put_file(Path(file), (f"{line}\n" for line in search.log))
    yield Answer(f"{file}: a log for 'git bisect replay'")
