"""Rounds and turns, diplomacy, towers, who is out and who has won."""
