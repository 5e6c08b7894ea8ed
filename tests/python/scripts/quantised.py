# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Weights and values in block formats, typecasts between all kinds."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1 = ttnn.L1_MEMORY_CONFIG


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = tensor(1, 1, 128, 512)
w8, w4 = tensor(512, 1024, dtype=ttnn.bfloat8_b), tensor(1024, 512, dtype=ttnn.bfloat4_b)
cfg = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.LoFi, math_approx_mode=True, fp32_dest_acc_en=False, packer_l1_acc=True)
begin()
a = ttnn.typecast(x, ttnn.bfloat8_b)
h = ttnn.linear(a, w8, dtype=ttnn.bfloat8_b, compute_kernel_config=cfg, memory_config=L1)
h = ttnn.gelu(h)
y = ttnn.linear(h, w4, dtype=ttnn.bfloat16, compute_kernel_config=cfg, core_grid=ttnn.CoreGrid(y=8, x=8))
f = ttnn.typecast(y, ttnn.float32)
i = ttnn.typecast(f, ttnn.int32)
u = ttnn.typecast(ttnn.abs(y), ttnn.uint32)
u16 = ttnn.typecast(ttnn.abs(y), ttnn.uint16)
b = ttnn.typecast(i, ttnn.bfloat16)
b4 = ttnn.typecast(y, ttnn.bfloat4_b)
z = ttnn.add(y, b4)
z = ttnn.add(z, a, dtype=ttnn.bfloat8_b)
z = ttnn.mul(z, z)
end()
ttnn.close_device(device)
