"""The debugger of saved games: ``banneret debug SAVE VERB``, and a prompt with the same verbs.

Each verb is a function that yields answers; ``verbs`` finds it, ``prompt`` reads and prints. The
questions themselves are answered in ``engine.debug``, which uses no file and no terminal.
"""
