# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Elementwise operations on some of the cores, as models with prefetchers run them; numbers first, powers without a power,
conditions of integers."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tiles(*shape, dtype=ttnn.bfloat16):
    return ttnn.from_torch(torch.ones(*shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


def rectangle(left, top, right, bottom):
    return ttnn.CoreRange(ttnn.CoreCoord(left, top), ttnn.CoreCoord(right, bottom))


cores = ttnn.CoreRangeSet({rectangle(1, 0, 3, 6), rectangle(5, 0, 6, 6)})
line = ttnn.CoreRangeSet({rectangle(0, 0, 3, 0)})
shards = ttnn.MemoryConfig(
    ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, ttnn.ShardSpec(line, [32, 64], ttnn.ShardOrientation.ROW_MAJOR)
)
a, b, column = tiles(1, 1, 64, 96), tiles(1, 1, 64, 96), tiles(1, 1, 64, 1)
mask = tiles(1, 1, 64, 96, dtype=ttnn.int32)
s = ttnn.to_memory_config(tiles(1, 1, 128, 64), shards)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for op in (ttnn.exp, ttnn.silu, ttnn.gelu, ttnn.rsqrt, ttnn.identity):
    op(a, sub_core_grids=cores)
for op in (ttnn.add, ttnn.mul, ttnn.div, ttnn.eq):
    op(a, b, sub_core_grids=cores)
    op(a, 2.0, sub_core_grids=cores)
    op(a, column, sub_core_grids=cores)
ttnn.add(s, s, sub_core_grids=line)
ttnn.relu(s, sub_core_grids=line)
ttnn.add_(a, b, sub_core_grids=cores)
ttnn.mul_(a, b, sub_device_id=ttnn.SubDeviceId(0))
ttnn.mac(a, b, a, sub_core_grids=cores)
ttnn.where(a, b, 0.0, sub_core_grids=cores)
ttnn.where(a, b, a, sub_core_grids=cores)
ttnn.div(a, b, rounding_mode="floor", sub_core_grids=cores)
ttnn.div(2.0, a)
ttnn.div(2.0, a, rounding_mode="trunc")
ttnn.where(mask, a, b)
ttnn.where(mask, a, 0.5)
ttnn.where(mask, 0.5, b)
ttnn.where(mask, 1.0, 0.0)
ttnn.mac(mask, mask, mask)
ttnn.lerp(mask, mask, mask)
for exponent in (0.0, 1.0, 2.0):
    ttnn.pow(a, exponent)
ttnn.xielu(a)
ttnn.logical_not_(a, memory_config=ttnn.DRAM_MEMORY_CONFIG)
ttnn.unary_chain(a, [ttnn.UnaryWithParam(ttnn.UnaryOpType.ADD_UNARY_SFPU, 1.0), ttnn.UnaryWithParam(ttnn.UnaryOpType.SQUARE)])
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
