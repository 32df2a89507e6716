"""Packs of keys, each a file."""
