# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""From interleaved to shards of all kinds and back, moved, cloned, freed."""

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


x = tensor(1, 1, 512, 256)
begin()
a = ttnn.to_memory_config(x, L1)
h = ttnn.interleaved_to_sharded(a, ttnn.create_sharded_memory_config((1, 1, 512, 256), ttnn.CoreGrid(y=4, x=4), ttnn.ShardStrategy.HEIGHT))
b = ttnn.reshard(h, ttnn.create_sharded_memory_config((1, 1, 512, 256), ttnn.CoreGrid(y=4, x=4), ttnn.ShardStrategy.BLOCK))
w = ttnn.to_memory_config(b, ttnn.create_sharded_memory_config((1, 1, 512, 256), ttnn.CoreGrid(y=1, x=8), ttnn.ShardStrategy.WIDTH))
ttnn.deallocate(b)
w2 = ttnn.add(w, 1.0)
w3 = ttnn.mul(w2, w, memory_config=w.memory_config())
h2 = ttnn.exp(h)
h3 = ttnn.add(h2, h)
i = ttnn.sharded_to_interleaved(h3, DRAM)
rm = ttnn.to_layout(i, ttnn.ROW_MAJOR_LAYOUT)
rs = ttnn.to_memory_config(rm, ttnn.create_sharded_memory_config((1, 1, 512, 256), ttnn.CoreGrid(y=2, x=4), ttnn.ShardStrategy.HEIGHT))
ri = ttnn.sharded_to_interleaved(rs)
ttnn.deallocate(a)
m = ttnn.move(ri)
c = ttnn.clone(m, memory_config=L1)
r = ttnn.reallocate(c)
ttnn.deallocate(r, force=True)
ts = ttnn.transpose(h, -2, -1)
end()
ttnn.close_device(device)
