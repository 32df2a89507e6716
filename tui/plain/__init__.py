"""The clients without a screen: tables, runs, bots, reports. No Textual, no Rich."""
