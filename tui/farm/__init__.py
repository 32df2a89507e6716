'''Farm: work done piece by piece in worker processes, under one supervisor. No Textual, no Rich.

    from tui.farm.runs import Done, Lost
    from tui.farm.supervisor import Farm, FarmFault

    Farm(work, setup, *, workers=None, deadline=None, processor_time=None)
    farm.run(pieces, *, ordered=True, progress=None) -> Iterator[Done | Lost]
    farm.stop()     from any thread: the run ends with what is done
    farm.close()    ends the workers; ``with Farm(...) as farm`` does it

The work is a function at the top of a module. It is called once in each worker with the setup, and
returns the function that is then called for every piece. The types of setup, pieces and results are
read from its annotations; all three travel as MessagePack, so anything that ``engine.core.codec``
can write will do::

    def lengths(setup: Limits) -> Callable[[Task], Length]:
        """Play games and say how long they were."""
        rules = find(setup.ruleset)          # once in a worker

        def length(task: Task) -> Length:    # once for a piece
            return ...

        return length

    with Farm(lengths, Limits("gd6"), workers=4, deadline=60) as farm:
        for result in farm.run(Task(seed) for seed in range(1000)):
            match result:
                case Done(piece=task, value=length):
                    ...
                case Lost(piece=task, cause=cause):
                    ...                      # "died: SIGKILL", "deadline: 60 s", "ValueError: ..."

A piece must depend on nothing but the setup and itself. Then results do not depend on the number of
workers, on their deaths or on batches; ordered, they come in the order of the pieces.
'''
