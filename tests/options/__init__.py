"""Every option of every command, and its effect."""
