"""One module per screen. A screen returns a typed result."""
