# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Small operations of models: counters, filled slices, bits, broadcasts by dimension, scattered sums, heads."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device)


def rows(*shape, dtype=ttnn.bfloat16):
    return tensor(*shape, dtype=dtype, layout=ttnn.ROW_MAJOR_LAYOUT)


one_core = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(1, 1), ttnn.CoreCoord(2, 2))])
counter, counters = rows(32, dtype=ttnn.int32), rows(4, 70, dtype=ttnn.uint32)
ids = rows(1, 1, 1, 2, dtype=ttnn.uint32)
tiles, replaced = tensor(4, 3, 32, 64), tensor(2, 3, 32, 64)
lines, lines_replaced = rows(4, 3, 32, 64), rows(4, 2, 32, 64)
numbers = tensor(32, 64, dtype=ttnn.float32)
a, row, column, one = tensor(2, 3, 60, 50), tensor(1, 1, 1, 50), tensor(2, 3, 60, 1), tensor(1, 1, 1, 1)
blocks, whole_row = tensor(2, 3, 64, 64, dtype=ttnn.bfloat8_b), tensor(1, 1, 1, 64)
into, index, source = rows(32, 64), rows(32, 16, dtype=ttnn.int32), rows(32, 16)
falcon, vit, rotated = tensor(1, 1, 64, 4672), tensor(2, 1, 224, 2304), tensor(2, 4, 64, 128)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [
    ttnn.plus_one(counter),
    ttnn.plus_one(counters, sub_core_grids=one_core, skip_negative_entries=True),
    ttnn.indexed_fill(ids, tiles, replaced),
    ttnn.indexed_fill(ids, lines, lines_replaced, memory_config=ttnn.L1_MEMORY_CONFIG, dim=1),
    ttnn.fill_rm(2, 3, 64, 64, 33, 31, lines, 1.5, 0.5),
    ttnn.fill_ones_rm(1, 1, 32, 32, 2, 2, lines, memory_config=ttnn.L1_MEMORY_CONFIG),
    ttnn.bitcast(numbers, ttnn.uint32),
    ttnn.bcast(a, row, ttnn.BcastOpMath.MUL, ttnn.BcastOpDim.H),
    ttnn.bcast(a, column, ttnn.BcastOpMath.SUB, ttnn.BcastOpDim.W),
    ttnn.bcast(a, one, ttnn.BcastOpMath.ADD, ttnn.BcastOpDim.HW, memory_config=ttnn.L1_MEMORY_CONFIG),
    ttnn.bcast(blocks, whole_row, ttnn.BcastOpMath.ADD, ttnn.BcastOpDim.H),
    ttnn.scatter_add(into, -1, index, source),
    ttnn.scatter(into, -1, index, source, reduce="multiply"),
    ttnn.experimental.nlp_create_qkv_heads_falcon7b(falcon),
    ttnn.experimental.nlp_create_qkv_heads_vit(vit, memory_config=ttnn.L1_MEMORY_CONFIG),
    ttnn.experimental.rotate_half(rotated),
    ttnn.experimental.typecast(rotated, ttnn.bfloat8_b),
]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
del kept
ttnn.close_device(device)
