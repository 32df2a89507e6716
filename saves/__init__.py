"""Saved games, one append-only file each. Rulesets are found by name in the registry."""
