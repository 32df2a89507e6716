"""Commands without a screen: run, bot, simulate, calc, import, doctor. No Textual, no Rich."""
