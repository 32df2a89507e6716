"""Production, vectors, buying, money."""
