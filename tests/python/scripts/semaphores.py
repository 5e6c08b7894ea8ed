# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Global semaphores beside tensors."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 1))])
begin()
a = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)
first = ttnn.create_global_semaphore(device, cores, 0)
second = ttnn.create_global_semaphore(device, cores, 1)
b = ttnn.relu(a, memory_config=L1)
ttnn.reset_global_semaphore_value(first, 3)
del first
c = ttnn.exp(b, memory_config=L1)
end()

ttnn.close_device(device)
