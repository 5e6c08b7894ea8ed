# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The ways to shard a tensor, and between them."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
x = ttnn.from_torch(torch.randn(1, 1, 1024, 512), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
rows = ttnn.from_torch(torch.randn(1, 1, 256, 128), dtype=ttnn.bfloat16, device=device)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
height = ttnn.create_sharded_memory_config((1, 1, 1024, 512), ttnn.CoreGrid(y=4, x=8), ttnn.ShardStrategy.HEIGHT)
width = ttnn.create_sharded_memory_config((1, 1, 1024, 512), ttnn.CoreGrid(y=2, x=8), ttnn.ShardStrategy.WIDTH)
block = ttnn.create_sharded_memory_config(
    (128, 64), ttnn.CoreGrid(y=8, x=8), ttnn.ShardStrategy.BLOCK, ttnn.ShardOrientation.ROW_MAJOR,
    use_height_and_width_as_shard_shape=True,
)
a = ttnn.to_memory_config(x, height)
b = ttnn.relu(a)
c = ttnn.add(a, b, memory_config=height)
d = ttnn.to_memory_config(c, width)
e = ttnn.gelu(d)
f = ttnn.to_memory_config(e, block)
g = ttnn.multiply(f, 2.0)
h = ttnn.sharded_to_interleaved(g, ttnn.DRAM_MEMORY_CONFIG)
i = ttnn.interleaved_to_sharded(x, block)
j = ttnn.interleaved_to_sharded(
    x, ttnn.CoreGrid(y=4, x=8) if False else ttnn.CoreCoord(8, 4), [32, 512], ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
    ttnn.ShardOrientation.ROW_MAJOR,
)
k = ttnn.reshard(j, width)
cores = ttnn.num_cores_to_corerangeset(8, ttnn.CoreCoord(8, 8), True)
spec = ttnn.ShardSpec(cores, [32, 128], ttnn.ShardOrientation.ROW_MAJOR)
m = ttnn.to_memory_config(
    rows, ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, spec)
)
n = ttnn.to_memory_config(m, ttnn.L1_MEMORY_CONFIG)
for t in (a, b, c, d, e, f, g):
    ttnn.deallocate(t)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
