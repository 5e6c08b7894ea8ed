# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Rows gathered and scattered as TOSA does: tiles and rows, one channel and several, in L1 and in DRAM."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def zeros(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


L1 = {"memory_config": ttnn.L1_MEMORY_CONFIG}
ROWS = {"layout": ttnn.ROW_MAJOR_LAYOUT}
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
ttnn.tosa_gather(zeros(2, 40, 50), zeros(2, 33, dtype=ttnn.uint32), **L1)
ttnn.tosa_gather(zeros(3, 64, 32, **ROWS, **L1), zeros(3, 32, dtype=ttnn.uint32, **ROWS, **L1))
ttnn.tosa_gather(zeros(1, 1, 1, **ROWS), zeros(1, 1, dtype=ttnn.uint16, **ROWS))
ttnn.tosa_scatter(zeros(2, 40, 50), zeros(2, 33, dtype=ttnn.uint32), zeros(2, 33, 50))
ttnn.tosa_scatter(
    zeros(20, 10, 10, **ROWS, **L1), zeros(20, 10, dtype=ttnn.int32, **ROWS, **L1), zeros(20, 10, 10, **ROWS, **L1)
)
ttnn.tosa_scatter(
    zeros(2, 40, 50, dtype=ttnn.float32, **ROWS), zeros(2, 33, dtype=ttnn.int32, **ROWS),
    zeros(2, 33, 50, dtype=ttnn.float32, **ROWS), **L1,
)
ttnn.tosa_scatter(zeros(1, 1, 1, **L1), zeros(1, 1, dtype=ttnn.uint32, **L1), zeros(1, 1, 1, **L1))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])

for refused in (
    lambda: ttnn.tosa_gather(zeros(2, 40, 50), zeros(2, 33, dtype=ttnn.int32)),
    lambda: ttnn.tosa_gather(zeros(2, 40, 50), zeros(2, 33, 1, dtype=ttnn.uint32)),
    lambda: ttnn.tosa_gather(zeros(2, 40, 50), zeros(3, 33, dtype=ttnn.uint32)),
    lambda: ttnn.tosa_scatter(zeros(40, 50), zeros(2, 33, dtype=ttnn.uint32), zeros(2, 33, 50)),
):
    try:
        refused()
    except RuntimeError:
        continue
    raise AssertionError("expected to be refused")
ttnn.close_device(device)
