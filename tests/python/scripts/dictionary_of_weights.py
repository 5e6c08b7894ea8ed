# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A model of functions over a dictionary of weights."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


def weight(*shape):
    return ttnn.from_torch(torch.randn(*shape, dtype=torch.bfloat16), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


parameters = {
    "norm": {"weight": weight(1, 128), "bias": weight(1, 128)},
    "up": {"weight": weight(128, 256), "bias": weight(1, 256)},
    "down": {"weight": weight(256, 128), "bias": weight(1, 128)},
}


def feed_forward(value, parameters):
    normed = ttnn.layer_norm(value, weight=parameters["norm"]["weight"], bias=parameters["norm"]["bias"])
    up = ttnn.linear(normed, parameters["up"]["weight"], bias=parameters["up"]["bias"], activation="gelu", memory_config=L1)
    ttnn.deallocate(normed)
    down = ttnn.linear(up, parameters["down"]["weight"], bias=parameters["down"]["bias"], memory_config=L1)
    ttnn.deallocate(up)
    return ttnn.add(value, down, memory_config=DRAM)


hidden = weight(1, 1, 64, 128)
begin()
for _ in range(2):
    hidden = feed_forward(hidden, parameters)
logits = ttnn.to_torch(hidden)
end()

ttnn.close_device(device)
