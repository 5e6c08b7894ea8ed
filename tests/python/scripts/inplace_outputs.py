# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""In-place forms, output tensors, operators."""

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


a, b = tensor(1, 1, 64, 128), tensor(1, 1, 64, 128)
row = tensor(1, 1, 1, 128)
out = tensor(1, 1, 64, 128, memory_config=ttnn.L1_MEMORY_CONFIG)
begin()
ttnn.add_(a, b)
ttnn.multiply_(a, 2.0)
ttnn.subtract_(a, row)
ttnn.relu(a, output_tensor=a)
a += b
a = a - 1
a *= b
ttnn.add(a, b, output_tensor=out)
ttnn.mul(a, b, output_tensor=out, activations=[ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)])
ttnn.exp(out, output_tensor=out)
ttnn.where(a, b, out, output_tensor=out)
ttnn.div(a, b, output_tensor=out)
c = 1.0 / b
c = 2.0 - b
c = ttnn.neg(b)
c = ttnn.pow(b, 2)
d = a @ ttnn.transpose(b, -2, -1)
e = a > b
e = ttnn.logical_and(a, b)
f = ttnn.ne(a, 0.0)
g = ttnn.isnan(a)
ttnn.copy(a, out)
ttnn.gelu(a, output_tensor=out)
ttnn.matmul(a, ttnn.transpose(b, -2, -1), optional_output_tensor=d)
ttnn.fill(a, 3.0)
ttnn.softmax_in_place(a)
end()
ttnn.close_device(device)
