# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that were recorded, as steps: captures of tilemeter and of TT-NN, graphs of traced functions."""

from __future__ import annotations

import ast
import functools
import inspect
import json
import os
import pathlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tilemeter._src.answers.program_steps import ProgramInput, ProgramResult, ProgramStep, leaves_of
from tilemeter._src.operations.operation import exported
from tilemeter._src.operations.operation_docs import signature
from tilemeter._tilemeter import (
    BufferType, CoreCoord, CoreRange, CoreRangeSet, DataType, Layout, MemoryConfig, Shape, ShardOrientation, ShardSpec, TensorMemoryLayout,
    TensorSpec, UnaryOpType, UnaryWithParam,
)

Program = tuple[list[ProgramStep], list[ProgramInput]]

_DTYPES = {"bf16": "BFLOAT16", "f32": "FLOAT32", "u32": "UINT32", "i32": "INT32", "u16": "UINT16", "u8": "UINT8", "bfloat8_b": "BFLOAT8_B", "bfloat4_b": "BFLOAT4_B"}
_NAMED = re.compile(r"(?:ttnn\.)?(DataType|Layout|BufferType|TensorMemoryLayout|ShardOrientation)(?:\.|::)(\w+)$")
_ENUMS = {each.__name__: each for each in (DataType, Layout, BufferType, TensorMemoryLayout, ShardOrientation)}


@functools.cache
def _operations() -> dict[str, Any]:
    return {each.python_fully_qualified_name: each for each in exported()}


def _operation(name: str, place: str) -> Any:
    if name not in _operations():
        raise ValueError(f"plan_program: {place} ({name}): expected an operation of ttnn, found none of this name")
    return _operations()[name]


# Texts of arguments.


def _memory_config(text: str) -> MemoryConfig:
    found = re.search(r"memory_layout=(?:TensorMemoryLayout::)?(\w+),\s*buffer_type=(?:BufferType::)?(\w+)", text)
    if found is None:
        raise ValueError("a memory config")
    layout, kind = TensorMemoryLayout[found[1]], BufferType[found[2]]
    shards = re.search(r"shard_spec=ShardSpec\{grid=(\[.*?\]), ?shape=\[(\d+), ?(\d+)\], ?orientation=ShardOrientation::(\w+)", text)
    if shards is None:
        if "nd_shard_spec=NdShardSpec" in text or "nd_shard_spec={" in text:
            raise ValueError("shards of any number of dimensions")
        return MemoryConfig(layout, kind)
    # TT-NN leaves a bracket out of the grid: no JSON.
    corners = re.findall(r'"start":\{"x":(\d+),"y":(\d+)\},"end":\{"x":(\d+),"y":(\d+)', shards[1])
    cores = [CoreRange(CoreCoord(int(x), int(y)), CoreCoord(int(end_x), int(end_y))) for x, y, end_x, end_y in corners]
    spec = ShardSpec(CoreRangeSet(cores), [int(shards[2]), int(shards[3])], ShardOrientation[shards[4]])
    return MemoryConfig(layout, kind, spec)


def _activation(text: str) -> UnaryWithParam:
    """UnaryWithParam(op_type=UnaryOpType::RELU), or RELU(0,0)."""
    found = re.fullmatch(r"UnaryWithParam\(op_type=UnaryOpType(?:::|\.)(\w+)(?:, ?param=([-+.\deE]+))?\)|([A-Z][A-Z0-9_]*)\(([-+.,\deE ]*)\)", text)
    if found is None:
        raise ValueError("a function of one element")
    kind = UnaryOpType[found[1] or found[3]]
    numbers = [float(each) for each in (found[2] or found[4] or "").split(",") if each.strip()]
    return UnaryWithParam(kind, *numbers) if any(numbers) else UnaryWithParam(kind)


def _parts(text: str) -> Iterator[str]:
    """The members of a list in brackets, as texts."""
    depth, begin = 0, 1
    for at, letter in enumerate(text):
        depth += letter in "([{"
        depth -= letter in ")]}"
        if (letter == "," and depth == 1) or depth == 0:
            if text[begin:at].strip():
                yield text[begin:at].strip()
            begin = at + 1


def _config(name: str, fields: str, tensor: Callable[[str], Any], device: Any) -> Any:
    """A program config, or a grid of cores: those of its fields that Python's has."""
    kind = getattr(sys.modules["tilemeter"], name)
    known = set(re.findall(r"(\w+): ", str(kind.__init__.__doc__))) or set(inspect.signature(kind).parameters)
    values: dict[str, Any] = {}
    for part in _parts(f"[{fields}]"):
        field, _, text = part.partition("=")
        grid = re.fullmatch(r"(\d+)-(\d+)", text)
        value = CoreCoord(int(grid[1]), int(grid[2])) if grid else None if text == "{}" else _value(text, tensor, device)
        if field in known:
            values[field] = bool(value) if re.search(rf"\b{field}: bool", str(kind.__init__.__doc__)) else value
        elif value not in (None, 0, 1):
            raise ValueError(f"{name}.{field}")
    return kind(**{field: value for field, value in values.items() if value is not None})


def _value(text: Any, tensor: Callable[[str], Any], device: Any) -> Any:
    """What a text stands for; ValueError names what was found where that is not known."""
    if not isinstance(text, str):
        return text
    text = text.strip()
    if text in ("None", "std::nullopt", "nullopt"):
        return None
    named = _NAMED.match(text)
    if named is not None:
        return _ENUMS[named[1]][named[2]]
    if text.startswith(("ttnn.Tensor(", "Tensor(")):
        return tensor(text)
    if text.startswith("MemoryConfig("):
        return _memory_config(text)
    if text.startswith("Shape("):
        return Shape(ast.literal_eval(text[len("Shape("):-1]))
    if re.match(r"\w*Device\(", text) or text.startswith("device "):
        return device
    if re.match(r"UnaryWithParam\(|[A-Z][A-Z0-9_]*\([-+.,\deE ]*\)$", text):
        return _activation(text)
    config = re.fullmatch(r"(?:ttnn\.)?(\w+Config|CoreGrid)\((.*)\)", text)
    if config is not None and hasattr(sys.modules["tilemeter"], config[1]):
        return _config(config[1], config[2], tensor, device)
    if text[:1] in "[(" and any(word in text for word in ("Tensor(", "UnaryWithParam(")):
        return [_value(each, tensor, device) for each in _parts(text)]
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        if re.fullmatch(r"\w+", text):
            return text
        raise ValueError(text[:60]) from None


# Captures.


def _spec(text: str) -> TensorSpec:
    shape = re.search(r"shape=Shape\((\[[\d, ]*\])\)", text)
    dtype, layout = re.search(r"dtype=DataType(?:\.|::)(\w+)", text), re.search(r"layout=Layout(?:\.|::)(\w+)", text)
    if shape is None or dtype is None or layout is None or "storage_type=StorageType.HOST" in text:
        raise ValueError("a tensor on the device")
    config = _memory_config(text)
    if config.shard_spec is None and config.is_sharded():
        raise ValueError("a tensor whose shards nobody says")
    spec = (ast.literal_eval(shape[1]), DataType[dtype[1]], Layout[layout[1]])
    if config.shard_spec is None:
        return TensorSpec(*spec, config.buffer_type)
    return TensorSpec(*spec, config.memory_layout, config.shard_spec, config.buffer_type)


_FREES = ("Tensor::deallocate", "ttnn.deallocate", "ttnn::deallocate")


def _outer(nodes: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Calls of operations as ("call", name), and what is freed between them as ("free", (memory, address))."""
    inside: list[bool] = []  # of the functions that are open: whether it is a call of an operation, or in one
    for node in nodes:
        kind = node["node_type"]
        if kind in ("function_start", "function_end") and node["params"]["name"] in _FREES:
            continue
        if kind == "function_start":
            is_inside = bool(inside) and inside[-1]
            name = node["params"]["name"]
            inside.append(is_inside or name.startswith("ttnn."))
            if inside[-1] and not is_inside:
                yield "call", name
        elif kind == "function_end" and inside:
            inside.pop()
        elif kind == "buffer_deallocate" and not (inside and inside[-1]):
            yield "free", (str(node["params"]["type"]), int(node["params"]["address"]))


def of_capture(nodes: list[dict[str, Any]], records: list[dict[str, Any]], device: Any) -> Program:
    """The calls that a capture has from Python, with the frees between them."""
    if not records:
        raise ValueError("plan_program: expected a capture with records of calls from Python, found none")
    places = {each["params"]["tensor_id"]: _place(each["params"]) for each in nodes
              if each["node_type"] == "tensor" and isinstance(each.get("params"), dict) and "tensor_id" in each["params"]}
    values: dict[int, Any] = {}
    inputs: list[ProgramInput] = []
    steps: list[ProgramStep] = []
    alive: dict[int, list[Any]] = {}  # by tensor all that has its memory: results of in-place calls and views, too

    def tensor(text: str) -> Any:
        found = re.search(r"tensor_id=(\d+)", text)
        if found is None:
            raise ValueError("a tensor without a number")
        number = int(found[1])
        if number not in values:
            inputs.append(ProgramInput(_spec(text), name=f"tensor {number}"))
            values[number] = inputs[-1]
            alive[number] = [inputs[-1]]
        return values[number]

    has_places = all(int(each["params"]["address"]) != 0 for each in nodes if each["node_type"] == "buffer_allocate")
    following = iter([each for each in records if each["name"] not in _FREES])
    for kind, what in _outer(nodes):
        if kind == "free":
            if steps and has_places:
                freed = [number for number in alive if places.get(number) == what]
                steps[-1].frees += [value for number in freed for value in alive.pop(number)]
            continue
        record = next(following, None)
        place = f"call {len(steps)}"
        if record is None or record["name"] != what:
            raise ValueError(f"plan_program: {place} ({what}): expected a record of the call from Python, found "
                             f"{'none' if record is None else record['name']}")
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for name, text in sorted(record["arguments"].items(), key=lambda each: int(each[0]) if each[0].isdigit() else -1):
            try:
                value = _value(text, tensor, device)
            except (KeyError, ValueError) as error:
                raise ValueError(f"plan_program: {place} ({what}): argument {name}: expected one that the record says whole, found "
                                 f"{str(error)[:80]}") from None
            if name.isdigit():
                args.append(value)
            else:
                kwargs[name] = value
        step = ProgramStep(_operation(what, place), *args, **kwargs)
        for index, number in enumerate(record.get("output_tensor_ids", ())):
            values.setdefault(number, step[index])
            alive.setdefault(number, []).append(step[index])
        steps.append(step)
    if has_places:
        for number, value in values.items():
            if isinstance(value, ProgramInput):
                found = places.get(number)
                value.address = None if found is None else found[1]
    else:
        _free_after_last_use(steps, alive)
    return steps, inputs


def of_report(path: str | os.PathLike[str], device: Any) -> Program:
    """The calls of a report's file, whose records lie beside it."""
    file = pathlib.Path(path)
    texts = []
    for each in (file, file.with_suffix(".python_io.json")):
        try:
            texts.append(json.loads(each.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise ValueError(f"plan_program: {each}: expected {'a report' if each is file else 'the records of its calls'}, found "
                             f"{error.strerror if isinstance(error, OSError) else 'no JSON'}") from None
    nodes, records = texts[0]["graph"] if isinstance(texts[0], dict) and "graph" in texts[0] else texts[0], texts[1]
    if not all(isinstance(each, list) and all(isinstance(one, dict) for one in each) for each in (nodes, records)):
        raise ValueError(f"plan_program: {file}: expected a report with records of its calls, found something else")
    return of_capture(nodes, records, device)


def _free_after_last_use(steps: list[ProgramStep], alive: dict[int, list[Any]]) -> None:
    """What a list without addresses does not say. Inputs and what nobody reads stay."""
    last: dict[int, int] = {}
    for at, step in enumerate(steps):
        for value in leaves_of((step.args, step.kwargs)):
            if isinstance(value, ProgramResult):
                last.update({number: at for number, values in alive.items() if value in values})
    for number, at in last.items():
        if not isinstance(alive[number][0], ProgramInput):
            steps[at].frees += [value for value in alive[number] if steps.index(value.step) <= at]


def _place(tensor: dict[str, Any]) -> tuple[str, int] | None:
    """Its memory and address. A view has the address among those of its devices alone."""
    address = tensor.get("address")
    if address is None:
        found = re.search(r'"address": ?(\d+)', str(tensor.get("device_tensors", "")))
        address = None if found is None else found[1]
    return None if address is None or "buffer_type" not in tensor else (BufferType(int(tensor["buffer_type"])).name, int(address))


# Graphs of traced functions.


def _arguments(equation: dict[str, Any], operation: Any, operands: list[Any], place: str) -> dict[str, Any]:
    parameters = signature(operation).parameters
    kwargs: dict[str, Any] = {}
    for name, attribute in equation["attributes"].items():
        if name in ("operands", "pass", "captured", "fused_activation"):
            continue
        try:
            if name not in parameters:
                raise ValueError(name)
            many = isinstance(attribute, (list, tuple)) and attribute and isinstance(attribute[0], str)
            kwargs[name] = [_activation(each) for each in attribute] if many else _value(attribute, ValueError, None)
            if kwargs[name] == "given" or (isinstance(kwargs[name], str) and "str" not in str(parameters[name].annotation)):
                raise ValueError("the mention of one")
        except (KeyError, ValueError) as error:
            raise ValueError(f"plan_program: {place}: {name}: expected an argument that a graph says whole, found {error}") from None
    names = list(equation["attributes"].get("operands", ()))
    rest = [name for name, each in parameters.items() if "Tensor" in re.findall(r"\w+", str(each.annotation)) and name not in kwargs]
    for index, value in enumerate(operands):
        name = names[index] if names else rest[0] if rest else ""
        if not name:
            raise ValueError(f"plan_program: {place}: expected operands for its parameters, found {len(operands)}")
        if "Sequence[Tensor]" in str(parameters[name].annotation):
            kwargs.setdefault(name, []).append(value)
        else:
            kwargs[name] = value
            rest = rest[1:]
    return kwargs


def of_graph(graph: Any) -> Program:
    """The calls of a traced function's graph; values go after their last use, results of the function stay."""
    if graph.operation_set != "ttnn":
        raise ValueError(f"plan_program: expected a graph of TT-NN's calls, found one of the operation set '{graph.operation_set}'")
    values: dict[int, Any] = {}
    inputs = []
    for number, name, kind in zip(graph.params, graph.param_names, graph.param_types):
        found = re.fullmatch(r'(\w+)\[([\d,]*)\]@\("[^"]*", "(\w+)", "((?:[^"\\]|\\.)*)"\)', str(kind))
        if found is None or found[1] not in _DTYPES:
            raise ValueError(f"plan_program: parameter {name}: expected a tensor on the device, found {kind}")
        memory = found[4].replace('\\"', '"')
        if memory in ("DRAM", "L1"):
            memory = f"memory_layout=INTERLEAVED,buffer_type={memory}"
        text = f"shape=Shape([{found[2]}]), dtype=DataType.{_DTYPES[found[1]]}, layout=Layout.{found[3]}, {memory}"
        inputs.append(ProgramInput(_spec(text), name=name))
        values[number] = inputs[-1]
    last = {number: at for at, each in enumerate(graph.equations) for number in [*each["results"], *each["operands"]]}
    steps: list[ProgramStep] = []
    for at, equation in enumerate(graph.equations):
        place = f"equation {at} ({equation['operation']})"
        if any(number not in values for number in equation["operands"]):
            raise ValueError(f"plan_program: {place}: expected tensors on the device, found a constant of the host")
        operation = _operation(equation["operation"], place)
        step = ProgramStep(operation, **_arguments(equation, operation, [values[number] for number in equation["operands"]], place))
        for index, number in enumerate(equation["results"]):
            values[number] = step[index]
        step.frees = [values[number] for number in last
                      if last[number] == at and number not in graph.params and number not in graph.results]
        steps.append(step)
    return steps, inputs
