"""Making new lands: coasts, heights, woods, places for cities, roads, and fair starts.

Everything works on masks and planes of tiles (``[y, x]``) and knows no terrain codes; the ruleset
puts its own into them.
"""
