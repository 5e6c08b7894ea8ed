# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""GPT-2: token and position embeddings, two blocks, logits, the most likely token."""

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


n, d, h, s = 1, 256, 4, 64
ln1w, ln1b, ln2w, ln2b = (tensor(1, d) for _ in range(4))
wqkv, bqkv, wo, bo = tensor(d, 3 * d), tensor(1, 3 * d), tensor(d, d), tensor(1, d)
w1, b1, w2, b2 = tensor(d, 4 * d), tensor(1, 4 * d), tensor(4 * d, d), tensor(1, d)
wte, wpe = tensor(1024, d, layout=ttnn.ROW_MAJOR_LAYOUT), tensor(128, d, layout=ttnn.ROW_MAJOR_LAYOUT)
ids, pos = indices(1024, 1, s), indices(128, 1, s)
mask = tensor(1, 1, s, s)
begin()
x = ttnn.embedding(ids, wte, layout=ttnn.TILE_LAYOUT)
p = ttnn.embedding(pos, wpe, layout=ttnn.TILE_LAYOUT)
x = ttnn.add(x, p)
ttnn.deallocate(p)
for _ in range(2):
    y = ttnn.layer_norm(x, weight=ln1w, bias=ln1b, epsilon=1e-5)
    qkv = ttnn.linear(y, wqkv, bias=bqkv)
    ttnn.deallocate(y)
    q, k, v = ttnn.transformer.split_query_key_value_and_split_heads(qkv, num_heads=h)
    ttnn.deallocate(qkv)
    scores = ttnn.matmul(q, k)
    scores = ttnn.multiply(scores, (d // h) ** -0.5)
    scores = scores + mask
    probs = ttnn.softmax(scores, dim=-1)
    ctx = ttnn.matmul(probs, v)
    ctx = ttnn.transformer.concatenate_heads(ctx)
    out = ttnn.linear(ctx, wo, bias=bo)
    x = ttnn.add(x, out)
    y = ttnn.layer_norm(x, weight=ln2w, bias=ln2b, epsilon=1e-5)
    ff = ttnn.linear(y, w1, bias=b1, activation="gelu")
    ff = ttnn.linear(ff, w2, bias=b2)
    x = x + ff
logits = ttnn.matmul(x, ttnn.transpose(ttnn.to_layout(wte, ttnn.TILE_LAYOUT), -2, -1))
last = ttnn.slice(logits, [0, s - 1, 0], [1, s, 1024])
nxt = ttnn.argmax(last, dim=-1)
end()
ttnn.close_device(device)
