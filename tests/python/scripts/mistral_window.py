# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Mistral: a sliding window from tril and triu."""

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


h, s, hd, w = 4, 256, 64, 64
q, k, v = tensor(1, h, s, hd), tensor(1, h, s, hd), tensor(1, h, s, hd)
begin()
ones = ttnn.ones((1, 1, s, s), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
lower = ttnn.tril(ones)
upper = ttnn.triu(ones, diagonal=-w)
allowed = ttnn.mul(lower, upper)
mask = ttnn.where(ttnn.gtz(allowed), 0.0, -1e9)
scores = ttnn.matmul(q, ttnn.transpose(k, 2, 3)) * (hd**-0.5)
scores = ttnn.add(scores, mask)
p = ttnn.softmax(scores, dim=-1, numeric_stable=True)
o = ttnn.matmul(p, v)
o = ttnn.transformer.concatenate_heads(o)
end()
ttnn.close_device(device)
