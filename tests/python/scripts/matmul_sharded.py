# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Matrix products of height and width sharded operands, shards rearranged between."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def random(*shape):
    return ttnn.from_torch(torch.randn(*shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


a, b = random(1, 1, 1024, 256), random(1, 1, 256, 512)
n, m = random(1, 1, 32, 2048), random(1, 1, 2048, 512)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
by_height = ttnn.create_sharded_memory_config(
    a.shape, core_grid=ttnn.CoreGrid(y=4, x=8), strategy=ttnn.ShardStrategy.HEIGHT,
    orientation=ttnn.ShardOrientation.ROW_MAJOR,
)
tall = ttnn.to_memory_config(a, by_height)
y1 = ttnn.matmul(tall, b, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG)
r = ttnn.relu(y1)
in_blocks = ttnn.create_sharded_memory_config((1, 1, 1024, 512), core_grid=ttnn.CoreGrid(y=8, x=4),
                                              strategy=ttnn.ShardStrategy.BLOCK)
rb = ttnn.reshard(r, in_blocks)
i = ttnn.sharded_to_interleaved(rb, ttnn.DRAM_MEMORY_CONFIG)
by_width = ttnn.create_sharded_memory_config(n.shape, core_grid=ttnn.CoreGrid(y=2, x=8), strategy=ttnn.ShardStrategy.WIDTH)
wide = ttnn.interleaved_to_sharded(n, by_width)
config = ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(
    compute_with_storage_grid_size=(8, 2), in0_block_w=4, out_subblock_h=1, out_subblock_w=1, per_core_M=1, per_core_N=1,
    fuse_batch=True, fused_activation=None, mcast_in0=True,
)
y2 = ttnn.matmul(wide, m, program_config=config, memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
