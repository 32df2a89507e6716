"""One module a screen. A screen returns a typed result."""
