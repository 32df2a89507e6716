"""Heroes, their offers and levels, items, sites, quests."""
