# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Numbers of 16 bits sorted, along several dimensions, and what has nothing to sort."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.uint16):
    return ttnn.zeros(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


counts = [tensor(64), tensor(1, 1, 32, 2048), tensor(3, 5, 40, 70), tensor(2, 128, 64)]
single, numbers = tensor(1, 1, 64, 1), [tensor(dtype=dtype) for dtype in (ttnn.uint16, ttnn.bfloat16, ttnn.float32)]
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = []
for each, dim in zip(counts, (0, -1, 2, 1)):
    kept.append(ttnn.sort(each, dim=dim, descending=dim == 2))
kept.append(ttnn.sort(single))
for number in numbers:
    kept.append(ttnn.sort(number))
kept.append(ttnn.sort(numbers[0], dim=0, memory_config=ttnn.L1_MEMORY_CONFIG))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
