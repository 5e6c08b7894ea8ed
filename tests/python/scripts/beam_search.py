# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The best continuations: log probabilities, topk over several cores, gather, sort."""

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


beams, vocab = 4, 1024
logits = tensor(1, 1, 32, vocab)
prev = tensor(1, 1, 32, 1)
begin()
m = ttnn.max(logits, dim=-1, keepdim=True)
lse = ttnn.log(ttnn.sum(ttnn.exp(ttnn.sub(logits, m)), dim=-1, keepdim=True))
lp = ttnn.sub(ttnn.sub(logits, m), lse)
sc = ttnn.add(lp, prev)
vals, idx = ttnn.topk(sc, k=32, dim=-1, largest=True, sorted=True)
best = ttnn.slice(vals, [0, 0, 0, 0], [1, 1, 32, beams])
am = ttnn.argmax(ttnn.to_layout(sc, ttnn.ROW_MAJOR_LAYOUT), dim=-1)
g = ttnn.gather(sc, -1, index=idx)
s, i = ttnn.sort(vals, dim=-1, descending=True)
end()
ttnn.close_device(device)
