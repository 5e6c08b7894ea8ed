# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The graphs that torch_tracer and tracer make: their nodes, walks over them, modules replaced by their bodies."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Iterable

try:
    import networkx
    import torch
except ImportError as error:
    raise ImportError(f"tilemeter.torch_tracer needs torch and networkx: {error}") from None

TAG_TRACEDTENSOR = "TRACEDTENSOR"


@dataclasses.dataclass(frozen=True, order=True)
class Node:
    """In the order in which they were made."""

    unique_id: int
    name: str = dataclasses.field(compare=False)


@dataclasses.dataclass(frozen=True)
class PositionalArgumentName:
    """The name of an argument whose function does not say how it is called."""

    index: int

    def __repr__(self) -> str:
        return str(self.index)


@dataclasses.dataclass(frozen=True)
class InputTensorIndex:
    """In arguments, in place of the tensor that comes by the edge of this sink_input_index."""

    index: int

    def __repr__(self) -> str:
        return f"${self.index}"


ArgumentPairs = list[tuple[Any, Any]]


class NodeOperation:
    """The operation of a node; in a graph's attributes it is the node's `operation`."""

    def to_string(self, verbose: bool = False) -> str:
        """Its name; `verbose`: with the arguments of a call."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.to_string()


@dataclasses.dataclass(repr=False)
class TorchTensor(NodeOperation):
    """A tensor that was there before, or was made unseen."""

    tensor: Any

    def to_string(self, verbose: bool = False) -> str:
        return "torch.Tensor"


@dataclasses.dataclass(repr=False)
class TorchParameter(NodeOperation):
    parameter: Any

    def to_string(self, verbose: bool = False) -> str:
        name = getattr(self.parameter, "__ttnn_tracer_name__", "")
        return f"torch.nn.Parameter\n{name}" if name else "torch.nn.Parameter"


@dataclasses.dataclass(repr=False)
class TorchFunction(NodeOperation):
    function: Callable[..., Any]
    arg_name_value_pairs: ArgumentPairs

    def to_string(self, verbose: bool = False) -> str:
        name = _name_of_function(self.function)
        return f"{name}({_arguments_text(self.arg_name_value_pairs)})" if verbose else name


@dataclasses.dataclass(repr=False)
class TorchModuleInput(NodeOperation):
    """In the graph of a module: what is given to it."""

    name: str

    def to_string(self, verbose: bool = False) -> str:
        return self.name


@dataclasses.dataclass(frozen=True)
class ModuleIOTensor:
    """An end of a module, in its graph."""

    graph: Any
    node: Node
    output_index: int

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def shape(self) -> Any:
        return self.graph.nodes[self.node]["shapes"][self.output_index]


@dataclasses.dataclass(repr=False)
class TorchModule(NodeOperation):
    module: Any
    graph: Any
    inputs: list[ModuleIOTensor]  # by sink_input_index
    outputs: list[ModuleIOTensor]  # by source_output_index
    arg_name_value_pairs: ArgumentPairs

    def to_string(self, verbose: bool = False) -> str:
        name = f"{type(self.module).__module__}.{type(self.module).__name__}"
        if verbose:
            name += f"({_arguments_text(self.arg_name_value_pairs)})"
        path = self.module.__ttnn_tracer_name__
        return f"{name}\n{path}" if path else name


def _arguments_text(pairs: ArgumentPairs) -> str:
    return ", ".join(f"{value}" if isinstance(name, PositionalArgumentName) else f"{name}={value}" for name, value in pairs)


_PUBLIC = {"torch._C._nn": "torch.nn.functional", "torch._C": "torch", "torch._tensor": "torch.Tensor"}


def _name_of_function(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    owner = getattr(function, "__objclass__", None)
    if owner is not None:
        return f"torch.Tensor.{name}" if issubclass(torch.Tensor, owner) else f"{owner.__module__}.{owner.__name__}.{name}"
    place = getattr(function, "__module__", None) or "torch"
    return f"{_PUBLIC.get(place, place)}.{name}"


def children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


def graph_of_level(level: int) -> Any:
    return networkx.MultiDiGraph(level=level)


def in_order(graph: Any) -> list[Node]:
    """A graph's nodes, each behind those that it depends on."""
    return list(networkx.lexicographical_topological_sort(graph))


def sources(graph: Any, node: Node) -> list[tuple[Node, int]]:
    """The sources of a node, by sink_input_index: the node and which of its outputs."""
    edges = sorted((data["sink_input_index"], source, data["source_output_index"]) for source, _, data in graph.in_edges(node, data=True))
    return [(source, output) for _, source, output in edges]


def _flatten_into(to: Any, graph: Any, inputs: dict[Node, tuple[Node, int]]) -> dict[tuple[Node, int], tuple[Node, int]]:
    made: dict[tuple[Node, int], tuple[Node, int]] = {}
    for node in in_order(graph):
        attributes = graph.nodes[node]
        operation = attributes["operation"]
        given = [made[each] for each in sources(graph, node)]
        if isinstance(operation, TorchModuleInput):
            made[node, 0] = inputs[node]
        elif isinstance(operation, TorchModule):
            inner = _flatten_into(to, operation.graph, dict(zip((each.node for each in operation.inputs), given)))
            for index, end in enumerate(operation.outputs):
                made[node, index] = inner[end.node, end.output_index]
        else:
            to.add_node(node, **attributes)
            for index, (source, output) in enumerate(given):
                to.add_edge(source, node, source_output_index=output, sink_input_index=index)
            made.update({(node, index): (node, index) for index in range(len(attributes["shapes"]))})
    return made


def flatten_graph(graph: Any) -> Any:
    """The same with the bodies of modules in their places."""
    flat = graph_of_level(0)
    _flatten_into(flat, graph, {})
    return flat


def process_output(output: Any) -> list[Any]:
    """The traced tensors of a result: within lists, tuples, dictionaries and dataclasses, too."""
    if hasattr(output, TAG_TRACEDTENSOR):
        return [output]
    if dataclasses.is_dataclass(output) and not isinstance(output, (dict, type)):
        return process_output([getattr(output, each.name) for each in dataclasses.fields(output)])
    if output is not None and not isinstance(output, (dict, list, tuple)):
        raise RuntimeError(f"Unexpected type {type(output)}")
    return [tensor for each in children(output) for tensor in process_output(each)]


def get_graph(value: Any, flatten: bool = False) -> Any:
    """The graph that traced tensors come from; a graph as it is. Raises RuntimeError for what is neither."""
    if isinstance(value, networkx.MultiDiGraph):
        graph = value
    else:
        found = process_output(value)
        if not found:
            raise RuntimeError("get_graph: expected a tensor that was made in a trace, found none")
        graph = found[0].graph if all(each.graph is found[0].graph for each in found) else networkx.compose_all(
            [each.graph for each in found]
        )
    return flatten_graph(graph) if flatten else graph


def duration_to_string(duration: float) -> str:
    """Seconds in the largest unit of which they are one at least."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if duration * factor >= 1:
            return f"{duration * factor:.1f} {unit}"
    return f"{duration * 1e9:.1f} ns"


@dataclasses.dataclass(repr=False)
class TTNNTensor(NodeOperation):
    """A tensor that was there before."""

    def to_string(self, verbose: bool = False) -> str:
        return "ttnn.Tensor"
