"""Tests of how computer players see and plan."""
