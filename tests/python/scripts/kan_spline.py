# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A layer of splines in elementwise steps, polyval, minima and maxima."""

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


b, i, o, g = 64, 32, 32, 5
x = tensor(b, i)
base, coef = tensor(i, o), [tensor(i, o) for _ in range(g)]
begin()
y = ttnn.matmul(ttnn.silu(x), base)
for k in range(g):
    c = -1.0 + 2.0 * k / (g - 1)
    u = ttnn.abs(ttnn.mul(ttnn.sub(x, c), 2.0))
    u2 = ttnn.square(u)
    u3 = ttnn.mul(u2, u)
    p1 = ttnn.add(ttnn.sub(ttnn.mul(u3, 0.5), u2), 2.0 / 3.0)
    w = ttnn.rsub(u, 2.0)
    p2 = ttnn.div(ttnn.pow(ttnn.clamp(w, 0.0, 2.0), 3), 6.0)
    basis = ttnn.where(ttnn.lt(u, 1.0), p1, p2)
    basis = ttnn.where(ttnn.gt(u, 2.0), 0.0, basis)
    y = ttnn.add(y, ttnn.matmul(basis, coef[k]))
y = ttnn.polyval(y, [1.0, 0.5, 0.25])
n = ttnn.minimum(ttnn.maximum(y, -1.0), 1.0)
m = ttnn.max(y, dim=-1)
k = ttnn.min(y, dim=0)
end()
ttnn.close_device(device)
