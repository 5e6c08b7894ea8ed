# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""float32 and integers through the common operations."""

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


x, y = tensor(2, 96, 160, dtype=ttnn.float32), tensor(2, 96, 160, dtype=ttnn.float32)
w = tensor(160, 64, dtype=ttnn.float32)
i = indices(50, 2, 96, layout=ttnn.TILE_LAYOUT)
begin()
a = ttnn.add(x, y)
b = ttnn.matmul(a, w)
c = ttnn.softmax(b, dim=-1)
d = ttnn.layer_norm(x)
e = ttnn.sum(x, dim=1)
f = ttnn.mean(x, dim=-1, keepdim=True)
g = ttnn.max(x, dim=-1)
h = ttnn.transpose(x, 1, 2)
j = ttnn.reshape(x, (1, 192, 160))
k = ttnn.concat([x, y], dim=2)
l = ttnn.where(ttnn.gt(x, y), x, y)
m = ttnn.pow(ttnn.abs(x), 1.5)
n = ttnn.typecast(i, ttnn.float32)
o = ttnn.eq(i, 3)
p = ttnn.add(i, i)
q = ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT)
r = ttnn.slice(q, (0, 5, 0), (2, 90, 160))
s = ttnn.linear(x, w, bias=tensor(1, 64, dtype=ttnn.float32), activation="relu")
t = ttnn.rms_norm(x, weight=tensor(1, 160, dtype=ttnn.float32))
end()
ttnn.close_device(device)
