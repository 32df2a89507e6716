"""Packs of keys, one file each."""
