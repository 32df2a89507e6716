"""The parts of any game: records, dice, the log, replay, notation. Knows no game."""
