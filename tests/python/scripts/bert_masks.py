# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""BERT: three embeddings, a mask of tokens, attention by hand, layer_norm with a residual, a classifier."""

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


d, h, s, b = 128, 2, 64, 2
tok, typ, posw = tensor(512, d, layout=ttnn.ROW_MAJOR_LAYOUT), tensor(2, d, layout=ttnn.ROW_MAJOR_LAYOUT), tensor(128, d, layout=ttnn.ROW_MAJOR_LAYOUT)
ids, types, pos = indices(512, b, s), indices(2, b, s), indices(128, b, s)
am = tensor(b, 1, 1, s)
lw, lb = tensor(1, d), tensor(1, d)
W = {n: (tensor(d, d), tensor(1, d)) for n in "qkvo"}
w1, b1, w2, b2 = tensor(d, 4 * d), tensor(1, 4 * d), tensor(4 * d, d), tensor(1, d)
pw, pb, cw, cb = tensor(d, d), tensor(1, d), tensor(d, 2), tensor(1, 2)
begin()
e = ttnn.embedding(ids, tok, layout=ttnn.TILE_LAYOUT) + ttnn.embedding(types, typ, layout=ttnn.TILE_LAYOUT)
e = ttnn.add(e, ttnn.embedding(pos, posw, layout=ttnn.TILE_LAYOUT))
x = ttnn.layer_norm(e, weight=lw, bias=lb, epsilon=1e-12)
mask = ttnn.multiply(ttnn.rsub(am, 1.0), -10000.0)


def heads(t):
    t = ttnn.to_layout(t, ttnn.ROW_MAJOR_LAYOUT)
    t = ttnn.reshape(t, (b, s, h, d // h))
    t = ttnn.to_layout(t, ttnn.TILE_LAYOUT)
    return ttnn.permute(t, (0, 2, 1, 3))


for _ in range(1):
    q, k, v = (heads(ttnn.linear(x, W[n][0], bias=W[n][1])) for n in "qkv")
    kt = ttnn.permute(k, (0, 1, 3, 2))
    sc = ttnn.matmul(q, kt)
    pr = ttnn.transformer.attention_softmax_(sc, head_size=d // h, attention_mask=mask)
    c = ttnn.matmul(pr, v)
    c = ttnn.permute(c, (0, 2, 1, 3))
    c = ttnn.reshape(ttnn.to_layout(c, ttnn.ROW_MAJOR_LAYOUT), (b, s, d))
    c = ttnn.to_layout(c, ttnn.TILE_LAYOUT)
    o = ttnn.linear(c, W["o"][0], bias=W["o"][1])
    x = ttnn.layer_norm(ttnn.add(o, x), weight=lw, bias=lb)
    f = ttnn.linear(x, w1, bias=b1)
    f = ttnn.gelu(f, fast_and_approximate_mode=False)
    f = ttnn.linear(f, w2, bias=b2)
    x = ttnn.layer_norm(f, residual_input_tensor=x, weight=lw, bias=lb)
first = x[:, 0:1, :]
pooled = ttnn.tanh(ttnn.linear(first, pw, bias=pb))
logits = ttnn.linear(pooled, cw, bias=cb)
prob = ttnn.softmax(logits, dim=-1)
end()
ttnn.close_device(device)
