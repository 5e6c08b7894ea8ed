# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of TT-NN tensors with each intermediate put where it costs least: in DRAM or in L1."""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tilemeter._src.answers.programs import ProgramInput, ProgramPlan, ProgramStep, plan_program
from tilemeter._tilemeter import (
    AllocationRecord, BufferType, DRAM_MEMORY_CONFIG, DataType, L1_MEMORY_CONFIG, Layout, MockAllocatorState, Tensor, TensorSpec,
    extract_mock_allocator_state, get_memory_view, parse_size_limit,
)
from tilemeter.trace._functions import device as _device, graph as _graph, jit as _jit, trees as _trees
from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._functions.placement_record import OwnCalls, Recorded, Slot, leaves_of, mapped, record

Cost = Callable[[str, int, int], float]  # of a call: its operation, the bytes that it reads from DRAM and writes there

_GRANULE = 64  # bytes: all boards' allocations are multiples
_BYTES_OF_32 = {"BFLOAT16": 64, "FLOAT32": 128, "UINT32": 128, "INT32": 128, "UINT16": 64, "UINT8": 32, "BFLOAT8_B": 34, "BFLOAT4_B": 18}


def _dram_bytes(operation: str, read: int, written: int) -> float:
    return read + written


def _bytes_of(spec: Any) -> int:
    elements = 1
    for extent in spec.padded_shape:
        elements *= extent
    return elements * _BYTES_OF_32[spec.dtype.name] // 32


class Attempt(NamedTuple):
    """A placement that was planned."""

    in_l1: frozenset[int]  # the values that lie in L1, of those that may be chosen
    cost: float
    plan: ProgramPlan | None  # None: it does not fit


class Placement:
    """The places of a function's intermediates, by budget of L1."""

    def __init__(self, recorded: Recorded, device: Any, cost: Cost) -> None:
        self.recorded, self.device, self._cost = recorded, device, cost
        self.last_use = [-1] * len(recorded.specs)
        self.reads = [0] * len(recorded.specs)
        self.made_by: dict[int, int] = {}
        for number, call in enumerate(recorded.calls):
            for value in set(call.operands):
                self.last_use[value] = number
                self.reads[value] += 1
            for value in call.results:
                self.made_by.setdefault(value, number)
                self.last_use[value] = max(self.last_use[value], number)
        for value in recorded.results:
            self.last_use[value] = len(recorded.calls)
        self.bytes = [_bytes_of(each) for each in recorded.specs]
        kept = set(recorded.results)
        # One choice for each call: all results of a call go to one memory.
        self.choices = [number for number, call in enumerate(recorded.calls) if call.is_placeable and not kept & set(call.results)]
        self._found: list[frozenset[int]] = []
        self.planned = 0
        self._state = extract_mock_allocator_state(device)
        l1 = [each for each in self._state.allocations() if each.buffer_type == BufferType.L1]
        self._ceiling = min((each.address for each in l1), default=None)
        self._records = self._state.allocations()

    # The model.

    def gain(self, number: int) -> int:
        """The bytes that stay away from DRAM if the results of a call lie in L1."""
        return sum(self.bytes[value] * (1 + self.reads[value]) for value in self.recorded.calls[number].results)

    def cost_of(self, plan: ProgramPlan) -> float:
        """The bytes that the calls read from DRAM and write there; a tensor counts once in a call, a view nothing."""
        in_dram = {value: record.buffer_type == BufferType.DRAM for value, (_, record) in enumerate(plan.inputs)}
        where = {value: in_dram[position] for position, value in enumerate(self.recorded.inputs)}
        total = 0.0
        for call, step in zip(self.recorded.calls, plan.steps):
            records = step.output_allocations
            for value, allocation in zip(call.results, records):
                where[value] = allocation.buffer_type == BufferType.DRAM
            if all(each.shares_input is not None for each in records):
                continue
            read = sum(self.bytes[value] for value in set(call.operands) if where[value])
            written = sum(self.bytes[value] for value in call.results if where[value])
            total += self._cost(call.operation.python_fully_qualified_name, read, written)
        return total

    @functools.cached_property
    def least(self) -> int:
        """Each input in DRAM that is read, and each result that lies there, once: no placement costs less."""
        inputs = sum(self.bytes[value] for value, tensor in self.recorded.inputs.items()
                     if self.reads[value] and tensor.memory_config().buffer_type == BufferType.DRAM)
        results = sum(self.bytes[value] for value in set(self.recorded.results)
                      if value in self.made_by and not self.recorded.is_in_l1[value])
        return inputs + results

    # Plans.

    def _budgeted(self, l1: int | None) -> MockAllocatorState:
        """The state with as much of L1 taken, below what is alive, that so many bytes of it are left."""
        if l1 is None:
            return self._state
        bank = self.l1_bank
        taken = -(-(bank - l1) // _GRANULE) * _GRANULE
        top = self.l1_end if self._ceiling is None else self._ceiling
        if taken <= 0:
            return self._state
        if top - taken < self.l1_end - bank:
            _trace._raise("bad_argument", f"place: l1: expected at least the {self.l1_end - top:,} B that are alive, got {l1:,}", "place")
        return self._state.with_allocations([*self._records, AllocationRecord(BufferType.L1, top - taken, taken)])

    @functools.cached_property
    def l1_bank(self) -> int:
        """Bytes per core that can be allocated."""
        return int(get_memory_view(self.device, BufferType.L1).total_bytes_per_bank)

    @functools.cached_property
    def l1_end(self) -> int:
        """The address above them: the first allocation ends there."""
        tile = ProgramInput(TensorSpec([32, 32], DataType.BFLOAT16, Layout.TILE, BufferType.L1))
        place = plan_program([], self.device, inputs=[tile]).inputs[0][1]
        return int(place.address + place.size_per_bank)

    def steps(self, in_l1: frozenset[int] | None) -> tuple[list[ProgramStep], list[ProgramInput]]:
        """The calls with their results where they are put (None: where the function puts them); values go after their last use."""
        inputs = [ProgramInput(self.recorded.specs[value], address=tensor.buffer_address() if tensor.is_allocated() else None)
                  for value, tensor in self.recorded.inputs.items()]
        values: dict[int, Any] = dict(zip(self.recorded.inputs, inputs))
        dying: dict[int, list[int]] = {}
        for value, number in enumerate(self.last_use):
            dying.setdefault(number, []).append(value)
        steps = []
        put = set() if in_l1 is None else set(self.choices)
        for number, call in enumerate(self.recorded.calls):
            replaced = lambda each: values[each.value] if isinstance(each, Slot) else each  # noqa: E731
            args, kwargs = mapped(call.args, replaced), mapped(call.kwargs, replaced)
            if in_l1 is not None and number in put:
                kwargs["memory_config"] = L1_MEMORY_CONFIG if number in in_l1 else DRAM_MEMORY_CONFIG
            step = ProgramStep(call.operation, *args, **kwargs)
            for index, value in enumerate(call.results):
                values.setdefault(value, step[index])
            step.frees = [values[value] for value in dying.get(number, ()) if value not in self.recorded.inputs]
            steps.append(step)
        return steps, inputs

    def attempt(self, in_l1: Iterable[int], l1: int | None) -> tuple[Attempt, ProgramPlan]:
        """The placement, planned within so many bytes of L1, and where all of L1 is there: some programs grow with what is free."""
        chosen = frozenset(in_l1)
        steps, inputs = self.steps(chosen)
        states = [self._budgeted(l1)]
        if states[0] is not self._state:
            states.append(self._state)
        for state in states:
            self.planned += 1
            plan = plan_program(steps, self.device, state, inputs=inputs)
            if plan.failure is not None:
                return Attempt(chosen, float("inf"), None), plan
        return Attempt(chosen, self.cost_of(plan), plan), plan

    def freed_after(self, found: Attempt) -> list[list[int]]:
        """The values whose memory goes after each call: of those that share it the first made, when the last is read."""
        assert found.plan is not None
        owner = list(range(len(self.recorded.specs)))
        for made, step in zip(self.recorded.calls, found.plan.steps):
            for value, allocation in zip(made.results, step.output_allocations):
                if allocation.shares_input is not None and value != made.operands[allocation.shares_input]:
                    owner[value] = owner[made.operands[allocation.shares_input]]
        last = [-1] * len(owner)
        for value, group in enumerate(owner):
            last[group] = max(last[group], self.last_use[value])
        dying: list[list[int]] = [[] for _ in self.recorded.calls]
        for value, number in enumerate(last):
            if owner[value] == value and value not in self.recorded.inputs and number < len(dying):
                dying[number].append(value)
        return dying

    # The search.

    def greedy(self, l1: int | None, rank: Callable[[int, int], Any] | None = None) -> Attempt:
        """All in L1; where a step finds no place, what is alive and read last goes to DRAM, until all fits."""
        by = rank or (lambda number, at: max(self.last_use[value] for value in self.recorded.calls[number].results))
        in_l1 = set(self.choices)
        while True:
            attempt, plan = self.attempt(in_l1, l1)
            if attempt.plan is not None:
                return attempt
            failure = plan.failure
            assert failure is not None
            alive = {number for number in in_l1 if number < failure.step
                     and max(self.last_use[value] for value in self.recorded.calls[number].results) >= failure.step}
            if failure.step in in_l1:
                alive.add(failure.step)
            if not alive:
                return attempt
            in_l1.discard(max(alive, key=lambda number: (by(number, failure.step), number)))

    def search(self, l1: int | None) -> Attempt:
        """The cheapest that was found within so many bytes of L1."""
        ranks: list[Callable[[int, int], Any] | None] = [
            None, lambda number, at: -self.gain(number) / max(1, self._length(number)), lambda number, at: -self.gain(number),
            lambda number, at: -self.gain(number) / max(1, self._length(number) * sum(
                self.bytes[value] for value in self.recorded.calls[number].results)),
        ]
        best = min((self.greedy(l1, rank) for rank in ranks), key=lambda each: each.cost)
        if best.plan is None:
            return best
        if len(self.choices) <= 8:
            return self._enumerated(l1, best)
        for known in self._found:
            attempt, _ = self.attempt(known, l1)
            best = min(best, attempt, key=lambda each: each.cost)
        return self._bettered(l1, best)

    def _length(self, number: int) -> int:
        return max(self.last_use[value] for value in self.recorded.calls[number].results) - number

    def _enumerated(self, l1: int | None, best: Attempt) -> Attempt:
        for count in range(len(self.choices) + 1):
            for chosen in itertools.combinations(self.choices, count):
                attempt, _ = self.attempt(chosen, l1)
                best = min(best, attempt, key=lambda each: each.cost)
        return best

    def _bettered(self, l1: int | None, best: Attempt) -> Attempt:
        """What is in DRAM goes to L1, alone or in the place of what gains less, as long as that costs less in all."""
        is_better = True
        while is_better:
            is_better = False
            outside = sorted(set(self.choices) - best.in_l1, key=self.gain, reverse=True)
            for number in outside:
                chosen, lost = set(best.in_l1) | {number}, 0
                while True:
                    attempt, plan = self.attempt(chosen, l1)
                    if plan.failure is None:
                        break
                    at = plan.failure.step
                    victims = [each for each in chosen if each != number and (each == at or each < at <= each + self._length(each))]
                    if not victims:
                        break
                    victim = min(victims, key=lambda each: (self.gain(each), each))
                    lost += self.gain(victim)
                    if lost >= self.gain(number):
                        break
                    chosen.discard(victim)
                if attempt.cost < best.cost:
                    best, is_better = attempt, True
        return best

    def at(self, l1: int | None) -> Attempt:
        """The cheapest within so many bytes of L1. What was found for other budgets is tried, too, so that more L1 costs no more."""
        alive = 0 if self._ceiling is None else self.l1_end - self._ceiling
        levels = [] if self._found else [alive + (self.l1_bank - alive) * part // 4 for part in (1, 2, 3)]
        top = self.l1_bank if l1 is None else l1
        for level in [each for each in levels if each < top]:
            self._note(self.search(level))
        best = self.search(l1)
        self._note(best)
        return best

    def _note(self, attempt: Attempt) -> None:
        if attempt.plan is not None and attempt.in_l1 not in self._found:
            self._found.append(attempt.in_l1)

    def why_in_dram(self, attempt: Attempt, number: int, l1: int | None) -> str:
        """The step that finds no place if the results of this call lie in L1, too."""
        other, plan = self.attempt(attempt.in_l1 | {number}, l1)
        if plan.failure is None:
            return f"fits, and costs {other.cost - attempt.cost:,.0f} more"
        at = self.recorded.calls[plan.failure.step]
        refusal = plan.failure.refusal
        wanted = f", {refusal.bytes_wanted:,} B per bank wanted, {refusal.largest_free_block:,} free in one piece" if refusal.bytes_wanted else ""
        return f"{at.operation.python_fully_qualified_name} ({at.source}): {refusal.kind}{wanted}"


class Placed:
    """A function with each intermediate put in DRAM or in L1, planned within a budget of L1.

    `plan`: an ordinary plan, with its peaks and answers; `replay(*args)` runs it. `dram_bytes`: read from DRAM and written there;
    `greedy_dram_bytes`: the same if what is read last goes to DRAM first, `all_dram_bytes`: with nothing in L1 that the function
    need not have there, `least_dram_bytes`: each input and each result once, which no placement goes below. `places`: a row for each
    call that was placed. `calls`: all calls of the function in order, with the memory of their results, None where that is the
    function's business, and the results, as (call, index), whose memory goes after each. Printed, it says for each where it went, and why not nearer.
    """

    def __init__(self, placement: Placement, found: Attempt, l1: int | None, plan: _device.Plan) -> None:
        self.plan, self.l1 = plan, placement.l1_bank if l1 is None else l1
        self.dram_bytes, self.least_dram_bytes = found.cost, placement.least
        self.all_dram_bytes = placement.attempt((), l1)[0].cost
        self.greedy_dram_bytes = placement.greedy(l1).cost
        self.planned = placement.planned
        self.program = found.plan
        made = {value: (number, index) for number, call in enumerate(placement.recorded.calls) for index, value in enumerate(call.results)
                if placement.made_by[value] == number}
        chosen = set(placement.choices)
        self.calls = [
            {"operation": call.operation.python_fully_qualified_name, "source": call.source,
             "memory": None if number not in chosen else "L1" if number in found.in_l1 else "DRAM", "frees": [made[value] for value in freed]}
            for number, (call, freed) in enumerate(zip(placement.recorded.calls, placement.freed_after(found)))
        ]
        self.places = [
            {"call": number, "operation": call.operation.python_fully_qualified_name, "source": call.source,
             "memory": "L1" if number in found.in_l1 else "DRAM", "bytes": sum(placement.bytes[value] for value in call.results),
             "reads": sum(placement.reads[value] for value in call.results), "saves": placement.gain(number),
             "why": "" if number in found.in_l1 else placement.why_in_dram(found, number, l1)}
            for number, call in ((each, placement.recorded.calls[each]) for each in placement.choices)
        ]

    def replay(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it with tensors like those that were placed."""
        return self.plan.replay(*args, **kwargs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report of the plan."""
        self.plan.save(path)

    def code(self) -> list[str]:
        """The change of the function: the memory_config of each line's call."""
        return [f"{each['source']}: {each['operation']}(..., memory_config=ttnn.{each['memory']}_MEMORY_CONFIG)" for each in self.places]

    def __str__(self) -> str:
        lines = [f"{self.dram_bytes:,.0f} B of DRAM read and written within {self.l1:,} B of L1 per core; greedy "
                 f"{self.greedy_dram_bytes:,.0f}, all in DRAM {self.all_dram_bytes:,.0f}, at least {self.least_dram_bytes:,}"]
        for each in self.places:
            lines.append(f"  {each['memory']:4} {each['bytes']:>12,} B  {each['operation']} ({each['source']})"
                         + (f"  {each['why']}" if each["why"] else ""))
        return "\n".join(lines)


def _directed(placement: Placement, found: Attempt, call: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """The function with its calls' results where they were put, and gone after their last use."""
    recorded, dying = placement.recorded, placement.freed_after(found)

    def run_directed(tensors: list[Any]) -> Any:
        alive: dict[int, Any] = {}
        number = -1

        def directed(run: Callable[..., Any], operation: Any, args: Any, kwargs: Any) -> Any:
            nonlocal number
            if operation.python_fully_qualified_name == "ttnn.deallocate":
                return None
            number += 1
            if number >= len(recorded.calls) or recorded.calls[number].operation is not operation:
                _trace._raise("bad_argument", f"place: found other calls when '{recorded.name}' was traced again, at call {number} "
                              f"({operation.python_fully_qualified_name})", "place", hint="what changes from call to call has to be an argument")
            if number in placement.choices:
                memory = L1_MEMORY_CONFIG if number in found.in_l1 else DRAM_MEMORY_CONFIG
                kwargs = {**kwargs, "memory_config": memory}
            made = run(operation, args, kwargs)
            outputs = [each for each in leaves_of(made) if isinstance(each, Tensor)]
            for value, tensor in zip(recorded.calls[number].results, outputs):
                alive.setdefault(value, tensor)
            for value in dying[number]:
                alive.pop(value).deallocate(True)
            return made

        with OwnCalls(directed):
            return call(tensors)

    return run_directed


def _flat(caller: str, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], Any, Callable[[list[Any]], Any]]:
    """The tensors among the arguments, their structure, and f of the tensors."""
    leaves, spec = _trees.flatten((tuple(args), kwargs) if kwargs else tuple(args))
    if not leaves or not _device.are_tensors(leaves):
        _trace._raise("bad_argument", f"{caller}: found no tensor on a device among the arguments", caller,
                      hint="from_numpy(..., device=device) makes one of an array")

    def call(tensors: list[Any]) -> Any:
        tree = _trees.unflatten(spec, tensors)
        given, named = tree if kwargs else (tree, {})
        return f(*given, **named)

    return leaves, spec, call


def program_steps(f: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[list[ProgramStep], list[ProgramInput]]:
    """The calls of f with these tensors as steps of ttnn.graph.plan_program, and its inputs, which lie where they are now. Values go
    after their last use; results of f stay.

        steps, inputs = trace.program_steps(model, x)
        plan = ttnn.graph.plan_program(steps, device, ttnn.graph.extract_mock_allocator_state(device), inputs=inputs)

    Nothing runs, and f need not fit. Raises TraceError as place().
    """
    leaves, _, call = _flat("program_steps", f, args, kwargs)
    return Placement(record(_jit.function_name(f), call, leaves), leaves[0].device(), _dram_bytes).steps(None)


def place(f: Callable[..., Any], *args: Any, l1: int | str | None = None, cost: Cost | None = None, **kwargs: Any) -> Placed:
    """f with these tensors, each of its intermediates put in DRAM or in L1 so that as few bytes as can be are read from DRAM and
    written there, and all of it, programs, holes and fragmentation included, stays within the budget of L1.

        placed = trace.place(model, x, l1="60%")
        print(placed); placed.dram_bytes, placed.greedy_dram_bytes, placed.least_dram_bytes
        y = placed.replay(x)

    l1: bytes per core, "1 MiB", or a share of what can be allocated; what is alive already counts. Placed are the results of
    calls that take a memory_config and are not given shards; inputs and results of f stay where they are, and values go after their
    last use. Functions of up to eight such calls are placed at the least there is; in others the best of some greedy orders is
    bettered call by call. Each candidate is planned step by step (ttnn.graph.plan_program). cost(operation, read, written): a cost
    of a call instead of the bytes that it reads from DRAM and writes there.
    Raises TraceError for a function whose tensors are made by no call of Python's, a budget that not even DRAM alone keeps, and as
    plan().
    """
    leaves, spec, call = _flat("place", f, args, kwargs)
    name = _jit.function_name(f)
    placement = Placement(record(name, call, leaves), leaves[0].device(), cost or _dram_bytes)
    budget = None if l1 is None else parse_size_limit(l1).of(placement.l1_bank)
    found = placement.at(budget)
    if found.plan is None:
        failure = placement.attempt((), budget)[1].failure
        _trace._raise("bad_argument", f"place: l1: expected more than {budget or placement.l1_bank:,} B per core, with nothing in L1 that need "
                      f"not be there {failure.error_message if failure else ''}", "place")
    names = _graph._leaf_names(f, args, kwargs, len(leaves))
    program = _device.trace(name, _directed(placement, found, call), leaves, names)
    return Placed(placement, found, budget, _device.Plan(_device.DeviceFunction(program, spec), leaves))
