"""The war of stacks and cities on tiles that several rulesets share.

``pieces`` and ``world`` are the records of a game, ``commands`` and ``events`` its requests and
results. ``evolve`` books events, and ``dispatch`` hands commands to the modules that decide them.
Where rule books differ, a module takes a value, a table or a policy from the ``settings`` of the
ruleset; the shared layer names no rule of any book.
"""
