"""A small separate rule book on the strategic layer, as unlike Warlords II as possible."""
