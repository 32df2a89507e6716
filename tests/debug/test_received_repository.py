"""Received repositories: unpacking a revision runs none of the programs they configure."""

from __future__ import annotations

from pathlib import Path

import pytest

from study.debug.trees import Repository, _parts
from tests.debug.histories import git
from tests.programs import needs_git
from tui.console.exits import Wrong

pytestmark = needs_git


def test_unpacking_a_revision_runs_no_filter_hook_or_monitor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place, owned = tmp_path / "received", tmp_path / "owned"
    for name in ("engine", "saves"):
        (place / name).mkdir(parents=True)
        (place / name / "__init__.py").write_bytes(b"text\r\n")
    (place / "engine" / "link.py").symlink_to("/etc/passwd")
    (place / ".gitattributes").write_text("* filter=evil\n", encoding="utf-8")
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-q", "-m", "first")
    git(place, "config", "filter.evil.smudge", f"sh -c 'touch {owned}; cat'")
    git(place, "config", "core.fsmonitor", f"touch {owned}")
    git(place, "config", "core.pager", f"touch {owned}")
    found = Repository.find(place)
    assert found is not None
    commit = found.commit("HEAD")
    tree = found.tree(commit)
    assert found.subject(commit) == "first"
    assert (tree.path / "engine" / "__init__.py").read_bytes() == b"text\r\n"
    assert sorted(path.name for path in tree.path.rglob("*.py")) == ["__init__.py"] * 2
    assert not owned.exists()


@pytest.mark.parametrize("path", ["../x", "/x", "a//b", "a/./b", ".git/hooks/x", ""])
def test_paths_out_of_the_folder_are_refused(path: str) -> None:
    with pytest.raises(Wrong, match="no path of a file"):
        _parts(path)
