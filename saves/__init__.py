"""Saved games: one append-only file each. Knows no ruleset by name."""
