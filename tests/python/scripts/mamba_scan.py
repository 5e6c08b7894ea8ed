# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A state space model: a scan in elementwise steps, cumsum."""

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


b, l, d, n = 1, 8, 64, 16
x, dt = tensor(b, l, d), tensor(b, l, d)
A = tensor(d, n)
B, C = tensor(b, l, n), tensor(b, l, n)
D = tensor(1, d)
begin()
dt = ttnn.softplus(dt)
negA = ttnn.neg(ttnn.exp(A))
state = ttnn.zeros((b, d, n), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
ys = []
for i in range(4):
    dti = ttnn.reshape(ttnn.slice(dt, [0, i, 0], [b, i + 1, d]), (b, d, 1))
    xi = ttnn.reshape(ttnn.slice(x, [0, i, 0], [b, i + 1, d]), (b, d, 1))
    Bi = ttnn.slice(B, [0, i, 0], [b, i + 1, n])
    Ci = ttnn.slice(C, [0, i, 0], [b, i + 1, n])
    dA = ttnn.exp(ttnn.mul(dti, negA))
    dBx = ttnn.matmul(ttnn.mul(dti, xi), Bi)
    state = ttnn.add(ttnn.mul(state, dA), dBx)
    y = ttnn.sum(ttnn.mul(state, Ci), dim=-1)
    ys.append(ttnn.reshape(y, (b, 1, d)))
y = ttnn.concat(ys, dim=1)
y = ttnn.add(y, ttnn.mul(ttnn.slice(x, [0, 0, 0], [b, 4, d]), D))
c = ttnn.cumsum(x, dim=1)
y = y * ttnn.silu(ttnn.slice(x, [0, 4, 0], [b, 8, d]))
end()
ttnn.close_device(device)
