# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Graphs of torch's functions and modules and of the operations here, under the names of TT-NN's ttnn.tracer.

    ttnn.CONFIG.enable_fast_runtime_mode = False
    with ttnn.tracer.trace():
        y = ttnn.to_torch(model(ttnn.from_torch(torch.rand(1, 64))))
    ttnn.tracer.visualize(y, file_name="model.svg")
    print(ttnn.tracer.codegen(y))

Calls run and compute as always. For graphs that are planned, changed and replayed without running see tilemeter.trace. Needs
torch and networkx (which torch brings).
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import shutil
from typing import Any, Callable, Iterator

from tilemeter._src.base.config import CONFIG
from tilemeter._src.models import graph_drawing, torch_tracer
from tilemeter._src.models.torch_tracer import get_arg_name_value_pairs
from tilemeter._src.models.traced_graph import (
    ArgumentPairs, InputTensorIndex, NodeOperation, PositionalArgumentName, TorchFunction, TorchModule, TorchParameter,
    TorchTensor, duration_to_string, get_graph, in_order, sources,
)
from tilemeter._src.operations import operation as _operation
from tilemeter._tilemeter import Tensor

_log = logging.getLogger("tilemeter")


@dataclasses.dataclass(repr=False)
class TTNNOperation(NodeOperation):
    pretty_name: str
    operation: Any
    arg_name_value_pairs: ArgumentPairs

    def to_string(self, verbose: bool = False) -> str:
        return self.pretty_name


class TracedTTNNTensor(Tensor):
    """A tensor that an operation has made in a trace; it shares the memory of that which it is made of."""

    TRACEDTENSOR = None

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(tensor)
        self.graph: Any = None
        self.node: Any = None
        self.output_index = 0

    @property
    def name(self) -> str:
        return str(self.node.name)


def _with_traced(value: Any, made: list[Any]) -> Any:
    """A result with its tensors of ours as those that are listed, in their order."""
    if isinstance(value, Tensor):
        return made.pop(0)
    if isinstance(value, dict):
        return {key: _with_traced(each, made) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        each_made = [_with_traced(each, made) for each in value]
        return tuple(each_made) if isinstance(value, tuple) else each_made
    return value


def _traced_call(
    run: Callable[..., Any], operation: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    tracer = torch_tracer.current()
    if tracer is None or not tracer.sees_calls():
        return run(operation, args, kwargs)
    name = operation.python_fully_qualified_name
    with tracer.pause():
        result = run(operation, args, kwargs)
        pairs = get_arg_name_value_pairs(operation, function_args=args, function_kwargs=kwargs)
        made = [
            TracedTTNNTensor(each) if isinstance(each, Tensor) else each for each in torch_tracer.tensors_in(result)
        ]
        if made:
            inputs = torch_tracer.tensors_in(args) + torch_tracer.tensors_in(kwargs)
            tracer.add(name, TTNNOperation(name, operation, pairs), inputs, made)
        return _with_traced(result, [each for each in made if isinstance(each, Tensor)])


def enable_tracing() -> None:
    """Begins a trace. Raises ValueError in fast runtime mode and inside of one, as TT-NN does."""
    if CONFIG.enable_fast_runtime_mode:
        raise ValueError("Tracing is not supported in fast runtime mode.")
    if is_tracing_enabled():
        raise ValueError("Tracing is already enabled.")
    torch_tracer.enable_tracing()
    _operation.set_tracer(_traced_call)


def disable_tracing() -> None:
    """Ends the trace, if there is one."""
    _operation.set_tracer(None)
    torch_tracer.disable_tracing()


def is_tracing_enabled() -> bool:
    return torch_tracer.is_tracing_enabled()


@contextlib.contextmanager
def trace() -> Iterator[None]:
    """A trace of the calls of torch and of operations in the block. Raises ValueError as enable_tracing does."""
    enable_tracing()
    try:
        yield
    finally:
        disable_tracing()


def visualize(output: Any, *, file_name: Any = None, **options: Any) -> Any:
    """visualize, which needs Graphviz's program dot; a warning and None where there is none."""
    if shutil.which("dot") is None:
        _log.warning("Graphviz is not installed. Skipping visualization.")
        return None
    return graph_drawing.visualize(output, file_name=file_name, **options)


def _text(value: Any, variables: list[str]) -> str:
    if isinstance(value, InputTensorIndex):
        return variables[value.index]
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_text(each, variables) for each in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_text(each, variables)}' for key, each in value.items())}}}"
    return str(value)


def _arguments(pairs: ArgumentPairs, variables: list[str]) -> list[str]:
    return [
        _text(value, variables) if isinstance(name, PositionalArgumentName) else f"{name}={_text(value, variables)}"
        for name, value in pairs
    ]


def _path_below(value: Any, prefix: str) -> str:
    path = str(getattr(value, "__ttnn_tracer_name__", ""))
    return path.removeprefix(f"{prefix}.") if prefix else path


def _expression(operation: Any, variables: list[str], prefix: str) -> str:
    if isinstance(operation, TorchParameter):
        return f"parameters.{_path_below(operation.parameter, prefix)}"
    if isinstance(operation, TorchTensor):
        tensor = operation.tensor
        first = tensor.detach().flatten()[:8].tolist()
        return f"torch.as_tensor({first}, ...).reshape({tuple(tensor.shape)}).to({tensor.dtype})"
    if isinstance(operation, (TorchFunction, TTNNOperation)):
        return f"{operation}({', '.join(_arguments(operation.arg_name_value_pairs, variables))})"
    if isinstance(operation, TorchModule):
        path = _path_below(operation.module, prefix)
        arguments = ["config", *_arguments(operation.arg_name_value_pairs, variables)]
        arguments.append(f"parameters=parameters.{path}" if path else "parameters=parameters")
        return f"{type(operation.module).__name__}({', '.join(arguments)})"
    return str(operation)


def _one_or_all(values: tuple[Any, ...]) -> Any:
    return values[0] if len(values) == 1 else values


class _Writer:
    """Statements for the nodes of a graph. A node takes its only input's variable where nothing else needs it."""

    def __init__(self, graph: Any, variables: dict[Any, str], kept: set[Any], prefix: str) -> None:
        self.graph, self.variables, self.kept, self.prefix = graph, variables, kept, prefix
        self.count = 0

    def _variable_for(self, node: Any, given: list[Any], reuse: bool) -> str:
        only = given[0] if len(given) == 1 and node not in self.kept else None
        if reuse and only is not None and self.graph.out_degree(only) == 1:
            return self.variables[only]
        self.count += 1
        return f"variable_{self.count - 1}"

    def statements(self, reuse: bool) -> str:
        lines = []
        for node in in_order(self.graph):
            if node in self.variables:
                continue
            attributes = self.graph.nodes[node]
            given = [source for source, _ in sources(self.graph, node)]
            expression = _expression(attributes["operation"], [self.variables[each] for each in given], self.prefix)
            self.variables[node] = self._variable_for(node, given, reuse)
            shapes, dtypes = _one_or_all(attributes["shapes"]), _one_or_all(attributes["dtypes"])
            line = f"    {self.variables[node]} = {expression}    # shapes: {shapes}, dtypes: {dtypes}"
            duration = attributes.get("duration")
            lines.append(line if duration is None else f"{line}; duration: {duration_to_string(duration)}")
        return "".join(f"{line}\n" for line in lines)


def module_to_source_code(module_operation: TorchModule, prefix: str = "") -> str:
    """A function with the statements of a module's graph. prefix: the module's path, left out of its parts' paths."""
    graph = module_operation.graph
    variables = {each.node: str(graph.nodes[each.node]["operation"].name) for each in module_operation.inputs}
    outputs = [each.node for each in module_operation.outputs]
    given = ", ".join(variables.values())
    body = _Writer(graph, variables, set(outputs), prefix).statements(reuse=True)
    name = type(module_operation.module).__name__
    results = ", ".join(variables[each] for each in outputs)
    return f"def {name}(config, {given}, *, parameters):\n{body}    return {results}\n"


def codegen_submodules(graph: Any) -> Iterator[str]:
    """A function for each module of a graph, those that it uses before it, which TT-NN leaves out."""
    for node in in_order(graph):
        operation = graph.nodes[node]["operation"]
        if isinstance(operation, TorchModule):
            yield from codegen_submodules(operation.graph)
            yield module_to_source_code(operation, operation.module.__ttnn_tracer_name__)


def codegen_top_level_module(graph: Any) -> str:
    """The statements of a graph as a function."""
    return f"def top_level_module():\n{_Writer(graph, {}, set(), '').statements(reuse=False)}"


def codegen(output: Any) -> str:
    """Python-like text that says how `output`, a graph or traced tensors, is computed: to read and to port, not to run."""
    graph = get_graph(output)
    return "".join(f"{each}\n\n" for each in codegen_submodules(graph)) + codegen_top_level_module(graph)
