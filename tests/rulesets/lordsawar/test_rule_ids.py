"""Every rule of RULES.md is named in the code that keeps it and in its tests.

The contract of all rulesets checks the same, but only for those that can be played.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.contract.test_rule_ids import ids, texts

HERE = Path(__file__).parent
FOLDER = HERE.parents[2] / "engine" / "rulesets" / "lordsawar"


def test_every_rule_is_listed_once_kept_and_tested() -> None:
    text = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| (LW-[\d.]+) \|", text, re.MULTILINE)
    assert listed
    assert sorted(set(listed)) == sorted(listed)
    code = (*FOLDER.rglob("*.py"), FOLDER / "rule_index.toml")
    kept = {rule for text in texts(code) for rule in ids(text)}
    marks = re.findall(r"mark\.rule\(([^)]*)\)", "".join(texts(HERE.glob("test_*.py"))))
    tested = {rule for mark in marks for rule in ids(mark)}
    headed = set(re.findall(r"^## (LW-\d+): ", text, re.MULTILINE))
    assert {rule for rule in kept if rule.startswith("LW-")} - headed == set(listed)
    assert tested - headed == set(listed)
