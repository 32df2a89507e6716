"""Lessons name keys by the ids of bindings; all of these exist."""

from __future__ import annotations

import re

from engine.core import registry
from engine.core.ruleset import AnyRuleset
from engine.tabletop.presenter import presenter_of
from tui.settings.keymap import known


def test_every_key_that_a_lesson_names_is_bound() -> None:
    rulesets: tuple[AnyRuleset, ...] = tuple(registry.find(name) for name in registry.names())
    named = {
        name
        for rules in rulesets
        for lesson in presenter_of(rules).lessons
        for step in lesson.steps
        for name in re.findall(r"\{key:([\w.-]+)\}", step.text + step.hint)
    }
    assert named
    assert named <= set(known())
