"""The war of stacks and cities on tiles that several rulesets share.

``pieces`` and ``world`` are what a game consists of, ``commands`` and ``events`` what is asked and
what happens, ``evolve`` books it. The rest are mechanics, one package a chapter; where rule books
differ they take a value, a table or a policy out of a ``Book`` that the ruleset supplies.
"""
