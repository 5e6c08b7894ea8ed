# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Rows that no core holds at once scattered into, beside a tensor in L1, and parts of larger sources."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def places(*shape, layout=ttnn.ROW_MAJOR_LAYOUT):
    return tensor(*shape, dtype=ttnn.int32, layout=layout)


words, precise = tensor(1, 151936), tensor(1, 100000, dtype=ttnn.float32)
images, source, tiles = tensor(10, 30, 6, 10), tensor(2, 30, 10, 10), ttnn.TILE_LAYOUT
beside = tensor(2048, 512, layout=tiles, memory_config=ttnn.L1_MEMORY_CONFIG)
rows = places(1, 151936), places(1, 10), places(1, 100000), places(2, 30, 6, 5), places(2, 5, 6, 5)
few, tiled = tensor(1, 10), [tensor(10, 30, 6, 10, layout=tiles), places(2, 30, 6, 5, layout=tiles), tensor(2, 30, 10, 10, layout=tiles)]
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = []
kept.append(ttnn.scatter(words, -1, rows[0], words))
kept.append(ttnn.scatter(words, -1, rows[1], few, reduce="add"))
kept.append(ttnn.scatter(precise, 1, rows[2], precise, memory_config=ttnn.DRAM_MEMORY_CONFIG))
kept.append(ttnn.scatter(images, -1, rows[3], source))
kept.append(ttnn.scatter(images, 1, rows[4], source))
kept.append(ttnn.scatter(tiled[0], 3, tiled[1], tiled[2]))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
