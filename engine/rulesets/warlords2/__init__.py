"""Warlords II: sides with heroes fight for the cities of a land."""
