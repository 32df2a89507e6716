"""SSH server of a host: a full screen, lines of text, commands and files for each session."""
