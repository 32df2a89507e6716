"""The order language: maps, players and turns as lines of text (section 11)."""
