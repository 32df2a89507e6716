"""Host of games: accounts, seats, clocks, feeds and limits, without a screen or a network."""
