"""Terminals: capabilities, output of changed cells, drivers, ASCII fallback, mouse, number pad."""
