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

from tilemeter._src.base.config import CONFIG as CONFIG
from tilemeter._src.models import torch_tracer as torch_tracer
from tilemeter._src.models.graph_drawing import visualize_node as visualize_node
from tilemeter._src.models.torch_tracer import (
    get_arg_name_value_pairs as get_arg_name_value_pairs, get_input_tensors as get_input_tensors,
)
from tilemeter._src.models.traced_graph import (
    InputTensorIndex as InputTensorIndex, PositionalArgumentName as PositionalArgumentName,
    TAG_TRACEDTENSOR as TAG_TRACEDTENSOR, TTNNTensor as TTNNTensor, TorchFunction as TorchFunction, TorchModule as TorchModule,
    TorchModuleInput as TorchModuleInput, TorchParameter as TorchParameter, TorchTensor as TorchTensor,
    duration_to_string as duration_to_string, get_graph as get_graph,
)
from tilemeter._src.models.tracer import (
    TTNNOperation as TTNNOperation, TracedTTNNTensor as TracedTTNNTensor, codegen as codegen,
    codegen_submodules as codegen_submodules, codegen_top_level_module as codegen_top_level_module,
    disable_tracing as disable_tracing, enable_tracing as enable_tracing, is_tracing_enabled as is_tracing_enabled,
    module_to_source_code as module_to_source_code, trace as trace, visualize as visualize,
)
from tilemeter._tilemeter import Tensor as Tensor
