"""Tests of heroes, items, sites and quests."""
