"""Every option of every command, and the effect that it has."""
