# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Running sums and products with a tensor for the result: it becomes the result, in other memory; its own is freed."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(shape, dtype=ttnn.bfloat16, memory_config=None):
    return ttnn.from_torch(torch.ones(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape, dim in (((2, 3, 33, 40), 0), ((2, 3, 33, 40), 2), ((33, 40), -1), ((2, 2, 2, 33, 40), 1), ((2, 1, 2, 1, 2, 33, 40), 3)):
    x = tensor(shape)
    for operation in (ttnn.cumsum, ttnn.cumprod):
        given = tensor(shape, ttnn.float32)
        y = operation(x, dim, out=given)
        other = tensor(shape, memory_config=ttnn.L1_MEMORY_CONFIG)
        z = operation(x, dim, dtype=ttnn.float32, out=other)
        w = ttnn.add(given, x)
        w.deallocate(True)
        del given, other, y, z
one = ttnn.from_torch(torch.ones(()), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
total = ttnn.cumsum(one, 0)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
