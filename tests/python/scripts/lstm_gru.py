# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""LSTM and GRU cells, unrolled: split, chunk, addcmul, lerp."""

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


b, i, hs = 32, 64, 64
xs = [tensor(b, i) for _ in range(3)]
wih, whh, bias = tensor(i, 4 * hs), tensor(hs, 4 * hs), tensor(1, 4 * hs)
gi, gh = tensor(i, 3 * hs), tensor(hs, 3 * hs)
begin()
h = ttnn.zeros([b, hs], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
c = ttnn.zeros_like(h)
for x in xs:
    g = ttnn.linear(x, wih, bias=bias) + ttnn.matmul(h, whh)
    i_, f, gg, o = ttnn.split(g, hs, dim=1)
    c = ttnn.addcmul(ttnn.mul(ttnn.sigmoid(f), c), ttnn.sigmoid(i_), ttnn.tanh(gg))
    h = ttnn.mul(ttnn.sigmoid(o), ttnn.tanh(c))
    ttnn.deallocate(g)
for x in xs:
    a, bb = ttnn.matmul(x, gi), ttnn.matmul(h, gh)
    ar, az, an = ttnn.chunk(a, 3, dim=-1)
    br, bz, bn = ttnn.chunk(bb, 3, dim=-1)
    r = ttnn.sigmoid(ar + br)
    z = ttnn.sigmoid(az + bz)
    n = ttnn.tanh(ttnn.add(an, ttnn.mul(r, bn)))
    h = ttnn.lerp(n, h, z)
end()
ttnn.close_device(device)
