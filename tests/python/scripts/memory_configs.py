# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A tensor on its way through host and device, layouts, types, shards on a ragged set of cores."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
cores = ttnn.CoreRangeSet({
    ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 1)),
    ttnn.CoreRange(ttnn.CoreCoord(0, 2), ttnn.CoreCoord(1, 2)),
})
shards = ttnn.ShardSpec(cores, [64, 64], ttnn.ShardOrientation.ROW_MAJOR)
sharded = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, shards)
values = torch.randn(1, 1, 640, 64)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
host = ttnn.from_torch(values, dtype=ttnn.bfloat16)
tiles = ttnn.to_layout(host, ttnn.TILE_LAYOUT)
a = ttnn.to_device(tiles, device, memory_config=sharded)
b = ttnn.to_memory_config(a, ttnn.DRAM_MEMORY_CONFIG)
c = ttnn.to_layout(b, ttnn.ROW_MAJOR_LAYOUT)
d = ttnn.typecast(b, ttnn.bfloat8_b)
e = ttnn.typecast(b, ttnn.float32)
f = ttnn.clone(b, memory_config=ttnn.L1_MEMORY_CONFIG, dtype=ttnn.bfloat16)
g = ttnn.interleaved_to_sharded(f, cores, [64, 64], ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.ShardOrientation.ROW_MAJOR)
h = ttnn.from_device(g)
i = ttnn.ones_like(b)
j = ttnn.full((2, 33, 45), 1.5, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
k = ttnn.arange(0, 128, 2, dtype=ttnn.bfloat16, device=device)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
