# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of the user's own around operations, some left open."""

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


class Layer:
    def __init__(self, name):
        self.name = name

    def __call__(self, value):
        ttnn.graph.track_function_start(self.name)
        result = ttnn.gelu(ttnn.linear(value, x, memory_config=L1), memory_config=L1)
        ttnn.graph.track_function_end()
        return result


begin()
ttnn.graph.track_function_start("model")
y = x
for number in range(3):
    y = Layer(f"layer {number}")(y)
ttnn.graph.track_function_end()
z = ttnn.softmax(y, dim=-1)
ttnn.graph.track_function_end()
w = ttnn.exp(z)
end()

ttnn.close_device(device)
