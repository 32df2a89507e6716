"""The debugger of saved games: ``banneret debug SAVE VERB``, a prompt with the same verbs.

Each verb is a function that yields answers; ``verbs`` finds it, ``prompt`` reads and prints. The
questions themselves are answered in ``engine.debug``, which knows no file and no terminal.
"""
