"""Questions about a recorded game: places in it, values over time, causes, smallest cases.

Pure functions on a log and any ruleset: nothing here reads a file, draws or starts a process.
``study.debug`` has the verbs that ask these questions.
"""
