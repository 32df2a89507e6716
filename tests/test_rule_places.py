"""The places that ``bench.rules`` finds, and the number of files that decide a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.rules import MOST_SCATTERED, Citation, book_of, indexed, main, named, places_in
from engine.core import registry

WRITTEN = '''"""About both. See: X-1."""

LIMIT = 3
"""Maximum. Rules: X-2, X-3."""


class Side:
    """A side."""

    def move(self) -> None:
        """Move. Rules: X-4. See: X-1 to X-3."""


def other() -> None:
    """Rules are none of its business."""
'''


def test_rules_of_every_kind_of_docstring_are_found(tmp_path: Path) -> None:
    path = tmp_path / "written.py"
    path.write_text(WRITTEN, encoding="utf-8")
    found = [(one.rule, one.name, one.line, one.decides) for one in places_in(path)]
    assert found == [
        ("X-1", "", 1, False),
        ("X-2", "LIMIT", 3, True),
        ("X-3", "LIMIT", 3, True),
        ("X-4", "Side.move", 10, True),
        ("X-1", "Side.move", 10, False),
        ("X-2", "Side.move", 10, False),
        ("X-3", "Side.move", 10, False),
    ]


def test_index_leads_to_functions_of_the_shared_layer() -> None:
    found = list(indexed({"X-1": ["cities.keep_accounts", "bot.commander.Commander.plan"]}))
    assert [(one.file, one.name) for one in found] == [
        ("engine/strategic/cities.py", "keep_accounts"),
        ("engine/strategic/bot/commander.py", "Commander.plan"),
    ]
    for one in found:
        line = Path(one.file).read_text(encoding="utf-8").splitlines()[one.line - 1]
        assert f"def {one.name.rpartition('.')[2]}(" in line


def test_few_rules_are_decided_in_many_files() -> None:
    assert sum(len(book_of(name).scattered) for name in registry.names()) <= MOST_SCATTERED


def test_chapters_id_names_its_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    books = [book_of("lordsawar")]
    assert [rule for _, rule in named(books, "LW-8")] == ["LW-8.1", "LW-8.2", "LW-8.3"]
    monkeypatch.setattr("sys.argv", ["rules", "LW-17.6", "LW-99"])
    assert main() == 1
    printed = capsys.readouterr()
    assert "engine/rulesets/lordsawar/turns.py" in printed.out
    assert printed.err == "no rule has the id LW-99\n"


def test_place_outside_the_project_keeps_its_path(tmp_path: Path) -> None:
    path = tmp_path / "one.py"
    path.write_text('"""Rules: X-1."""\n', encoding="utf-8")
    assert list(places_in(path)) == [Citation("X-1", str(path), 1, "", decides=True)]
