# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Reshapes to the shape that a tensor has: with padding and without, on the host and on the device, to other memory."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape in ((1, 1, 1, 2048), (1, 1, 32, 64), (2, 3, 33, 64), (2, 32, 50), (5,)):
    for layout in (ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT):
        host = ttnn.ones(shape, dtype=ttnn.bfloat16, layout=layout)
        again = ttnn.reshape(host, shape)
        for memory_config in (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG):
            x = ttnn.ones(shape, dtype=ttnn.bfloat16, layout=layout, device=device, memory_config=memory_config)
            again = ttnn.reshape(x, shape)
            again = ttnn.reshape(x, (-1, *shape[1:]))
            again = ttnn.reshape(x, shape, memory_config=ttnn.L1_MEMORY_CONFIG)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
