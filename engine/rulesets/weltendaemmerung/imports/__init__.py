"""Importers for files of the original program that a player owns (sections 14 and 15)."""
