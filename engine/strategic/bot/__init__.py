"""Computer players: what they see, what they want, and the orders that come of it (section 14)."""
