# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Hooks that count what is called."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
called = []


def before(operation, args, kwargs):
    called.append(operation.python_fully_qualified_name)


def after(operation, args, kwargs, output):
    called.append(output.shape if isinstance(output, ttnn.Tensor) else None)


ttnn.CONFIG.enable_fast_runtime_mode = False
begin()
with ttnn.register_pre_operation_hook(before), ttnn.register_post_operation_hook(after):
    y = ttnn.matmul(x, x)
    z = ttnn.transpose(y, -2, -1)
    w = ttnn.reshape(z, (1, 1, 32, 128))
    v = ttnn.permute(w, (0, 2, 1, 3))
u = ttnn.relu(v)
end()
assert called[0] == "ttnn.matmul" and len(called) == 8, called

ttnn.close_device(device)
