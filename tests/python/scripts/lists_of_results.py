# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Operations that give several tensors, taken apart."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = ttnn.from_torch(torch.randn(1, 1, 64, 192, dtype=torch.bfloat16), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
begin()
q, k, v = ttnn.split(x, 64, dim=3)
values, indices = ttnn.topk(x, k=32, dim=-1)
first, *rest = ttnn.chunk(x, 3, dim=-1)
del rest
largest = ttnn.max(x, dim=-1, keepdim=True)
where = ttnn.argmax(ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT), dim=-1)
lowest = ttnn.min(x, dim=3)
scores = ttnn.matmul(q, ttnn.permute(k, (0, 1, 3, 2)))
out = ttnn.matmul(ttnn.softmax(scores, dim=-1), v)
end()

ttnn.close_device(device)
