"""Tests of the program as its users run it."""
