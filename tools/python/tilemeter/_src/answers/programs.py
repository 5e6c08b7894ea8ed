# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Whole programs as a compiler has them after its last pass, planned step by step."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tilemeter import _tilemeter
from tilemeter._src.answers import program_sources
from tilemeter._src.answers.program_steps import ProgramInput as ProgramInput, ProgramResult as ProgramResult, ProgramStep as ProgramStep, leaves_of
from tilemeter._tilemeter import AllocationRecord, MockAllocatorState, PlannedStep, ProgramFailure, Tensor, TensorSpec

_Value = tuple[int | None, int | None]  # the step, None: an input; among its results, None: all of them
_VALUES = (ProgramInput, ProgramStep, ProgramResult)


def _replaced(value: Any, tensors: Iterator[Any]) -> Any:
    """The arguments with tensors in the places of values, in the order of leaves_of()."""
    if isinstance(value, _VALUES):
        return next(tensors)
    if isinstance(value, (list, tuple)):
        items = [_replaced(each, tensors) for each in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {name: _replaced(each, tensors) for name, each in value.items()}
    return value


class _Program:
    """Steps as the planner takes them."""

    def __init__(self, steps: Sequence[ProgramStep], inputs: Sequence[ProgramInput], traces: Sequence[int] | None) -> None:
        self.steps, self.inputs = list(steps), list(inputs)
        self._numbers: dict[int, int] = {}
        for number, step in enumerate(self.steps):
            if not isinstance(step, ProgramStep):
                raise TypeError(f"plan_program: step {number}: expected a ProgramStep, got {type(step).__name__}")
            before = self._numbers.setdefault(id(step), number)
            if before != number:
                raise ValueError(f"plan_program: step {number} ({step.name}): expected each step once, it is step {before}, too")
        self.cuts = None if traces is None else list(traces)
        if self.cuts is not None:
            rising = all(one < other for one, other in zip(self.cuts, self.cuts[1:]))
            if not self.cuts or self.cuts[0] != 0 or not rising or self.cuts[-1] >= len(self.steps):
                raise ValueError(f"plan_program: traces: expected the first step of each trace, from 0, rising, below {len(self.steps)}, "
                                 f"got {self.cuts}")
        self.operands = [
            [self._value(each, number) for each in leaves_of((step.args, step.kwargs)) if self._is_value(each, number)]
            for number, step in enumerate(self.steps)
        ]

    def _where(self, number: int) -> str:
        return f"plan_program: step {number} ({self.steps[number].name})"

    def _is_value(self, each: Any, number: int) -> bool:
        if isinstance(each, (TensorSpec, Tensor)):
            raise TypeError(f"{self._where(number)}: expected inputs and results of steps in the place of tensors, got a "
                            f"{type(each).__name__}; a ProgramInput has its spec")
        return isinstance(each, _VALUES)

    def _value(self, value: Any, number: int) -> _Value:
        if isinstance(value, ProgramInput):
            for index, each in enumerate(self.inputs):
                if each is value:
                    return None, index
            self.inputs.append(value)
            return None, len(self.inputs) - 1
        step, index = (value.step, value.index) if isinstance(value, ProgramResult) else (value, 0)
        if not isinstance(step, ProgramStep) or id(step) not in self._numbers:
            raise ValueError(f"{self._where(number)}: expected an input or a result of a step of this program, got {value!r}")
        return self._numbers[id(step)], index

    def trace_of(self, number: int) -> int:
        return sum(number >= cut for cut in self.cuts or ())

    def frees(self, number: int) -> list[_Value]:
        """What goes after a step. What is of several traces stays: each replay reads it, or writes it, at the same place."""
        freed: list[_Value] = []
        for each in self.steps[number].frees:
            source, index = self._value(each, number)
            if self.cuts is not None and (source is None or self.trace_of(source) != self.trace_of(number)):
                continue
            freed.append((source, None if isinstance(each, ProgramStep) else index))
        return freed

    def call(self, number: int) -> Callable[[list[Any]], list[Any]]:
        step = self.steps[number]

        def run(tensors: list[Any]) -> list[Any]:
            following = iter(tensors)
            args, kwargs = _replaced(step.args, following), _replaced(step.kwargs, following)
            return [each for each in leaves_of(step.op(*args, **kwargs)) if isinstance(each, Tensor)]

        return run


class ProgramTrace(NamedTuple):
    """A part of a program that is replayed as one trace."""

    begin: int  # steps
    end: int
    alive: list[tuple[ProgramInput | ProgramResult, AllocationRecord]]  # when it is captured
    lowest_live_l1: int  # the lowest address of L1 that is ever allocated in it
    highest_program_l1: int  # the end of its largest program
    overwrites: list[tuple[ProgramResult, AllocationRecord]]  # results of later traces that its replay writes over


class ProgramPlan:
    """A program that was planned: its steps up to the first that fails.

        plan = ttnn.graph.plan_program(steps, device)
        assert plan.failure is None, plan

    `steps`: figures and places of each step, as a query with state gives them. `failure`: the first step that fails: its number
    `step`, `error_message`, `refusal` as data. `alive`: (value, allocation) of all that was alive then, or at the end. `new_state`:
    the state at that moment. `peak_l1`: bytes of the fullest core, each step's programs and temporaries on top of what was alive
    when it began. `traces`: the parts that are replayed.
    """

    def __init__(self, program: _Program, answer: Any) -> None:
        self._program, self._answer = program, answer
        self.inputs = list(zip(program.inputs, answer.input_allocations))
        self.steps: list[PlannedStep] = answer.steps
        self.failure: ProgramFailure | None = answer.failure
        self.new_state: MockAllocatorState = answer.new_state
        self.peak_l1: int = answer.peak_l1
        self.alive = [(self._value(each.value), each.allocation) for each in answer.alive]

    @property
    def program(self) -> list[ProgramStep]:
        """Its steps, those that were not reached included."""
        return list(self._program.steps)

    def _value(self, value: _Value) -> ProgramInput | ProgramResult:
        source, index = value
        assert index is not None
        return self._program.inputs[index] if source is None else ProgramResult(self._program.steps[source], index)

    @property
    def failed_step(self) -> ProgramStep | None:
        """The step that fails."""
        return None if self.failure is None else self._program.steps[self.failure.step]

    @property
    def traces(self) -> list[ProgramTrace]:
        """Of a program with traces, as far as it was planned."""
        cuts = [each for each in self._program.cuts or () if each < len(self.steps)]
        ends = [*cuts[1:], len(self.steps)]
        freed = {each for number in range(len(self.steps)) for each in self._program.frees(number)}

        def stays(source: int, index: int) -> bool:
            return (source, index) not in freed and (source, None) not in freed

        def results(begin: int, end: int, are_kept: bool) -> list[tuple[ProgramResult, AllocationRecord]]:
            return [(ProgramResult(self._program.steps[number], index), record)
                    for number in range(begin, end) for index, record in enumerate(self.steps[number].output_allocations)
                    if record.shares_input is None and stays(number, index) is are_kept]

        found = []
        for begin, end in zip(cuts, ends):
            programs = max(each.resource_usage.program_region_end for each in self.steps[begin:end])
            written = [record for _, record in results(begin, end, False)]
            over = [
                (value, record) for value, record in results(end, len(self.steps), True)
                if (record.buffer_type == _tilemeter.BufferType.L1 and record.address < programs)
                or any(each.buffer_type == record.buffer_type and each.address < record.address + record.size_per_bank
                       and record.address < each.address + each.size_per_bank for each in written)
            ]
            lowest = min(each.lowest_live_l1 for each in self.steps[begin:end])
            alive: list[tuple[ProgramInput | ProgramResult, AllocationRecord]] = [*self.inputs, *results(0, begin, True)]
            found.append(ProgramTrace(begin, end, alive, lowest, programs, over))
        return found

    def __bool__(self) -> bool:
        raise TypeError("a plan of a program is neither true nor false: ask for its failure")

    def __str__(self) -> str:
        count = len(self._program.steps)
        if self.failure is None:
            return f"{count} steps fit: at most {self.peak_l1:,} B of L1 per core"
        lines = [f"step {self.failure.step} of {count} ({self._program.steps[self.failure.step].name}): "
                 f"{self.failure.refusal.kind}: {self.failure.error_message}", "alive:"]
        for value, record in self.alive:
            name = value.name or "input" if isinstance(value, ProgramInput) else f"result {value.index} of {value.step.name}"
            lines.append(f"  {record.buffer_type.name} {record.address:>10,} {record.size_per_bank:>10,} B  {name}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<plan of a program: {str(self).splitlines()[0]}>"


def _taken(program: Any, device: Any) -> program_sources.Program:
    """A program that was recorded, as steps."""
    if isinstance(program, (str, os.PathLike)):
        return program_sources.of_report(program, device)
    graph = getattr(program, "graph", program)
    if hasattr(graph, "operation_set"):
        return program_sources.of_graph(graph)
    if hasattr(program, "python_io") and hasattr(program, "nodes"):
        return program_sources.of_capture(program.nodes, program.python_io, device)
    raise TypeError(f"plan_program: expected steps, a capture, a report's file or the graph of a traced function, got {type(program).__name__}")


def _beside_inputs(inputs: list[ProgramInput], state: MockAllocatorState, device: Any, is_own: bool) -> MockAllocatorState:
    """The state with the inputs where a capture had them; where that cannot be, they are allocated before the first step."""
    if is_own and all(each.address for each in inputs):
        empty = [_tilemeter.plan_steps(device, state, [(each.spec, None)], [], False).input_allocations[0] for each in inputs]
        records = {(each.buffer_type, value.address): AllocationRecord(each.buffer_type, value.address, each.size_per_bank)
                   for value, each in zip(inputs, empty) if value.address is not None}
        try:
            return state.with_allocations(list(records.values()))
        except RuntimeError:  # made in the course of the capture, at one place after the other
            pass
    for each in inputs:
        each.address = None
    return state


def plan_program(steps: Sequence[ProgramStep] | Any, device: Any, initial_state: MockAllocatorState | None = None, *,
                 inputs: Sequence[ProgramInput] = (), traces: Sequence[int] | None = None,
                 ignore_clashes: bool = False) -> ProgramPlan:
    """Plans a whole program, each step on top of what the one before left, up to the first that fails. Nothing runs, and nobody
    sees anything of it.

        x, w = ProgramInput(spec), ProgramInput(weights)
        product = ProgramStep(ttnn.matmul, x, w, frees=[x])
        total = ProgramStep(ttnn.relu, product, frees=[product])
        plan = plan_program([product, total], device, inputs=[x, w])

    Instead of steps it takes a capture (`graph.capture()`) or a report's file, also one of TT-NN, with the calls from Python and the frees
    that it has (of a list without addresses, after their last use), or the graph of a traced function of tensors, whose values go
    after their last use. Inputs are then the tensors that the calls read, where they lay; `plan.inputs` and `plan.program` tell them.

    Addresses are those of a NORMAL run of the same steps on a device in `initial_state` (None: with nothing allocated) whose program
    cache is empty. inputs: in the order in which they are allocated; others come behind as steps use them. frees lets go of a
    value: its memory is free when no other value shares it. traces: the first step of each part that becomes a trace; values of
    several traces, and inputs, then stay, as each replay reads or writes them where they are. ignore_clashes: programs may reach
    into tensors, which no query of TT-NN sees.

    Raises RuntimeError for a program that no device could run: a value that is used before it is made or after it was freed, an
    address where the state has no such allocation, a state of another board.
    """
    is_recorded = not isinstance(steps, (list, tuple))
    if is_recorded:
        if inputs:
            raise ValueError("plan_program: inputs: expected none beside a program that was recorded, which has its own")
        steps, inputs = _taken(steps, device)
    program = _Program(steps, inputs, traces)
    state = _tilemeter.MockAllocatorState.empty(device) if initial_state is None else initial_state
    if is_recorded:
        state = _beside_inputs(program.inputs, state, device, initial_state is None)
    native = [(step.name, program.call(number), program.operands[number], program.frees(number))
              for number, step in enumerate(program.steps)]
    answer = _tilemeter.plan_steps(device, state, [(each.spec, each.address) for each in program.inputs], native, ignore_clashes)
    return ProgramPlan(program, answer)
