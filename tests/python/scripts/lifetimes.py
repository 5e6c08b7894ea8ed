# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""When memory is freed: by hand, by going out of scope, by moving, in scopes of the program's own."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=8192)
x = ttnn.from_torch(torch.randn(1, 1, 512, 512), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


def block(t, depth):
    ttnn.graph.track_function_start(f"block {depth}")
    y = ttnn.relu(t, memory_config=ttnn.L1_MEMORY_CONFIG)
    z = ttnn.add(y, t, memory_config=ttnn.L1_MEMORY_CONFIG)
    if depth:
        z = block(z, depth - 1)
    ttnn.graph.track_function_end()
    return z


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
a = block(x, 2)
b = ttnn.exp(a, memory_config=ttnn.L1_MEMORY_CONFIG)
a = None
c = ttnn.exp(b, memory_config=ttnn.L1_MEMORY_CONFIG)
ttnn.deallocate(b)
c = ttnn.reallocate(c)
d = ttnn.move(c)
view = ttnn.reshape(d, (1, 1, 1024, 256))
flat = ttnn.unsqueeze_to_4D(ttnn.reshape(d, (512, 512)))
del d
e = ttnn.add(x, x, output_tensor=flat)
ttnn.deallocate(e, force=True)
del view
f = [ttnn.zeros((1, 1, 32, 32), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device) for _ in range(3)]
f.pop(1)
ttnn.synchronize_device(device)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
