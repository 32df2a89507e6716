"""Computer players for both sides, in three levels (section 19.2 of the rule book)."""
