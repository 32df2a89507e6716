"""Tests of questions about recorded games."""
