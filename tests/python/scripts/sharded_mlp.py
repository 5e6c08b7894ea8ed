# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""An MLP in blocks, in rows and in columns of shards."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = tensor(1, 1, 256, 512)
w1, w2 = tensor(512, 1024), tensor(1024, 512)
b1 = tensor(1, 1024)
begin()
bs = ttnn.create_sharded_memory_config((1, 1, 256, 512), core_grid=ttnn.CoreGrid(y=4, x=8), strategy=ttnn.ShardStrategy.BLOCK)
hs = ttnn.create_sharded_memory_config((1, 1, 256, 512), core_grid=ttnn.CoreGrid(y=1, x=8), strategy=ttnn.ShardStrategy.HEIGHT)
ws = ttnn.create_sharded_memory_config((1, 1, 256, 512), core_grid=ttnn.CoreGrid(y=2, x=8), strategy=ttnn.ShardStrategy.WIDTH)
a = ttnn.to_memory_config(x, bs)
h = ttnn.linear(a, w1, bias=b1, program_config=ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
    compute_with_storage_grid_size=(8, 4), in0_block_w=2, out_subblock_h=1, out_subblock_w=4, per_core_M=2, per_core_N=4,
    transpose_mcast=False, fused_activation=(ttnn.UnaryOpType.GELU, True)), memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG)
y = ttnn.linear(h, w2, program_config=ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
    compute_with_storage_grid_size=(8, 4), in0_block_w=4, out_subblock_h=1, out_subblock_w=2, per_core_M=2, per_core_N=2,
    transpose_mcast=False, fused_activation=None), memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG)
ttnn.deallocate(h)
y = ttnn.add(y, a, memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG)
z = ttnn.layer_norm(y, program_config=ttnn.LayerNormShardedMultiCoreProgramConfig(
    compute_with_storage_grid_size=(8, 4), subblock_w=2, block_h=2, block_w=2, inplace=False), memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG)
z = ttnn.sharded_to_interleaved(z, L1)
k = ttnn.to_memory_config(z, hs)
k = ttnn.linear(k, w1, memory_config=ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG, program_config=ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(
    compute_with_storage_grid_size=(8, 1), in0_block_w=4, out_subblock_h=1, out_subblock_w=4, per_core_M=1, per_core_N=32,
    fuse_batch=True, fused_activation=None, mcast_in0=False))
k = ttnn.relu(k)
k = ttnn.to_memory_config(k, DRAM)
v = ttnn.to_memory_config(z, ws)
v = ttnn.linear(v, w1, memory_config=ttnn.L1_WIDTH_SHARDED_MEMORY_CONFIG, program_config=ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig(
    compute_with_storage_grid_size=(8, 2), in0_block_w=1, out_subblock_h=2, out_subblock_w=2, per_core_M=8, per_core_N=2,
    fuse_batch=True, fused_activation=None, mcast_in0=True))
v = ttnn.silu(v)
v = ttnn.sharded_to_interleaved(v)
end()
ttnn.close_device(device)
