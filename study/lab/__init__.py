"""Lab: bots play many games, and statistics say what the results mean. No Textual, no Rich."""
