# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of TT-NN tensors with each intermediate put where it costs least: in DRAM, in L1, or in shards."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from tilemeter._src.answers.programs import ProgramInput, ProgramStep
from tilemeter._src.operations import wrapped
from tilemeter._tilemeter import (
    BufferType, MemoryConfig, PlacedProgram, Tensor, extract_mock_allocator_state, get_memory_view, parse_size_limit, place_steps,
)
from tilemeter.trace._functions import device as _device, graph as _graph, jit as _jit, trees as _trees
from tilemeter.trace._functions.native import trace as _trace
from tilemeter.trace._functions.placement_record import Call, OwnCalls, Recorded, Slot, leaves_of, mapped, record

# Of a call: its operation, the bytes that it reads from DRAM and writes there, those that it moves as a conversion.
Cost = Callable[[str, int, int, int], float]


def _inputs(recorded: Recorded) -> list[ProgramInput]:
    return [ProgramInput(recorded.specs[value], address=tensor.buffer_address() if tensor.is_allocated() else None)
            for value, tensor in recorded.inputs.items()]


def _replaced(call: Call, tensors: Iterator[Any]) -> tuple[Any, dict[str, Any]]:
    """The call's arguments with tensors in the places of its operands, in their order."""
    following = lambda each: next(tensors) if isinstance(each, Slot) else each  # noqa: E731
    return mapped(call.args, following), mapped(call.kwargs, following)


def _steps(recorded: Recorded) -> tuple[list[ProgramStep], list[ProgramInput]]:
    """The calls as they are; values go after their last use."""
    last_use = [-1] * len(recorded.specs)
    for number, call in enumerate(recorded.calls):
        for value in [*call.operands, *call.results]:
            last_use[value] = number
    inputs = _inputs(recorded)
    values: dict[int, Any] = dict(zip(recorded.inputs, inputs))
    steps = []
    for number, call in enumerate(recorded.calls):
        args, kwargs = _replaced(call, iter([values[value] for value in call.operands]))
        step = ProgramStep(call.operation, *args, **kwargs)
        for index, value in enumerate(call.results):
            values.setdefault(value, step[index])
        step.frees = [values[value] for value, last in enumerate(last_use)
                      if last == number and value not in recorded.inputs and value not in recorded.results]
        steps.append(step)
    return steps, inputs


def _function(call: Call) -> Callable[[list[Any], Any], list[Any]]:
    """The call of its operands, with its results put somewhere (None: where it puts them by itself)."""

    def run(tensors: list[Any], put: Any) -> list[Any]:
        args, kwargs = _replaced(call, iter(tensors))
        if put is not None:
            kwargs["memory_config"] = put
        return [each for each in leaves_of(call.operation(*args, **kwargs)) if isinstance(each, Tensor)]

    return run


def _convert(tensors: list[Any], to: Any) -> list[Any]:
    return [wrapped.to_memory_config(tensors[0], to)]


def _kinds(calls: list[Call]) -> list[int]:
    """A number for each call, the same for those of one operation with equal arguments; of those without equality each is its own."""

    def described(each: Any) -> Any:
        if isinstance(each, Slot):
            return Slot
        try:
            hash(each)
        except TypeError:
            return type(each), id(each)
        return type(each), each

    def shape(value: Any) -> Any:
        if isinstance(value, Slot) or not isinstance(value, (list, tuple, dict)):
            return described(value)
        if isinstance(value, dict):
            return tuple((name, shape(each)) for name, each in value.items())
        return tuple(shape(each) for each in value)

    known: dict[Any, int] = {}
    return [known.setdefault((call.operation.python_fully_qualified_name, shape(call.args), shape(call.kwargs)), len(known) + 1)
            for call in calls]


def _place(recorded: Recorded, device: Any, l1: int | None, cost: Cost | None) -> PlacedProgram:
    calls = [(call.operation.python_fully_qualified_name, call.source, _function(call), call.operands, call.results, call.is_placeable, kind)
             for call, kind in zip(recorded.calls, _kinds(recorded.calls))]
    inputs = [(each.spec, each.address) for each in _inputs(recorded)]
    # Inputs are the first values of a program.
    order = [*recorded.inputs, *(value for value in range(len(recorded.specs)) if value not in recorded.inputs)]
    number = {value: place for place, value in enumerate(order)}
    renumbered = [(name, source, run, [number[each] for each in operands], [number[each] for each in results], is_placeable, kind)
                  for name, source, run, operands, results, is_placeable, kind in calls]
    return place_steps(device, extract_mock_allocator_state(device), inputs, renumbered, [recorded.specs[value] for value in order],
                       [number[value] for value in recorded.results], _convert, l1, cost)


def _memory(config: MemoryConfig) -> dict[str, Any]:
    """A memory config as plain values."""
    memory: dict[str, Any] = {"buffer_type": config.buffer_type.name, "memory_layout": config.memory_layout.name}
    if config.shard_spec is not None:
        memory["shard_shape"] = list(config.shard_spec.shape)
        memory["cores"] = [[each.start.x, each.start.y, each.end.x, each.end.y] for each in config.shard_spec.grid.ranges()]
    return memory


def _name(config: MemoryConfig) -> str:
    layout = config.memory_layout.name
    return str(config.buffer_type.name) + ("" if layout == "INTERLEAVED" else " " + layout.lower().replace("_", " "))


def _expression(config: MemoryConfig) -> str:
    """The config as Python."""
    if config.shard_spec is None:
        return f"ttnn.{config.buffer_type.name}_MEMORY_CONFIG"
    memory = _memory(config)
    ranges = ", ".join(f"ttnn.CoreRange(ttnn.CoreCoord({x}, {y}), ttnn.CoreCoord({end_x}, {end_y}))" for x, y, end_x, end_y in memory["cores"])
    return (f"ttnn.MemoryConfig(ttnn.TensorMemoryLayout.{memory['memory_layout']}, ttnn.BufferType.{memory['buffer_type']}, "
            f"ttnn.ShardSpec(ttnn.CoreRangeSet([{ranges}]), {memory['shard_shape']}, ttnn.ShardOrientation.ROW_MAJOR))")


class Placed:
    """A function with each intermediate put in DRAM or in L1, planned within a budget of L1.

    `plan`: an ordinary plan, with its peaks and answers; `replay(*args)` runs it. `peak_l1`: of the fullest core where the budget `l1`
    alone is free (programs may grow with what is). `dram_bytes`: read from DRAM and written there;
    `moved_bytes`: by conversions; `cost`: their sum, or yours. `greedy_dram_bytes`: if what is read last goes to DRAM first,
    `all_dram_bytes`: with nothing in L1 that the function does not put there itself, `least_dram_bytes`: each input and each result once.
    `places`: for each call that may be placed where its results went, and why not nearer; `calls`: for each call of the function the
    conversions in front of it, its memory config and what goes after it.
    """

    def __init__(self, recorded: Recorded, native: PlacedProgram, plan: _device.Plan) -> None:
        self.plan, self.l1, self.peak_l1, self.planned = plan, native.l1, native.peak_l1, native.planned
        self.cost, self.dram_bytes, self.moved_bytes = native.cost, native.dram_bytes, native.moved_bytes
        self.greedy_dram_bytes, self.all_dram_bytes = native.greedy_dram_bytes, native.all_dram_bytes
        self.least_dram_bytes = native.least_dram_bytes
        self.places = [
            {"call": each.call, "operation": recorded.calls[each.call].operation.python_fully_qualified_name,
             "source": recorded.calls[each.call].source, "memory": each.memory_config.buffer_type.name,
             "memory_config": each.memory_config, "bytes": each.bytes, "reads": each.reads, "saves": each.saves, "why": each.why}
            for each in native.placed_calls
        ]
        self.calls = list(self._rows(recorded, native))

    @staticmethod
    def _rows(recorded: Recorded, native: PlacedProgram) -> Iterator[dict[str, Any]]:
        names: dict[int, list[Any]] = {place: ["input", place] for place in range(len(recorded.inputs))}
        conversions: list[dict[str, Any]] = []
        copies = 0
        for step in native.steps:
            copied = [[index, names[tensor][1]] for index, tensor in enumerate(step.operands) if names[tensor][0] == "copy"]
            if step.is_conversion:
                of = names[step.operands[0]]
                names[step.results[0]] = ["copy", copies]
                copies += 1
                memory = _memory(native.conversions[step.number].memory_config)
                conversions.append({"of": of, "memory": memory, "frees": [names[tensor] for tensor in step.frees]})
                continue
            for index, tensor in enumerate(step.results):
                names.setdefault(tensor, [step.number, index])
            call, put = recorded.calls[step.number], native.put[step.number]
            yield {"operation": call.operation.python_fully_qualified_name, "source": call.source, "conversions": conversions,
                   "copies": copied, "memory": None if put is None else _memory(put), "frees": [names[tensor] for tensor in step.frees]}
            conversions = []

    def replay(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it with tensors like those that were placed."""
        return self.plan.replay(*args, **kwargs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report of the plan."""
        self.plan.save(path)

    def code(self) -> list[str]:
        """The change of the function: the memory_config of each line's call, and conversions in front of it."""
        lines: list[str] = []
        configs = {each["call"]: each["memory_config"] for each in self.places}
        for number, row in enumerate(self.calls):
            for each in row["conversions"]:
                lines.append(f"{row['source']}: before {row['operation']}(...): ttnn.to_memory_config({self._named(each['of'])}, "
                             f"{_expression(_config(each['memory']))})")
            if number in configs:
                lines.append(f"{row['source']}: {row['operation']}(..., memory_config={_expression(configs[number])})")
        return lines

    def _named(self, of: list[Any]) -> str:
        if of[0] == "input":
            return f"<input {of[1]}>"
        if of[0] == "copy":
            return f"<copy {of[1]}>"
        return f"<result {of[1]} of {self.calls[of[0]]['operation']} at {self.calls[of[0]]['source']}>"

    def __str__(self) -> str:
        lines = [f"{self.dram_bytes:,} B of DRAM read and written within {self.l1:,} B of L1 per core"
                 + (f", {self.moved_bytes:,} moved by conversions" if self.moved_bytes else "") + f"; greedy "
                 f"{self.greedy_dram_bytes:,}, all in DRAM {self.all_dram_bytes:,}, at least {self.least_dram_bytes:,}"]
        for each in self.places:
            lines.append(f"  {_name(each['memory_config']):4} {each['bytes']:>12,} B  {each['operation']} ({each['source']})"
                         + (f"  {each['why']}" if each["why"] else ""))
        for row in self.calls:
            for each in row["conversions"]:
                lines.append(f"  {self._named(each['of'])} to {_name(_config(each['memory']))} before {row['operation']} ({row['source']})")
        return "\n".join(lines)


def _config(memory: dict[str, Any]) -> MemoryConfig:
    from tilemeter._tilemeter import CoreCoord, CoreRange, CoreRangeSet, ShardOrientation, ShardSpec, TensorMemoryLayout

    layout, buffer_type = TensorMemoryLayout[memory["memory_layout"]], BufferType[memory["buffer_type"]]
    if "shard_shape" not in memory:
        return MemoryConfig(layout, buffer_type)
    cores = CoreRangeSet([CoreRange(CoreCoord(x, y), CoreCoord(end_x, end_y)) for x, y, end_x, end_y in memory["cores"]])
    return MemoryConfig(layout, buffer_type, ShardSpec(cores, memory["shard_shape"], ShardOrientation.ROW_MAJOR))


def _directed(recorded: Recorded, native: PlacedProgram, call: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    """The function with its calls' results where they were put, and gone after their last use."""
    steps = native.steps

    def run_directed(tensors: list[Any]) -> Any:
        outside = [tensor for value, tensor in recorded.inputs.items() if value >= len(tensors)]
        alive: dict[int, Any] = dict(enumerate([*tensors, *outside]))
        following = iter(steps)

        def freed(step: Any) -> None:
            for tensor in step.frees:
                alive.pop(tensor).deallocate(True)

        def directed(run: Callable[..., Any], operation: Any, args: Any, kwargs: Any) -> Any:
            if operation.python_fully_qualified_name == "ttnn.deallocate":
                return None
            step = next(following, None)
            while step is not None and step.is_conversion:
                to = native.conversions[step.number].memory_config
                alive[step.results[0]] = _convert([alive[step.operands[0]]], to)[0]
                freed(step)
                step = next(following, None)
            if step is None or recorded.calls[step.number].operation is not operation:
                _trace._raise("bad_argument", f"place: found other calls when '{recorded.name}' was traced again, at call "
                              f"{len(recorded.calls) if step is None else step.number} ({operation.python_fully_qualified_name})", "place",
                              hint="what changes from call to call has to be an argument")
            assert step is not None
            operands = iter([(tensor, alive.get(tensor)) for tensor in step.operands])

            def read(each: Any) -> Any:
                if not isinstance(each, Tensor):
                    return each
                tensor, known = next(operands)
                return known if tensor >= len(recorded.specs) else each

            args, kwargs = mapped(args, read), mapped(kwargs, read)
            put = native.put[step.number]
            if put is not None:
                kwargs = {**kwargs, "memory_config": put}
            made = run(operation, args, kwargs)
            for tensor, output in zip(step.results, [each for each in leaves_of(made) if isinstance(each, Tensor)]):
                alive.setdefault(tensor, output)
            freed(step)
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
    return _steps(record(_jit.function_name(f), call, leaves))


def place(f: Callable[..., Any], *args: Any, l1: int | str | None = None, cost: Cost | None = None, **kwargs: Any) -> Placed:
    """f with these tensors, each of its intermediates put in DRAM, in L1 or in shards so that as few bytes as can be are read from
    DRAM and written there, and all of it, programs, holes and fragmentation included, stays within the budget of L1.

        placed = trace.place(model, x, l1="60%")
        print(placed); placed.dram_bytes, placed.greedy_dram_bytes, placed.least_dram_bytes
        y = placed.replay(x)

    l1: bytes per core, "1 MiB", or a share of what can be allocated; what is alive already counts. Placed are the results of
    calls that take a memory_config and are not given shards; inputs and results of f stay where they are, and values go after their
    last use. Conversions are inserted where a call takes no shards, and where a value that is read often is elsewhere for a while.
    Functions of up to eight such calls are enumerated; in others the best of some greedy orders is bettered call by call. Each
    candidate is planned step by step (ttnn.graph.plan_program). cost(operation, read, written, moved): a cost of a call instead of the
    sum of the bytes that it reads from DRAM, writes there, and moves as a conversion.
    Raises TraceError for a function whose tensors are made by no call of Python's, a budget that not even DRAM alone keeps, and as
    plan().
    """
    leaves, spec, call = _flat("place", f, args, kwargs)
    name = _jit.function_name(f)
    recorded = record(name, call, leaves)
    device = leaves[0].device()
    bank = int(get_memory_view(device, BufferType.L1).total_bytes_per_bank)
    try:
        native = _place(recorded, device, None if l1 is None else parse_size_limit(l1).of(bank), cost)
    except RuntimeError as error:
        if not str(error).startswith("place: "):
            raise
        _trace._raise("bad_argument", str(error), "place")
    names = _graph._leaf_names(f, args, kwargs, len(leaves))
    program = _device.trace(name, _directed(recorded, native, call), leaves, names)
    return Placed(recorded, native, _device.Plan(_device.DeviceFunction(program, spec), leaves))
