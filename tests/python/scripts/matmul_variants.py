# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Products beside matmul: in blocks, split, of one token with its cache, in groups of heads, outer ones."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16):
    return ttnn.zeros(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


grid = ttnn.CoreCoord(8, 8)
a, b, wide = tensor(512, 500), tensor(500, 512), tensor(500, 1536)
batch, blocks, bias = tensor(2, 3, 64, 500), tensor(500, 512, dtype=ttnn.bfloat8_b), tensor(1, 512)
config = ttnn.MinimalMatmulConfig(
    M_block_size=2, K_block_size=8, N_block_size=4, subblock_h=2, subblock_w=2,
    compute_with_storage_grid_size=ttnn.CoreCoord(4, 4),
)
kernels = ttnn.WormholeComputeKernelConfig(
    math_fidelity=ttnn.MathFidelity.HiFi2, math_approx_mode=False, fp32_dest_acc_en=False, packer_l1_acc=True
)
tokens, keys, cache = tensor(1, 16, 32, 64), tensor(32, 1, 64, 128), tensor(32, 1, 256, 64)
scores, groups = tensor(1, 16, 32, 128), tensor(32, 2, 64, 128)
left, right, column = tensor(1, 1, 1, 50), tensor(1, 1, 1, 70), tensor(1, 1, 64, 1)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [
    ttnn.experimental.minimal_matmul(a, b),
    ttnn.experimental.minimal_matmul(batch, blocks, bias_tensor=bias, dtype=ttnn.float32),
    ttnn.experimental.minimal_matmul(a, b, config=config, memory_config=ttnn.L1_MEMORY_CONFIG),
    ttnn.experimental.minimal_matmul(a, b, compute_kernel_config=kernels),
    ttnn.experimental.minimal_matmul_split(a, wide, chunks=3),
    ttnn.experimental.attn_matmul(tokens, keys, compute_with_storage_grid_size=grid, dtype=ttnn.bfloat8_b),
    ttnn.experimental.attn_matmul_from_cache(
        tokens, cache, num_tokens=128, transpose_hw=True, compute_with_storage_grid_size=grid
    ),
    ttnn.experimental.attn_matmul_from_cache(
        scores, cache, num_tokens=128, transpose_hw=False, compute_with_storage_grid_size=grid
    ),
    ttnn.experimental.group_attn_matmul(
        tokens, groups, compute_with_storage_grid_size=grid, memory_config=ttnn.L1_MEMORY_CONFIG
    ),
    ttnn.outer(left, right),
    ttnn.outer(column, right),
]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
del kept
ttnn.close_device(device)
