"""The rule books, one folder per game."""
