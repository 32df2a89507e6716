"""The war of stacks and cities on tiles that several rulesets share.

``pieces`` and ``world`` are the records of a game, ``commands`` and ``events`` what is asked and
what happens; ``evolve`` books events, ``dispatch`` hands commands to the chapters. Where rule books
differ, a chapter takes a value, a table or a policy out of the ``settings`` that the ruleset
supplies; the layer itself names no rule of any book.
"""
