"""Settings: options, keys, key packs and macros of a player."""
