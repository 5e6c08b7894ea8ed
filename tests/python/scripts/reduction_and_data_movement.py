# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Running sums and products, spreads, products, sorted, stacked, rolled, expanded tensors."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1 = ttnn.L1_MEMORY_CONFIG


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def indices(high, *shape, layout=ttnn.ROW_MAJOR_LAYOUT):
    return ttnn.from_torch(torch.randint(0, high, shape), dtype=ttnn.uint32, layout=layout, device=device)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = tensor(2, 3, 64, 96)
m = tensor(64, 200)
row = tensor(1, 1, 1, 64)
begin()
a = ttnn.cumsum(x, dim=-1)
a = ttnn.cumsum(x, dim=1)
a = ttnn.cumsum(m, dim=0, dtype=ttnn.float32)
a = ttnn.cumprod(m, dim=-1)
a = ttnn.cumsum(x, dim=2, reverse_order=True)
b = ttnn.var(x, dim=-1)
b = ttnn.var(x, dim=1, keepdim=True)
b = ttnn.std(m)
b = ttnn.std(x, dim=[1, 2], keepdim=True)
b = ttnn.var(m, dim=0, keepdim=True)
c = ttnn.prod(x, dim=-1)
c = ttnn.prod(x, dim=1, keepdim=True)
c = ttnn.prod(m)
d, e = ttnn.sort(m, dim=-1)
d, e = ttnn.sort(x, dim=2, descending=True)
f = ttnn.gather(m, -1, index=indices(200, 64, 32, layout=ttnn.TILE_LAYOUT))
g = ttnn.scatter(m, -1, indices(200, 64, 32, layout=ttnn.TILE_LAYOUT), tensor(64, 32))
h = ttnn.stack([m, m], dim=0)
h = ttnn.stack([m, m], dim=-2)
i = ttnn.roll(x, 5, 2)
i = ttnn.roll(x, [1, 2], [1, 3])
j = ttnn.expand(row, (2, 3, 32, 64))
j = ttnn.expand(m, (4, -1, 200))
k = ttnn.repeat_interleave(x, 2, dim=1)
k = ttnn.repeat_interleave(x, 3, dim=-1)
l = ttnn.tril(x, diagonal=-2)
n = ttnn.triu(m, memory_config=L1)
o = ttnn.l1_loss(x, x, reduction=ttnn.LossReductionMode.SUM)
p = ttnn.mse_loss(m, m, reduction=ttnn.LossReductionMode.MEAN)
q = ttnn.addmm(tensor(64, 64), m, tensor(200, 64), alpha=0.5, beta=2.0)
r = ttnn.rand((2, 3, 70, 32), device, low=-1.0, high=1.0)
s = ttnn.randn((64, 64), device, layout=ttnn.ROW_MAJOR_LAYOUT)
t = ttnn.pad(tensor(1, 2, 50, 70), [(0, 0), (0, 0), (0, 50), (0, 0)], 0.0)
u = ttnn.sharded_to_interleaved(x)
v = ttnn.assign(x, memory_config=L1)
end()
ttnn.close_device(device)
