"""Replays without a screen: timelines, queries, histories, luck, losses. No Textual, no Rich."""
