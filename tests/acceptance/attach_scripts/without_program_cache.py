# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that are never kept, kept, and forgotten."""

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


device = ttnn.open_device(device_id=0)
a = tiles(1, 1, 128, 128, device=device)


def work():
    ttnn.deallocate(ttnn.add(ttnn.matmul(a, a, memory_config=L1), a, memory_config=L1))
    ttnn.deallocate(ttnn.transpose(ttnn.layer_norm(a, memory_config=L1), -2, -1, memory_config=L1))


device.disable_and_clear_program_cache()
work()
begin()
for _ in range(3):
    work()
device.enable_program_cache()
for _ in range(3):
    work()
device.clear_program_cache()
work()
end()
ttnn.close_device(device)
