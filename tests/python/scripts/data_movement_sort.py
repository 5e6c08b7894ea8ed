# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Rows that are too long for one core sorted by many, and tensors of five dimensions."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16):
    return ttnn.zeros(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


logits = tensor(1, 1, 32, 4096)
two = tensor(1, 1, 64, 16384)
wide = tensor(1, 1, 32, 8192, dtype=ttnn.float32)
vocabulary = tensor(1, 1, 32, 65536)
broken = tensor(1, 1, 32, 3000)
five = tensor(2, 2, 3, 30, 60)
matrix = tensor(32, 64)
out = tensor(32, 64), tensor(32, 64, dtype=ttnn.uint16)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [
    ttnn.sort(logits, dim=-1, descending=True),
    ttnn.sort(two),
    ttnn.sort(wide),
    ttnn.sort(vocabulary),
    ttnn.sort(broken),
    ttnn.sort(five, dim=1),
    ttnn.sort(five),
    ttnn.sort(matrix, out=out),
]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
del kept
ttnn.close_device(device)
