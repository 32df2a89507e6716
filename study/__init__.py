"""Study of games: the lab, the debugger, and the farm of worker processes that they use."""
