"""Screens of the debugger, and of the reasons for a moment of a replay."""
