"""The full-screen program of a visitor to a host, and its screens."""
