# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""T5: a relative bias, norms by hand and by rms_norm, gated GELU."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def indices(high, *shape, layout=ttnn.ROW_MAJOR_LAYOUT):
    return ttnn.from_torch(torch.randint(0, high, shape), dtype=ttnn.uint32, layout=layout, device=device)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


d, h, s, hd = 128, 4, 64, 32
x = tensor(1, s, d)
rel = tensor(32, h, layout=ttnn.ROW_MAJOR_LAYOUT)
bucket = indices(32, 1, s * s)
nw = tensor(1, d)
wq, wk, wv, wo = (tensor(d, h * hd) for _ in range(4))
wi0, wi1, wof = tensor(d, 256), tensor(d, 256), tensor(256, d)


def t5norm(t):
    v = ttnn.mean(ttnn.pow(t, 2), dim=-1, keepdim=True)
    t = ttnn.multiply(t, ttnn.rsqrt(ttnn.add(v, 1e-6)))
    return ttnn.multiply(nw, t)


begin()
bias = ttnn.embedding(bucket, rel, layout=ttnn.ROW_MAJOR_LAYOUT)
bias = ttnn.reshape(bias, (1, s, s, h))
bias = ttnn.permute(bias, (0, 3, 1, 2))
bias = ttnn.to_layout(bias, ttnn.TILE_LAYOUT)
y = t5norm(x)
q, k, v = (ttnn.permute(ttnn.reshape(ttnn.matmul(y, w), (1, s, h, hd)), (0, 2, 1, 3)) for w in (wq, wk, wv))
sc = ttnn.matmul(q, ttnn.transpose(k, -1, -2))
sc = ttnn.add(sc, bias)
p = ttnn.softmax(sc, -1)
c = ttnn.reshape(ttnn.permute(ttnn.matmul(p, v), (0, 2, 1, 3)), (1, s, h * hd))
x = ttnn.add(x, ttnn.matmul(c, wo))
y = ttnn.rms_norm(x, weight=nw)
g = ttnn.gelu(ttnn.matmul(y, wi0))
x = x + ttnn.matmul(ttnn.mul(g, ttnn.matmul(y, wi1)), wof)
end()
ttnn.close_device(device)
