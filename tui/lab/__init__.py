"""Lab: bots in many games, and what the results say. No Textual, no Rich."""
