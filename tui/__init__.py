"""Everything to play at a terminal: screens, line mode, commands without a screen, replays."""
