'''Farm: work done piece by piece in worker processes, under one supervisor. No Textual, no Rich.

    from study.farm.checks import Checks, proofs_of
    from study.farm.machines import machines_of
    from study.farm.runs import Done, Lost, Void
    from study.farm.supervisor import Farm, FarmFault
    from study.farm.worker import stdio_main      # serves a supervisor on standard input and output

    Farm(work, setup, *, workers=None, deadline=None, processor_time=None, memory=None,
         machines=(), checks=None, notice=...)
    farm.run(pieces, *, ordered=True, progress=None, tick=...) -> Iterator[Done | Lost]
    farm.is_paused = True       nothing new is begun while it is set; ``tick`` may change it
    farm.stop()     from any thread: the run ends with the results so far
    farm.close()    kills the workers; ``with Farm(...) as farm`` does it

The work is a function at the top of a module. Each worker calls it once with the setup, and then
calls the function that it returns for every piece. The types of setup, pieces and results are read
from its annotations. All three travel as MessagePack, so any type that ``engine.core.codec`` can
write is allowed::

    def lengths(setup: Limits) -> Callable[[Task], Length]:
        """Play games and measure their lengths."""
        rules = find(setup.ruleset)          # once in a worker

        def length(task: Task) -> Length:    # once for a piece
            return ...

        return length

    with Farm(lengths, Limits("mygame"), workers=4, deadline=60) as farm:
        for result in farm.run(Task(seed) for seed in range(1000)):
            match result:
                case Done(piece=task, value=length):
                    ...
                case Lost(piece=task, cause=cause):
                    ...                      # "the process died: SIGKILL", "longer than 60 s",
                                             # "ValueError: no such unit (army.py:12)"

A piece must depend only on the setup and itself. Then results do not depend on the number of
workers, on their machines, their deaths or on batches. Ordered runs yield them in the order of the
pieces.

Workers on other machines are named by words, ``machines_of(["local*2", "ssh:ann@host*4",
"dask://host:8786"])``; Banneret must be installed there. Checks make them prove themselves::

    checks = Checks(
        greet=versions,                      # a worker's greeting must be equal
        proofs=proofs_of(work, setup, known),  # known pieces must give known results
        twice=100,                           # about one piece in 100 is given to two workers
        void=lambda void: ...,               # the delivered result void.number does not count
    )
    Farm(work, setup, machines=machines, checks=checks, notice=print)

A worker with a different result is reported to ``notice`` and retired. If two workers differ over a
piece, a third one decides, on this machine if there is no other. Results that only the faulty
worker has given are reported as void, and their pieces are carried out again. Their new results
arrive a second time, in an ordered run after those already delivered.
'''
