# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""CLIP's two towers: a causal mask by triu, quick GELU, similarities of normalised vectors."""

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


d, s = 128, 77
wt, wi = tensor(d, 64), tensor(d, 64)
tx, im = tensor(4, s, d), tensor(4, 50, d)
scale = tensor(1, 1)
w1, w2 = tensor(d, 4 * d), tensor(4 * d, d)
begin()
mask = ttnn.full((1, 1, s, s), -1e9, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
mask = ttnn.triu(mask, diagonal=1)
h = ttnn.matmul(tx, w1)
h = ttnn.multiply(h, ttnn.sigmoid(ttnn.multiply(h, 1.702)))
h = ttnn.matmul(h, w2) + tx
t = ttnn.slice(h, (0, s - 1, 0), (4, s, d))
t = ttnn.reshape(t, (4, d))
i = ttnn.mean(im, dim=1)
t, i = ttnn.matmul(t, wt), ttnn.matmul(i, wi)
t = ttnn.div(t, ttnn.sqrt(ttnn.sum(ttnn.pow(t, 2), dim=-1, keepdim=True)))
i = ttnn.multiply(i, ttnn.rsqrt(ttnn.sum(ttnn.square(i), dim=-1, keepdim=True)))
logits = ttnn.multiply(ttnn.matmul(i, ttnn.transpose(t, 0, 1)), ttnn.exp(scale))
p = ttnn.softmax(logits, dim=-1)
end()
ttnn.close_device(device)
