"""LordsAWar: sides with heroes fight for cities, and no chance decides their battles.

Hit points last from battle to battle and heal. A forecast is exact, since the same armies on the
same ground always come to the same end.
"""
