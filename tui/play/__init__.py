"""Playing, without a screen: tables, sessions, saves, lessons. No Textual, no Rich."""
