"""Tests of Global Domination."""
