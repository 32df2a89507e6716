"""Tests of the ruleset Generals of Kaladan."""
