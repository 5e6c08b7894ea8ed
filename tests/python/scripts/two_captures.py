# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A capture before the one that counts, with programs kept from it."""

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


def model(value):
    hidden = ttnn.linear(value, x, activation="relu", memory_config=L1)
    return ttnn.layer_norm(hidden)


ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
y = model(x)
nodes = ttnn.graph.end_graph_capture()
assert ttnn.graph.extract_calltrace(nodes)
begin()
z = model(y)
w = model(z)
device.disable_and_clear_program_cache()
v = model(w)
device.enable_program_cache()
u = model(v)
end()

ttnn.close_device(device)
