"""Full-screen programs: the local one, the one of a visitor to a host, and recordings of games."""
