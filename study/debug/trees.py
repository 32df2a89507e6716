"""Trees of sources to decide with: a folder, a wheel, or a revision of a repository.

Wheels and revisions are unpacked into a cache, by their content. A repository is only read, so that
its checkout, its index and its list of worktrees never change.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from engine.core.record import Record
from tui.console.exits import Wrong
from tui.console.files import content, is_file, is_folder
from tui.console.lifeline import completed

DECIDING: Final = ("engine", "saves")
"""Folders whose code decides games and reads saves."""

_ALSO: Final = "pyproject.toml"
_MOST_KEPT: Final = 64
"""Maximum number of unpacked trees that are kept; beyond that, the oldest are removed."""
_SHOWN: Final = 10
_MOST_WHEEL: Final = 1 << 26
_MOST_UNPACKED: Final = 1 << 28
"""Maximum bytes of a wheel, and of an unpacked tree."""


_REGULAR: Final = ("100644", "100755", "100664")
"""Modes of regular files; symbolic links and submodules are omitted."""

_NO_GIT: Final = "git is not installed, which revisions need"

_HARMLESS: Final = (
    *("--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"),
    *("-c", "protocol.allow=never", "-c", "log.showSignature=false"),
)
"""Options of git that block programs named in the configuration of a repository."""


class SourceTree(Record, frozen=True):
    """A folder with ``engine`` and ``saves``, and its name."""

    path: Path
    name: str
    is_unpacked: bool = False
    """True if it is in the cache of trees, so that bytecode may be written into it."""


def own_tree() -> SourceTree:
    """Return the tree that this program runs from."""
    return SourceTree(Path(str(files("engine"))).resolve().parent, "this program")


def find_tree(text: str, repository: Path | None = None) -> SourceTree:
    """Return a tree by the name of a folder, of a wheel, or of a revision.

    Args:
        text: path or revision.
        repository: folder of the repository; by default the checkout of this program, or else
            the current folder.

    Raises:
        Wrong: nothing has that name.
    """
    place = Path(text)
    if is_folder(place):
        return _folder(place)
    if place.suffix == ".whl" and is_file(place):
        return _wheel(place)
    found = Repository.find(repository)
    if found is None:
        raise Wrong(f"{text}: no folder and no wheel, and {why_no_repository()}")
    return found.tree(found.commit(text), text)


def _folder(place: Path) -> SourceTree:
    lacking = [name for name in DECIDING if not (place / name / "__init__.py").is_file()]
    if lacking:
        raise Wrong(f"{place}: no tree of sources, {' and '.join(lacking)} is missing")
    return SourceTree(place.resolve(), str(place))


def _wheel(place: Path) -> SourceTree:
    data = content(place, _MOST_WHEEL)
    key = f"wheel-{blake2b(data, digest_size=16).hexdigest()}"
    try:
        path = _cached(key, lambda folder: _unzip(data, folder))
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError) as problem:
        raise Wrong(f"{place}: {problem}") from None
    return SourceTree(path, place.name, is_unpacked=True)


def _unzip(data: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(info.file_size for info in archive.infolist())
        if size > _MOST_UNPACKED:
            raise zipfile.BadZipFile(f"{size} bytes unpacked; {_MOST_UNPACKED} are allowed")
        archive.extractall(folder)


# -- revisions -------------------------------------------------------------------------------------


class Repository:
    """A repository of revisions, which is only read."""

    def __init__(self, top: Path) -> None:
        """Read the repository at a folder."""
        self.top = top

    @classmethod
    def find(cls, place: Path | None = None) -> Repository | None:
        """Return the repository of a folder, by default of this program or the current folder.

        None if there is no repository.
        """
        own = own_tree().path
        usual = [own] if (own / ".git").exists() else []
        for one in [place] if place is not None else [*usual, Path.cwd()]:
            top = _git(one, "rev-parse", "--show-toplevel")
            if top is not None:
                return cls(Path(top.strip()))
        return None

    def ask(self, *words: str) -> str:
        """Run git with these words and return its output.

        Raises:
            Wrong: git fails; the text is its last line.
        """
        done = _run(self.top, *words)
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise Wrong(f"git {words[0]}: {said[-1] if said else 'failed'}")
        return done.stdout.decode(errors="replace")

    def commit(self, revision: str) -> str:
        """Return the full id of a revision.

        Raises:
            Wrong: the revision does not exist.
        """
        name = f"{revision}^{{commit}}"
        found = _git(self.top, "rev-parse", "--verify", "--quiet", "--end-of-options", name)
        if found is None:
            raise Wrong(f"{revision}: no folder, no wheel, and no revision in {self.top}")
        return found.split()[-1]

    def key(self, commit: str) -> str:
        """Return a hash of all code in a commit that decides games.

        Raises:
            Wrong: git fails.
        """
        listed = self.ask("ls-tree", commit, *DECIDING)
        return blake2b(listed.encode(), digest_size=16).hexdigest()

    def tree(self, commit: str, name: str = "") -> SourceTree:
        """Return a tree with the deciding code of a commit; unpack it if necessary.

        Raises:
            Wrong: git fails, or the revision has no such code.
        """
        listed = self.ask("ls-tree", "--name-only", commit, *DECIDING, _ALSO).split()
        lacking = [folder for folder in DECIDING if folder not in listed]
        if lacking:
            raise Wrong(f"{name or commit[:_SHOWN]}: {' and '.join(lacking)} is missing in it")
        path = _cached(self.key(commit), lambda folder: self._unpack(commit, listed, folder))
        shown = commit[:_SHOWN] if name in ("", commit) else f"{name} ({commit[:_SHOWN]})"
        return SourceTree(path, shown, is_unpacked=True)

    def subject(self, commit: str) -> str:
        """Return the first line of the message of a commit."""
        return self.ask("log", "-1", "--format=%s", commit).strip()

    def _unpack(self, commit: str, names: list[str], folder: Path) -> None:
        """Write the files of a commit as they are stored: ``git archive`` would run filters.

        Raises:
            Wrong: git fails, or the files are too large or have invalid names.
        """
        listed = self.ask("ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *names)
        files: list[tuple[Path, str, int]] = []
        for row in listed.split("\0")[:-1]:
            about, _, name = row.partition("\t")
            mode, _, stored, length = about.split()
            if mode in _REGULAR:
                files.append((folder.joinpath(*_parts(name)), stored, int(length)))
        if sum(size for _, _, size in files) > _MOST_UNPACKED:
            raise Wrong(f"{commit[:_SHOWN]}: more than {_MOST_UNPACKED} bytes")
        asked = "".join(f"{number}\n" for _, number, _ in files)
        data, at = _run(self.top, "cat-file", "--batch", given=asked.encode()).stdout, 0
        for path, number, size in files:
            at = data.find(b"\n", at) + 1
            if not at or len(data) < at + size:
                raise Wrong(f"git cat-file: {number[:_SHOWN]} is missing")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data[at : at + size])
            at += size + 1


def why_no_repository() -> str:
    """Return why no repository can be found."""
    if shutil.which("git") is None:
        return _NO_GIT
    return "there is no repository of revisions here"


def _git(place: Path, *words: str) -> str | None:
    """Return the output of git in a folder; None if it fails or is missing."""
    try:
        done = _run(place, *words)
    except Wrong:
        return None
    return done.stdout.decode(errors="replace") if not done.returncode else None


def _parts(path: str) -> list[str]:
    """Return the parts of a path in a repository.

    Raises:
        Wrong: it would lead out of the folder.
    """
    parts = path.split("/")
    if any(part in {"", ".", "..", ".git"} for part in parts):
        raise Wrong(f"{path[:40]!r} is no path of a file")
    return parts


def _run(place: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run git without optional locks, so that not even the index is refreshed.

    Raises:
        Wrong: git is not installed.
    """
    git = shutil.which("git")
    if git is None:
        raise Wrong(_NO_GIT)
    command = (git, *_HARMLESS, "-C", str(place), *words)  # arguments that are no options
    return completed(command, given=given, env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"})


# -- the cache -------------------------------------------------------------------------------------


def _cache() -> Path:
    return user_cache_path("banneret", appauthor=False) / "trees"


def _cached(key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of a key in the cache; make it, completely or not at all, if missing."""
    home = _cache()
    place = home / key
    if not place.is_dir():
        home.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=home))
        try:
            make(fresh)
            if not place.is_dir():
                fresh.rename(place)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        _prune(home, keep=place)
    return place


def _prune(home: Path, keep: Path) -> None:
    """Remove the oldest trees if there are too many."""
    folders = [one for one in home.iterdir() if one.is_dir() and one != keep]
    folders.sort(key=lambda one: one.stat().st_mtime, reverse=True)
    for old in folders[_MOST_KEPT - 1 :]:
        shutil.rmtree(old, ignore_errors=True)
