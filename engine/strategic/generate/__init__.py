"""Generation of new lands: coasts, ridges, woods, cities, roads and fair starts.

All functions work on masks and planes of tiles (``[y, x]``) and know no terrain codes; the ruleset
maps the result to its own terrains.
"""
