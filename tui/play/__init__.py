"""Play without a screen: tables, seat clients, saves, lessons. No Textual, no Rich."""
