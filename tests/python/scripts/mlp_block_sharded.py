# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""An MLP whose activations are block sharded over the cores, as in the tech reports."""

import sys

import torch
import ttnn

torch.manual_seed(0)
device = ttnn.open_device(device_id=0)
hidden, inner, rows = 512, 2048, 256
grid = ttnn.CoreGrid(y=8, x=8)


def weight(*shape):
    return ttnn.from_torch(torch.randn(*shape) * 0.02, dtype=ttnn.bfloat8_b, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=ttnn.DRAM_MEMORY_CONFIG)


up, up_bias, down, down_bias = weight(hidden, inner), weight(1, inner), weight(inner, hidden), weight(1, hidden)
x = ttnn.from_torch(torch.randn(1, 1, rows, hidden), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                    memory_config=ttnn.L1_MEMORY_CONFIG)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
sharded = ttnn.create_sharded_memory_config(
    shape=(1, 1, rows, hidden), core_grid=grid, strategy=ttnn.ShardStrategy.BLOCK,
    orientation=ttnn.ShardOrientation.ROW_MAJOR,
)
a = ttnn.to_memory_config(x, sharded)
config = ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
    compute_with_storage_grid_size=(8, 8), in0_block_w=2, out_subblock_h=1, out_subblock_w=4, per_core_M=1, per_core_N=8,
    transpose_mcast=False, fused_activation=(ttnn.UnaryOpType.GELU, True),
)
h = ttnn.linear(a, up, bias=up_bias, program_config=config, memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG,
                dtype=ttnn.bfloat8_b)
ttnn.deallocate(a)
y = ttnn.linear(
    h, down, bias=down_bias,
    program_config=ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
        compute_with_storage_grid_size=(8, 8), in0_block_w=8, out_subblock_h=1, out_subblock_w=2, per_core_M=1,
        per_core_N=2, transpose_mcast=False, fused_activation=None,
    ),
    memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG,
)
ttnn.deallocate(h)
out = ttnn.sharded_to_interleaved(y, ttnn.L1_MEMORY_CONFIG)
ttnn.deallocate(y)
z = ttnn.add(x, out, memory_config=ttnn.DRAM_MEMORY_CONFIG)
ttnn.deallocate(out)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
