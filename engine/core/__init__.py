"""The parts of any game: records, dice, the log, replay, notation. Independent of all games."""
