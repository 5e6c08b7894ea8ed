# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Reshapes with the padded shape beside the logical one: rows of tiles taken for padding, and back, as decoders do with users."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tiled(shape, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.rand(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


shards = ttnn.create_sharded_memory_config((32, 256), ttnn.CoreGrid(y=1, x=8), ttnn.ShardStrategy.WIDTH)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for memory_config in (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG, shards):
    rows = tiled((1, 1, 32, 256), memory_config)
    one = ttnn.reshape(rows, (1, 1, 1, 256), (1, 1, 32, 256))
    doubled = ttnn.add(one, one)
    back = ttnn.reshape(doubled, (1, 1, 32, 256), (1, 1, 32, 256))
    assert tuple(back.shape) == (1, 1, 32, 256) and tuple(one.padded_shape) == (1, 1, 32, 256)
    del rows, one, doubled, back
for before, after, padded in (
    ((1, 2, 32, 64), (1, 1, 33, 64), (1, 1, 64, 64)),
    ((1, 1, 64, 64), (1, 2, 3, 64), (1, 2, 32, 64)),
    ((1, 1, 32, 64), (1, 1, 1, 60), (1, 1, 32, 64)),
    ((1, 2, 32, 64), (1, 1, 32, 64), (1, 1, 32, 64)),
):
    source = tiled(before)
    view = ttnn.reshape(source, after, padded)
    assert (tuple(view.shape), tuple(view.padded_shape)) == (after, padded)
    result = ttnn.relu(view)
    del source, view, result
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
