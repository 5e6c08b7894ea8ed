# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors by their specs."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


spec = ttnn.TensorSpec((1, 1, 64, 64), ttnn.bfloat16, ttnn.TILE_LAYOUT, buffer_type=ttnn.BufferType.L1)
cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))])
sharded = ttnn.TensorSpec(
    (1, 1, 64, 64), ttnn.bfloat16, ttnn.TILE_LAYOUT, ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
    ttnn.ShardSpec(cores, [32, 64], ttnn.ShardOrientation.ROW_MAJOR), ttnn.BufferType.L1)
begin()
a = ttnn.from_torch(torch.ones(1, 1, 64, 64, dtype=torch.bfloat16), spec=spec, device=device)
b = ttnn.from_torch(torch.ones(1, 1, 64, 64, dtype=torch.bfloat16), spec=sharded, device=device)
c = ttnn.allocate_tensor_on_device(sharded, device)
d = ttnn.relu(b)
e = ttnn.to_memory_config(d, a.memory_config())
f = ttnn.allocate_tensor_on_device(a.spec, device)
g = ttnn.add(a, e, memory_config=a.memory_config())
host = ttnn.from_torch(torch.ones(1, 1, 64, 64, dtype=torch.bfloat16), spec=sharded)
h = ttnn.to_device(host, device)
end()

ttnn.close_device(device)
