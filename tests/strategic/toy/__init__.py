"""A small rule book of its own on the strategic layer, as unlike Warlords II as it can be."""
