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

from tilemeter._src.models.graph_drawing import (
    visualize as visualize, visualize_edge as visualize_edge, visualize_node as visualize_node,
)
from tilemeter._src.models.torch_tracer import (
    Tracer as Tracer, current as current, described as described, disable_tracing as disable_tracing,
    enable_tracing as enable_tracing, get_arg_name_value_pairs as get_arg_name_value_pairs,
    get_input_tensors as get_input_tensors, get_unique_id as get_unique_id, is_tracing_enabled as is_tracing_enabled,
    mark as mark, source_of as source_of, tensors_in as tensors_in, trace as trace,
)
from tilemeter._src.models.traced_graph import (
    ArgumentPairs as ArgumentPairs, InputTensorIndex as InputTensorIndex, ModuleIOTensor as ModuleIOTensor, Node as Node,
    NodeOperation as NodeOperation, PositionalArgumentName as PositionalArgumentName, TAG_TRACEDTENSOR as TAG_TRACEDTENSOR,
    TorchFunction as TorchFunction, TorchModule as TorchModule, TorchModuleInput as TorchModuleInput,
    TorchParameter as TorchParameter, TorchTensor as TorchTensor, children as children,
    duration_to_string as duration_to_string, flatten_graph as flatten_graph, get_graph as get_graph,
    graph_of_level as graph_of_level, in_order as in_order, process_output as process_output, sources as sources,
)
from tilemeter._tilemeter import Tensor as Tensor
