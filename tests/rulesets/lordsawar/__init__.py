"""Tests of LordsAWar."""
