# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Switches that change while a capture runs."""

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
begin()
a = ttnn.relu(x)
with ttnn.manage_config("enable_fast_runtime_mode", False):
    b = ttnn.add(a, x)
    c = ttnn.mean(b, dim=-1, keepdim=True)
with ttnn.manage_config("enable_logging", True):
    d = ttnn.subtract(b, c)
with ttnn.command_queue(0):
    e = ttnn.multiply(d, d)
ttnn.graph.enable_python_stack_traces()
f = ttnn.sqrt(e)
ttnn.graph.disable_python_stack_traces()
ttnn.synchronize_device(device)
event = ttnn.record_event(device, 0)
g = ttnn.exp(f, memory_config=L1)
end()

ttnn.close_device(device)
