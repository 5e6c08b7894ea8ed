# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The same calls twice: programs that are cached."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = tensor(1, 1, 128, 256)
w = tensor(256, 256)


def model(t):
    t = ttnn.linear(t, w, activation="relu")
    t = ttnn.softmax(t, dim=-1)
    u = ttnn.reshape(t, (1, 2, 64, 256))
    u = ttnn.permute(u, (0, 2, 1, 3))
    return ttnn.sum(u, dim=2)


first = model(x)
begin()
a = model(x)
b = model(x)
c = model(ttnn.add(x, b[:, 0:1, 0:128, :] if b.shape.rank == 4 and b.shape[2] >= 128 else 1.0))
end()
ttnn.close_device(device)
