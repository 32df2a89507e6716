"""Tests of the verbs of the debugger."""
