"""What the bots hold units to be worth, from ``data/bot.toml``."""

WORTH = (6, 8, 9, 7, 22, 9, 60, 8, 14, 10, 6, 8, 34, 9, 14, 12)
