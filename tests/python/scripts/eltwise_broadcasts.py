# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Many elementwise operations: broadcasting, numbers, types, outputs given, in place."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def random(*shape, dtype=ttnn.bfloat16):
    return ttnn.from_torch(torch.rand(*shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


a, row, column, one = random(2, 1, 64, 128), random(1, 1, 1, 128), random(2, 1, 64, 1), random(1, 1, 1, 1)
f = random(2, 1, 64, 128, dtype=ttnn.float32)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for op in (ttnn.add, ttnn.sub, ttnn.mul, ttnn.div, ttnn.maximum, ttnn.minimum):
    for other in (row, column, one):
        op(a, other)
for op in (ttnn.gt, ttnn.lt, ttnn.ge, ttnn.le, ttnn.eq, ttnn.ne):
    op(a, 0.5)
    op(a, row)
x = ttnn.add(a, 1)
x = 2 * a - 1
x = a / 2
for op in (ttnn.relu, ttnn.gelu, ttnn.silu, ttnn.sigmoid, ttnn.tanh, ttnn.exp, ttnn.log, ttnn.sqrt, ttnn.rsqrt, ttnn.abs,
           ttnn.neg, ttnn.square, ttnn.reciprocal, ttnn.sin, ttnn.cos, ttnn.floor, ttnn.ceil, ttnn.sign, ttnn.relu6,
           ttnn.mish, ttnn.hardswish, ttnn.erf, ttnn.log1p, ttnn.expm1, ttnn.logical_not, ttnn.isnan):
    y = op(a, memory_config=ttnn.L1_MEMORY_CONFIG)
p = ttnn.pow(a, 2.0)
c = ttnn.clamp(a, min=0.1, max=0.9)
w = ttnn.where(ttnn.gt(a, 0.5), a, 0.0)
s = ttnn.leaky_relu(a, negative_slope=0.1)
e = ttnn.elu(a, alpha=1.0)
ttnn.add(a, a, output_tensor=x)
ttnn.add_(x, 1.0)
ttnn.multiply_(x, a)
k = ttnn.add(a, a, dtype=ttnn.bfloat8_b)
g = ttnn.mul(f, 2.0)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
