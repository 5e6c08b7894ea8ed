# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Heads of block-sharded rows that do not fill their last tile, as a sharded vision transformer of 197 tokens has them."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def blocks(shape, columns, rows, orientation=ttnn.ShardOrientation.ROW_MAJOR):
    values = ttnn.from_torch(torch.rand(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    height = shape[0] * ((shape[-2] + 31) // 32 * 32)
    along, across = (rows, columns) if orientation == ttnn.ShardOrientation.ROW_MAJOR else (columns, rows)
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(columns - 1, rows - 1))})
    spec = ttnn.ShardSpec(grid, [height // along, shape[-1] // across], orientation)
    config = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.BLOCK_SHARDED, ttnn.BufferType.L1, spec)
    return ttnn.to_memory_config(values, config)


HEIGHT = ttnn.L1_HEIGHT_SHARDED_MEMORY_CONFIG
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for batch, rows, heads, size, columns, transpose in ((2, 197, 4, 32, 4, True), (2, 50, 2, 64, 2, False), (3, 1, 4, 32, 2, True)):
    x = blocks((batch, rows, 3 * heads * size), columns, batch)
    query, key, value = ttnn.transformer.split_query_key_value_and_split_heads(
        x, num_heads=heads, transpose_key=transpose, memory_config=HEIGHT)
    assert tuple(query.shape) == (batch, heads, rows, size) and tuple(value.shape) == tuple(query.shape)
    assert tuple(key.shape) == ((batch, heads, size, rows) if transpose else tuple(query.shape))
    del query, key, value, x
    x = blocks((batch, 1, rows, 3 * heads * size), columns, batch)
    query, key, value = ttnn.experimental.create_qkv_heads(
        x, num_heads=heads, transpose_k_heads=transpose, memory_config=HEIGHT)
    assert query.shape[2] == query.padded_shape[2]
    del query, key, value, x
x = blocks((3, 1, 50, 128), 3, 2, ttnn.ShardOrientation.COL_MAJOR)
kv = blocks((3, 1, 50, 256), 3, 2, ttnn.ShardOrientation.COL_MAJOR)
query, key, value = ttnn.experimental.create_qkv_heads_from_separate_tensors(
    x, kv, num_heads=4, num_kv_heads=4, transpose_k_heads=True, memory_config=HEIGHT)
assert tuple(key.shape) == (3, 4, 32, 64)
del query, key, value, x, kv
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
