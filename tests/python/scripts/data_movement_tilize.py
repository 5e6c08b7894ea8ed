# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""From rows to tiles and back by hand, on few cores, into tensors that are there; views; parts of tensors; empty ones."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.zeros(shape, dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def rows(*shape, dtype=ttnn.bfloat16):
    return tensor(*shape, dtype=dtype, layout=ttnn.ROW_MAJOR_LAYOUT)


def shards(cores, height, width):
    grid = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(cores - 1, 0))])
    spec = ttnn.ShardSpec(grid, [height, width], ttnn.ShardOrientation.ROW_MAJOR)
    return ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, spec)


six = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(1, 1), ttnn.CoreCoord(2, 3))])
ten = ttnn.CoreRangeSet(
    [
        ttnn.CoreRange(ttnn.CoreCoord(1, 1), ttnn.CoreCoord(2, 3)),
        ttnn.CoreRange(ttnn.CoreCoord(4, 4), ttnn.CoreCoord(5, 5)),
    ]
)
x, wide, x_rows, broken = tensor(1, 1, 64, 64), tensor(1, 1, 64, 4096), rows(1, 1, 256, 128), rows(1, 1, 50, 100)
part, copied, cast = tensor(1, 1, 32, 32), tensor(1, 1, 64, 64), tensor(1, 1, 64, 64, dtype=ttnn.float32)
narrow, whole = shards(2, 32, 64), shards(1, 64, 64)
in_shards, elsewhere = ttnn.to_memory_config(x, narrow), ttnn.to_memory_config(x, whole)
ids, table, looked_up = rows(2, 40, dtype=ttnn.uint32), rows(64, 96), rows(2, 40, 96)
tiled_ids = tensor(2, 40, dtype=ttnn.uint32)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [
    ttnn.tilize(x_rows, use_multicore=False),
    ttnn.tilize(x_rows, use_low_perf=True),
    ttnn.tilize(x_rows, sub_core_grids=six),
    ttnn.tilize(rows(1, 1, 320, 64), sub_core_grids=ten),
    ttnn.tilize(rows(1, 1, 64, 4096), sub_core_grids=six),
    ttnn.tilize(rows(1, 1, 64, 12320), use_multicore=False),
    ttnn.tilize_with_val_padding(broken, [1, 1, 128, 192], 1.0),
    ttnn.tilize_with_val_padding(broken, [1, 1, 64, 128], 1.0, sub_core_grids=six),
    ttnn.tilize_with_zero_padding(broken),
    ttnn.tilize_with_zero_padding(broken, use_multicore=False),
    ttnn.tilize_with_zero_padding(rows(1, 1, 64, 16383), use_multicore=False),
    ttnn.untilize(x, use_multicore=False),
    ttnn.untilize(tensor(1, 1, 32, 512, dtype=ttnn.float32), sub_core_grids=ten),
    ttnn.untilize_with_unpadding(x, [0, 0, 60, 40]),
    ttnn.untilize_with_unpadding(x, [0, 0, 63, 63], use_multicore=False),
    ttnn.untilize_with_unpadding(wide, [0, 0, 60, 4090], sub_core_grids=ten),
    ttnn.untilize_with_unpadding(tensor(2, 3, 50, 100), [1, 1, 49, 99]),
    ttnn.to_layout(x_rows, ttnn.TILE_LAYOUT, sub_core_grids=six),
    ttnn.to_layout(broken, ttnn.TILE_LAYOUT, pad_value=3.0),
    ttnn.reshape(rows(1, 1, 30, 128), [1, 1, 60, 64], sub_core_grids=six),
    ttnn.reshape(x, ttnn.Shape([1, 1, 64, 64]), ttnn.Shape([1, 1, 64, 64])),
    ttnn.view(x, [1, 2, 32, 64]),
    ttnn.experimental.view(x, [64, 64]),
    ttnn.reshape_on_device(x, 1, 1, 128, 32),
    ttnn.reshape_on_device(x_rows, 1, 1, -1, 256),
    ttnn.squeeze(x, [0, 1]),
    ttnn.slice(x, [0, 0, 0, 0], [1, 1, 32, 32], output_tensor=part),
    ttnn.slice(x, [0, 0, 5, 0], [1, 1, 37, 32], output_tensor=part),
    ttnn.slice(x, [0, 0, 0, 0], [1, 1, 64, 64], output_tensor=copied),
    ttnn.slice(x, [0, 0, -32, 0], [1, 1, -1, 32]),
    ttnn.slice(x, [0, 0, 0, 0], [1, 1, 0, 64]),
    ttnn.slice(tensor(1, 1, 60, 64), [0, 0, 0, 0], [1, 1, 40, 64], pad_value=2.0),
    ttnn.slice(x, [0, 0, 0, 0], [1, 1, 64, 32], sub_core_grids=six),
    ttnn.slice(x_rows, [0, 0, 3, 0], [1, 1, 33, 32], sub_core_grids=six),
    ttnn.concat([x, x], 3, sub_core_grids=six),
    ttnn.typecast(x, ttnn.float32, output_tensor=cast),
    ttnn.typecast(x, ttnn.bfloat16, ttnn.float32),
    ttnn.typecast(x, ttnn.float32, sub_core_grids=six),
    ttnn.reshard(in_shards, whole, elsewhere),
    ttnn.to_memory_config(x, ttnn.DRAM_MEMORY_CONFIG, ttnn.float32, cast),
    ttnn.interleaved_to_sharded(x, whole, preallocated_output=elsewhere),
    ttnn.embedding(ids, table, output_tensor=looked_up),
    ttnn.embedding(tiled_ids, table),
    ttnn.embedding(tiled_ids, table, layout=ttnn.TILE_LAYOUT, padding_idx=3),
    ttnn.pad(broken, [1, 1, 96, 128], [0, 0, 8, 16], 0.0),
    ttnn.pad(x, [(0, 32), (0, 32)], 0.0, sub_core_grids=six),
    ttnn.pad(x, [(0, 32), (0, 32)], 0.0, use_multicore=False),
    ttnn.copy(x, cast),
    ttnn.relu(tensor(1, 1, 0, 64)),
]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
