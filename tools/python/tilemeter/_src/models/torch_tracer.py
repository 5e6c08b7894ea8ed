# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Graphs of torch's functions and modules, as networkx graphs, under the names of TT-NN's ttnn.torch_tracer.

    with trace():
        y = model(torch.rand(1, 64))
    get_graph(y)               # a networkx.MultiDiGraph; flatten=True: with the bodies of modules in place of modules
    visualize(y, file_name="model.svg")

Torch itself is not changed: a mode of torch.overrides sees the functions, torch's global hooks see the modules. The tensors stay
torch's own; each gets the attributes `graph`, `node` and `output_index`. Needs torch and networkx (which torch brings).
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import threading
import time
from typing import Any, Callable, Iterator

from tilemeter._src.models.traced_graph import (
    ArgumentPairs, InputTensorIndex, ModuleIOTensor, Node, PositionalArgumentName, TAG_TRACEDTENSOR, TTNNTensor, TorchFunction,
    TorchModule, TorchModuleInput, TorchParameter, TorchTensor, children, graph_of_level, sources,
)
from tilemeter._tilemeter import Tensor

import torch  # after what says that it is missing
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.overrides import TorchFunctionMode


def _set_item(tensor: Any, index: Any, value: Any) -> Any:
    """An assignment to a part of a tensor as a function of what was there before."""
    made = tensor.clone()
    made[index] = value
    return made


_set_item.__name__, _set_item.__module__ = "__setitem__", "torch.Tensor"

_ids = itertools.count()


def get_unique_id() -> int:
    """A number that no other node has."""
    return next(_ids)


def _new_node(name: str) -> Node:
    unique_id = get_unique_id()
    return Node(unique_id, f"{name}_{unique_id}")


def tensors_in(value: Any) -> list[Any]:
    """The tensors of torch and of ours, within lists, tuples and dictionaries, too, in their order."""
    if isinstance(value, (torch.Tensor, Tensor)):
        return [value]
    return [tensor for each in children(value) for tensor in tensors_in(each)]


def get_input_tensors(value: Any) -> list[Any]:
    """Those of them that a trace has seen."""
    return [each for each in tensors_in(value) if hasattr(each, TAG_TRACEDTENSOR)]


def _with_indices(value: Any, numbers: Iterator[int]) -> Any:
    """The same with each tensor's InputTensorIndex in its place."""
    if isinstance(value, (torch.Tensor, Tensor)):
        return InputTensorIndex(next(numbers))
    if isinstance(value, dict):
        return {key: _with_indices(each, numbers) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        made = [_with_indices(each, numbers) for each in value]
        return tuple(made) if isinstance(value, tuple) else made
    return value


def _names_of_arguments(function: Callable[..., Any], count: int) -> tuple[list[Any], dict[str, Any]]:
    """The names of the first `count` by place; and the defaults by name. Numbers where the function does not say
    them."""
    numbers: list[Any] = [PositionalArgumentName(index) for index in range(count)]
    if function is _set_item or inspect.isbuiltin(function) or inspect.ismethoddescriptor(function):
        return numbers, {}
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return numbers, {}
    names = [each.name for each in parameters.values() if each.kind is each.POSITIONAL_OR_KEYWORD]
    defaults = {name: each.default for name, each in parameters.items() if each.default is not each.empty}
    return (list(names[:count]) if len(names) >= count else numbers), defaults


def get_arg_name_value_pairs(
    function: Callable[..., Any], *, function_args: tuple[Any, ...], function_kwargs: dict[str, Any]
) -> ArgumentPairs:
    """The arguments of a function's call, by name, without what is as its default; tensors as InputTensorIndex."""
    names, defaults = _names_of_arguments(function, len(function_args))
    numbers = itertools.count()
    pairs = []
    for name, value in [*zip(names, function_args), *function_kwargs.items()]:
        given = _with_indices(value, numbers)
        if isinstance(name, str) and name in defaults:
            usual = defaults[name]
            if given is usual or (type(given) is type(usual) and given == usual):
                continue
        pairs.append((name, given))
    return pairs


class _Open:
    """A module that is being called."""

    def __init__(self, level: int) -> None:
        self.graph = graph_of_level(level)
        self.inputs: dict[int, tuple[Node, Any]] = {}  # by the identity of the outer tensor, which is held
        self.begin = time.perf_counter()


class Tracer(TorchFunctionMode):  # type: ignore[misc]
    """Sees the functions and modules of the thread that entered it, until it is left."""

    def __init__(self) -> None:
        super().__init__()
        self.top = graph_of_level(0)
        self.open: list[_Open] = []
        self.paused = False
        self.thread = threading.get_ident()
        self.hooks: list[Any] = []
        self.befores: dict[tuple[int, int], tuple[Node, Any]] = {}  # by the identities of graph and tensor, which is held

    def __enter__(self) -> "Tracer":
        self.hooks = [
            register_module_forward_pre_hook(self._begin_module),
            register_module_forward_hook(self._end_module, with_kwargs=True, always_call=True),
        ]
        super().__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        for each in self.hooks:
            each.remove()
        super().__exit__(*exception)

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """Calls inside belong to a call that is one node."""
        self.paused = True
        try:
            yield
        finally:
            self.paused = False

    def sees_calls(self) -> bool:
        """True if a call of now is a node: it is not inside of another, nor of another thread."""
        return not self.paused and threading.get_ident() == self.thread

    @property
    def graph(self) -> Any:
        """The graph of the innermost module that is being called."""
        return self.open[-1].graph if self.open else self.top

    def _add_source(self, graph: Any, name: str, operation: Any, tensor: Any) -> Node:
        node = _new_node(name)
        graph.add_node(node, operation=operation, **described([tensor]))
        return node

    def _node_in(self, level: int, tensor: Any) -> tuple[Node, int]:
        """The source of a tensor in the graph of that level: an input of the module where it is from further out."""
        graph = self.open[level - 1].graph if level else self.top
        if type(tensor) is Tensor:  # one from before, which takes no attributes
            known = self.befores.get((id(graph), id(tensor)))
            if known is None:
                known = (self._add_source(graph, *source_of(tensor), tensor), tensor)
                self.befores[id(graph), id(tensor)] = known
            return known[0], 0
        parameter = isinstance(tensor, torch.nn.Parameter)
        home = getattr(tensor, "graph", None) if hasattr(tensor, TAG_TRACEDTENSOR) else None
        if home is graph:
            return tensor.node, tensor.output_index
        if level == 0 and home is not None and home.graph["level"] == 0:  # of an earlier trace
            graph.update(home)
            return tensor.node, tensor.output_index
        if level and not parameter and home is not None:
            if home.graph["level"] == 0 or any(home is each.graph for each in self.open[: level - 1]):
                inputs = self.open[level - 1].inputs
                if id(tensor) not in inputs:
                    name = f"captured_{len(inputs)}"
                    inputs[id(tensor)] = (self._add_source(graph, "module_input", TorchModuleInput(name), tensor), tensor)
                return inputs[id(tensor)][0], 0
        if parameter:
            node = self._add_source(graph, "torch_parameter", TorchParameter(tensor), tensor)
        else:
            node = self._add_source(graph, *source_of(tensor), tensor)
        if not parameter:
            mark(tensor, graph, node, 0)
        return node, 0

    def add(self, name: str, operation: Any, inputs: list[Any], outputs: list[Any], **more: Any) -> Node:
        """A node that makes `outputs` of `inputs`; the outputs are marked as its."""
        level = len(self.open)
        graph = self.graph
        sources = [self._node_in(level, each) for each in inputs]
        node = _new_node(name)
        graph.add_node(node, operation=operation, **described(outputs), **more)
        for index, (source, output) in enumerate(sources):
            graph.add_edge(source, node, source_output_index=output, sink_input_index=index)
        for index, each in enumerate(outputs):
            mark(each, graph, node, index)
        return node

    def __torch_function__(
        self, function: Callable[..., Any], types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if not self.sees_calls():
            return function(*args, **kwargs)
        begin = time.perf_counter()
        result = function(*args, **kwargs)
        duration = time.perf_counter() - begin
        name = getattr(function, "__name__", type(function).__name__)
        outputs = tensors_in(result) or ([args[0]] if name == "__setitem__" else [])
        if outputs:
            function = _set_item if name == "__setitem__" else function
            pairs = get_arg_name_value_pairs(function, function_args=args, function_kwargs=kwargs)
            inputs = tensors_in(args) + tensors_in(kwargs)
            made = TorchFunction(function, pairs)
            self.add(name if inputs else "torch_input", made, inputs, outputs, duration=duration)
        return result

    def _begin_module(self, module: Any, args: Any) -> None:
        if not self.sees_calls():
            return
        if not self.open:
            for path, each in [*module.named_modules(), *module.named_parameters()]:
                each.__ttnn_tracer_name__ = path
        elif not hasattr(module, "__ttnn_tracer_name__"):  # made while its parent runs
            module.__ttnn_tracer_name__ = type(module).__name__
        self.open.append(_Open(len(self.open) + 1))

    def _end_module(self, module: Any, args: Any, kwargs: dict[str, Any], *results: Any) -> None:
        if not self.sees_calls() or not self.open:
            return
        if not results:  # the call failed: torch leaves out one argument
            self.open.pop()
            return
        (result,) = results
        duration = time.perf_counter() - self.open[-1].begin
        level, graph, given = len(self.open), self.graph, self.open[-1].inputs
        names, _ = _names_of_arguments(module.forward, len(args))
        inputs: list[tuple[Node, Any]] = []
        for name, value in [*zip(names, args), *kwargs.items()]:
            tensors = tensors_in(value)
            for index, tensor in enumerate(tensors):
                self._require_outside(level, tensor)
                if id(tensor) not in given:
                    made = self._add_source(graph, "module_input", TorchModuleInput(""), tensor)
                    given[id(tensor)] = (made, tensor)
                node = given[id(tensor)][0]
                graph.nodes[node]["operation"].name = str(name) if len(tensors) == 1 else f"{name}_{index}"
                inputs.append((node, tensor))
        listed = {node for node, _ in inputs}
        inputs += [each for each in given.values() if each[0] not in listed]
        outputs = tensors_in(result)
        ends = [ModuleIOTensor(graph, *self._node_in(level, each)) for each in outputs]
        self.open.pop()
        if not outputs:
            return
        pairs = get_arg_name_value_pairs(module.forward, function_args=args, function_kwargs=kwargs)
        operation = TorchModule(module, graph, [ModuleIOTensor(graph, node, 0) for node, _ in inputs], ends, pairs)
        self.add(module.__ttnn_tracer_name__, operation, [tensor for _, tensor in inputs], outputs, duration=duration)

    def _require_outside(self, level: int, tensor: Any) -> None:
        """An argument that nothing has made is a source outside of the module that gets it."""
        if not hasattr(tensor, TAG_TRACEDTENSOR):
            self._node_in(level - 1, tensor)


def source_of(tensor: Any) -> tuple[str, Any]:
    """The kind of node for a tensor that nothing has made, and its operation."""
    if isinstance(tensor, torch.Tensor):
        return "torch_input", TorchTensor(tensor)
    return "ttnn_input", TTNNTensor()


def described(tensors: list[Any]) -> dict[str, Any]:
    """A node's attributes that say what it makes."""
    attributes: dict[str, Any] = {
        "shapes": tuple(tuple(each.shape) if isinstance(each, torch.Tensor) else each.shape for each in tensors),
        "dtypes": tuple(each.dtype for each in tensors),
    }
    if any(isinstance(each, Tensor) for each in tensors):
        attributes["layouts"] = tuple(each.layout if isinstance(each, Tensor) else None for each in tensors)
        attributes["memory_configs"] = tuple(
            each.memory_config() if isinstance(each, Tensor) and each.is_allocated() else None for each in tensors
        )
    return attributes


def mark(tensor: Any, graph: Any, node: Node, output_index: int) -> None:
    """Says of a tensor where in which graph it comes from."""
    setattr(tensor, TAG_TRACEDTENSOR, None)
    tensor.graph, tensor.node, tensor.output_index = graph, node, output_index


_current: Tracer | None = None


def current() -> Tracer | None:
    """The trace that is open."""
    return _current


def enable_tracing() -> None:
    """Begins a trace. Raises RuntimeError inside of one."""
    global _current
    if _current is not None:
        raise RuntimeError("Cannot nest trace calls")
    _current = Tracer()
    _current.__enter__()


def disable_tracing() -> None:
    """Ends the trace, if there is one."""
    global _current
    tracer, _current = _current, None
    if tracer is not None:
        tracer.__exit__(None, None, None)


def is_tracing_enabled() -> bool:
    return _current is not None


@contextlib.contextmanager
def trace() -> Iterator[None]:
    """A trace of torch's calls in the block. Raises RuntimeError inside of another."""
    enable_tracing()
    try:
        yield
    finally:
        disable_tracing()
