# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Products with every kind of program config, and without."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


a, b = tensor(1, 1, 512, 512), tensor(1, 1, 512, 1024)
batched, other = tensor(4, 8, 128, 64), tensor(4, 8, 64, 128)
small, bias = tensor(512, 1024, dtype=ttnn.bfloat8_b), tensor(1, 1024)
narrow = tensor(1, 1, 32, 512, memory_config=ttnn.L1_MEMORY_CONFIG)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
c = ttnn.matmul(a, b)
d = a @ b
e = ttnn.matmul(a, b, core_grid=ttnn.CoreGrid(y=4, x=4), memory_config=ttnn.L1_MEMORY_CONFIG)
f = ttnn.matmul(batched, other)
g = ttnn.matmul(batched, batched, transpose_b=True, memory_config=ttnn.L1_MEMORY_CONFIG)
h = ttnn.linear(a, small, bias=bias, activation="relu")
i = ttnn.linear(a, small, bias=bias, dtype=ttnn.bfloat8_b, memory_config=ttnn.L1_MEMORY_CONFIG,
                core_grid=ttnn.CoreGrid(y=8, x=8))
j = ttnn.matmul(
    narrow, b,
    program_config=ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(
        compute_with_storage_grid_size=(8, 4), in0_block_w=4, out_subblock_h=1, out_subblock_w=1, per_core_M=1,
        per_core_N=1, fuse_batch=True, fused_activation=None, mcast_in0=True,
    ),
    memory_config=ttnn.L1_MEMORY_CONFIG,
)
k = ttnn.matmul(
    a, b,
    program_config=ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
        compute_with_storage_grid_size=(8, 8), in0_block_w=2, out_subblock_h=2, out_subblock_w=4, per_core_M=2,
        per_core_N=4, transpose_mcast=False, fused_activation=None,
    ),
)
m = ttnn.matmul(
    batched, other,
    program_config=ttnn.MatmulMultiCoreReuseProgramConfig(
        compute_with_storage_grid_size=(8, 4), in0_block_w=2, out_subblock_h=4, out_subblock_w=1, per_core_M=4,
        per_core_N=4,
    ),
)
n = ttnn.linear(
    a, b, bias=bias, compute_kernel_config=ttnn.WormholeComputeKernelConfig(
        math_fidelity=ttnn.MathFidelity.HiFi2, math_approx_mode=False, fp32_dest_acc_en=True, packer_l1_acc=True,
    ),
)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
