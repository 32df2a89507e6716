"""Battles: strengths, lines, duels, odds, what comes after, and what becomes of cities."""
