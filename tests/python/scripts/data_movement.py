# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Values that change their place."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
x = ttnn.from_torch(torch.randn(2, 4, 64, 96), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
rows = ttnn.from_torch(torch.randn(2, 4, 48, 80), dtype=ttnn.bfloat16, device=device)
ids = ttnn.from_torch(torch.randint(0, 1000, (2, 64)), dtype=ttnn.uint32, device=device)
table = ttnn.from_torch(torch.randn(1000, 256), dtype=ttnn.bfloat16, device=device)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
a = ttnn.permute(x, (0, 2, 1, 3))
b = ttnn.transpose(x, 2, 3)
c = ttnn.transpose(x, 1, 2)
d = ttnn.permute(x, (3, 2, 1, 0))
e = ttnn.slice(x, [0, 0, 0, 0], [1, 4, 32, 96])
f = x[:, 1:3, :32, :]
g = ttnn.concat([x, x], dim=2)
h = ttnn.concat([rows, rows], dim=3)
i = ttnn.pad(x, [(0, 0), (0, 0), (0, 32), (0, 32)], value=0.0)
j = ttnn.repeat(x, ttnn.Shape([1, 2, 1, 1]))
k = ttnn.untilize(x)
m = ttnn.tilize(k)
n = ttnn.to_layout(rows, ttnn.TILE_LAYOUT)
o = ttnn.to_layout(n, ttnn.ROW_MAJOR_LAYOUT)
p = ttnn.reshape(x, (8, 64, 96))
q = ttnn.reshape(x, (2, 4, 96, 64))
r = ttnn.unsqueeze(p, 0)
s = ttnn.squeeze(r, 0)
t = ttnn.unsqueeze_to_4D(p)
u = ttnn.embedding(ids, table)
v = ttnn.embedding(ids, table, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.L1_MEMORY_CONFIG)
w = ttnn.split(x, 32, dim=3)
y = ttnn.clone(x, memory_config=ttnn.L1_MEMORY_CONFIG)
z = ttnn.permute(rows, (0, 1, 3, 2))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
