# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A layer whose activations are kept as integers by scale and zero point, gated with limits."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tiles(*shape, dtype=ttnn.bfloat16):
    return ttnn.from_torch(torch.rand(*shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 0))})
shards = ttnn.MemoryConfig(
    ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, ttnn.ShardSpec(cores, [32, 64], ttnn.ShardOrientation.ROW_MAJOR)
)
x, up, weight = tiles(1, 1, 64, 96), tiles(1, 1, 64, 128), tiles(96, 128)
blocks, real = tiles(1, 1, 64, 96, dtype=ttnn.bfloat8_b), tiles(1, 2, 50, 70, dtype=ttnn.float32)
s = ttnn.to_memory_config(tiles(1, 1, 128, 64), shards)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
q = ttnn.quantize(x, 0.05, 3)
q = ttnn.requantize(q, 0.05, 3, 0.1, 0, memory_config=ttnn.L1_MEMORY_CONFIG)
y = ttnn.dequantize(q, 0.1, 0)
z = ttnn.clamped_silu_glu(ttnn.matmul(y, weight), up, 7.0)
z = ttnn.clamped_silu_glu(up, up, 7.0, memory_config=ttnn.L1_MEMORY_CONFIG)
b = ttnn.quantize(blocks, 0.05, 3)
f = ttnn.dequantize(ttnn.quantize(real, 0.1, 1, dtype=ttnn.uint8), 0.1, 1, dtype=ttnn.float32)
t = ttnn.dequantize(ttnn.quantize(s, 0.1, 1), 0.1, 1)
ttnn.quantize(x, 0.05, 3, output_tensor=q)
g = ttnn.multigammaln(x)
g = ttnn.multigammaln(real, memory_config=ttnn.L1_MEMORY_CONFIG)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
