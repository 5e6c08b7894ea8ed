# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Whole programs as a compiler has them after its last pass, planned step by step."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tilemeter import _tilemeter
from tilemeter._tilemeter import AllocationRecord, MockAllocatorState, PlannedStep, ProgramFailure, Tensor, TensorSpec


class ProgramInput:
    """A tensor that is alive before the first step. Without an address it is allocated then; with one it is the allocation of the
    state that lies there."""

    def __init__(self, spec: TensorSpec, *, address: int | None = None, name: str = "") -> None:
        self.spec, self.address, self.name = spec, address, name

    def __repr__(self) -> str:
        return f"ProgramInput({self.name or self.spec})"


class ProgramStep:
    """A call of a program: op(*args, **kwargs), where inputs and results of steps stand for tensors, also in lists.

        x = ProgramInput(spec)
        halves = ProgramStep(ttnn.split, x, 32, 3)
        total = ProgramStep(ttnn.add, halves[0], halves[1], frees=[x, halves])

    A step among the arguments is its first result. frees: what the program lets go of after it; a step there: all of its results.
    """

    def __init__(self, op: Callable[..., Any], *args: Any, frees: Sequence[Any] = (), name: str = "", **kwargs: Any) -> None:
        self.op, self.args, self.kwargs, self.frees = op, args, kwargs, list(frees)
        self.name = name or str(getattr(op, "python_fully_qualified_name", getattr(op, "__name__", type(op).__name__)))

    def __getitem__(self, index: int) -> ProgramResult:
        if index < 0:
            raise IndexError(f"{self!r}: results are counted from 0, found {index}")
        return ProgramResult(self, index)

    def __repr__(self) -> str:
        return f"ProgramStep({self.name})"


@dataclasses.dataclass(frozen=True)
class ProgramResult:
    """A result of a step."""

    step: ProgramStep
    index: int


_Value = tuple[int | None, int | None]  # the step, None: an input; among its results, None: all of them
_VALUES = (ProgramInput, ProgramStep, ProgramResult)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _leaves(each)
    else:
        yield value


def _replaced(value: Any, tensors: Iterator[Any]) -> Any:
    """The arguments with tensors in the places of values, in the order of _leaves()."""
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
            [self._value(each, number) for each in _leaves((step.args, step.kwargs)) if self._is_value(each, number)]
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
            return [each for each in _leaves(step.op(*args, **kwargs)) if isinstance(each, Tensor)]

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


def plan_program(steps: Sequence[ProgramStep], device: Any, initial_state: MockAllocatorState | None = None, *,
                 inputs: Sequence[ProgramInput] = (), traces: Sequence[int] | None = None,
                 ignore_clashes: bool = False) -> ProgramPlan:
    """Plans a whole program, each step on top of what the one before left, up to the first that fails. Nothing runs, and nobody
    sees anything of it.

        x, w = ProgramInput(spec), ProgramInput(weights)
        product = ProgramStep(ttnn.matmul, x, w, frees=[x])
        total = ProgramStep(ttnn.relu, product, frees=[product])
        plan = plan_program([product, total], device, inputs=[x, w])

    Addresses are those of a NORMAL run of the same steps on a device in `initial_state` (None: with nothing allocated) whose program
    cache is empty. inputs: in the order in which they are allocated; others come behind as steps use them. frees lets go of a
    value: its memory is free when no other value shares it. traces: the first step of each part that becomes a trace; values of
    several traces, and inputs, then stay, as each replay reads or writes them where they are. ignore_clashes: programs may reach
    into tensors, which no query of TT-NN sees.

    Raises RuntimeError for a program that no device could run: a value that is used before it is made or after it was freed, an
    address where the state has no such allocation, a state of another board.
    """
    program = _Program(steps, inputs, traces)
    state = _tilemeter.MockAllocatorState.empty(device) if initial_state is None else initial_state
    native = [(step.name, program.call(number), program.operands[number], program.frees(number))
              for number, step in enumerate(program.steps)]
    answer = _tilemeter.plan_steps(device, state, [(each.spec, each.address) for each in program.inputs], native, ignore_clashes)
    return ProgramPlan(program, answer)
