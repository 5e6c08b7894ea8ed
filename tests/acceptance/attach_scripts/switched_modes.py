# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Fast and slow mode, and hooks, switched while a capture is open."""

import os
import sys

import ttnn

L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin(mode=None):
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, mode or sys.argv[2]))


def end(name=None):
    ttnn.graph.end_graph_capture_to_file(os.path.join(os.path.dirname(sys.argv[1]), name) if name else sys.argv[1])


def tiles(*shape, device, dtype=ttnn.bfloat16, memory_config=L1):
    return ttnn.ones(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


device = ttnn.open_device(device_id=0)
a = tiles(1, 1, 64, 64, device=device)
called = []


def before(operation, arguments, keywords):
    called.append(operation.python_fully_qualified_name)


def after(operation, arguments, keywords, output):
    called.append("after")


begin()
ttnn.add(a, a, memory_config=L1)
with ttnn.manage_config("enable_fast_runtime_mode", False):
    with ttnn.register_pre_operation_hook(before), ttnn.register_post_operation_hook(after):
        b = ttnn.softmax(ttnn.add(a, a, memory_config=L1), dim=-1, memory_config=L1)
    c = b[:, :, :32, :32]
    d = a + c[:, :, 0:1, :1]
    with ttnn.manage_config("enable_fast_runtime_mode", True):
        ttnn.exp(d, memory_config=L1)
ttnn.multiply(a, a, memory_config=L1)
end()
ttnn.close_device(device)
