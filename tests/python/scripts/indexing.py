# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of tensors by index."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = ttnn.from_torch(torch.randn(2, 3, 64, 96, dtype=torch.bfloat16), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
r = ttnn.from_torch(torch.randn(4, 48, 64, dtype=torch.bfloat16), dtype=ttnn.bfloat16, device=device)
begin()
a = x[0]
b = x[:, 1:2]
c = x[..., 32:64]
d = x[1, 2]
e = x[:, :, -32:, :]
f = r[1:3, :, :]
g = r[:, ::2]
h = r[-1]
i = x[:, :, 0:32, 0:32] + 1
j = x[:]
end()

ttnn.close_device(device)
