"""Banneret from Python: saved games as data, for scripts and notebooks.

``banneret.debug`` asks a saved game what the verbs of ``banneret debug`` ask it.
"""
