# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""BERT in shards: norms, products and sums in blocks."""

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


x = tensor(1, 1, 384, 1024)
w, b = tensor(1, 1, 1, 1024), tensor(1, 1, 1, 1024)
w1, w2 = tensor(1024, 1024), tensor(1024, 1024)
begin()
cfg = ttnn.create_sharded_memory_config(x.shape, core_grid=ttnn.CoreGrid(y=6, x=8), strategy=ttnn.ShardStrategy.BLOCK)
a = ttnn.interleaved_to_sharded(x, cfg)
pc = ttnn.LayerNormShardedMultiCoreProgramConfig(compute_with_storage_grid_size=(8, 6), subblock_w=4, block_h=2, block_w=4, inplace=False)
n = ttnn.layer_norm(a, weight=w, bias=b, epsilon=1e-12, program_config=pc, memory_config=cfg)
m = ttnn.rms_norm(a, weight=w, program_config=pc, memory_config=cfg)
h = ttnn.linear(n, w1, memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG, core_grid=ttnn.CoreGrid(y=6, x=8), dtype=ttnn.bfloat16)
g = ttnn.gelu(h)
o = ttnn.linear(g, w2, memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG, core_grid=ttnn.CoreGrid(y=6, x=8))
o = ttnn.add(o, a, memory_config=ttnn.L1_BLOCK_SHARDED_MEMORY_CONFIG)
i = ttnn.sharded_to_interleaved(o, DRAM)
s = ttnn.softmax(i, dim=-1)
end()
ttnn.close_device(device)
