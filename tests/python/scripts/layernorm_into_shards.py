# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Norms of interleaved tensors into shards, as Stable Diffusion's transformer blocks write theirs."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def shards(layout, columns, rows, shape):
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, rows - 1))})
    return ttnn.MemoryConfig(layout, ttnn.BufferType.L1, ttnn.ShardSpec(grid, shape, ttnn.ShardOrientation.ROW_MAJOR))


layouts = ttnn.TensorMemoryLayout
weight = ttnn.from_torch(torch.rand(1, 320), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for place in (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG):
    x = ttnn.from_torch(torch.rand(1, 1, 256, 320), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                        memory_config=place)
    for config in (shards(layouts.BLOCK_SHARDED, 5, 8, [32, 64]), shards(layouts.HEIGHT_SHARDED, 8, 1, [32, 320]),
                   shards(layouts.WIDTH_SHARDED, 5, 1, [256, 64])):
        y = ttnn.layer_norm(x, epsilon=1e-5, weight=weight, bias=weight, memory_config=config)
        assert y.memory_config() == config
        del y
        y = ttnn.rms_norm(x, epsilon=1e-5, weight=weight, memory_config=config)
        del y
    del x
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
