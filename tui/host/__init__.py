"""Host of games: accounts, seats, clocks, feeds and limits. No screen, no network."""
