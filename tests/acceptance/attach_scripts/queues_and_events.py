# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Two command queues, an event, semaphores, host copies."""

import os
import sys

import ttnn

L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin(mode=None):
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, mode or sys.argv[2]))


def end(name=None):
    ttnn.graph.end_graph_capture_to_file(os.path.join(os.path.dirname(sys.argv[1]), name) if name else sys.argv[1])


def tiles(*shape, device, dtype=ttnn.bfloat16, memory_config=L1):
    return ttnn.ones(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


device = ttnn.open_device(device_id=0, num_command_queues=2)
a = tiles(1, 1, 64, 64, device=device)
host = ttnn.from_device(tiles(1, 1, 64, 64, device=device))
begin()
ttnn.copy_host_to_device_tensor(host, a, cq_id=1)
ttnn.record_event(device, 1)
b = ttnn.add(a, a, memory_config=L1)
with ttnn.command_queue(1):
    c = ttnn.zeros([1, 1, 32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1)
grid = device.compute_with_storage_grid_size()
cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(grid.x - 1, grid.y - 1))})
semaphore = ttnn.create_global_semaphore(device, cores, 0)
e = ttnn.add(b, a, memory_config=DRAM)
ttnn.from_device(e)
ttnn.synchronize_device(device)
end()
ttnn.close_device(device)
