# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""topk and argmax of any rank, on cores that are named, into tensors that are there, of numbered elements."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device)


def cores(*corners):
    return ttnn.CoreRangeSet(
        [ttnn.CoreRange(ttnn.CoreCoord(a, b), ttnn.CoreCoord(c, d)) for a, b, c, d in corners]
    )


logits = tensor(1, 1, 32, 8192)
numbers = tensor(1, 1, 32, 8192, dtype=ttnn.uint32)
wide = tensor(1, 1, 64, 128, dtype=ttnn.float32)
long = tensor(1, 1, 32, 151936)
one_row = tensor(1, 1, 1, 4096, layout=ttnn.ROW_MAJOR_LAYOUT)
rows = tensor(1, 1, 32, 4096, layout=ttnn.ROW_MAJOR_LAYOUT)
five = tensor(2, 2, 3, 60, 100)
matrix = tensor(64, 128)
few = tensor(4, 8)
narrow = tensor(1, 1, 32, 50, dtype=ttnn.bfloat8_b)
best = tensor(1, 1, 64, 20), tensor(1, 1, 64, 20, dtype=ttnn.uint16)
batch = tensor(1, 1, 64, 128)
three = tensor(3, 32, 64)
places = tensor(32, 64, dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [
    ttnn.topk(logits),
    ttnn.topk(logits, k=64, stable=True),
    ttnn.topk(logits, sub_core_grids=cores((0, 0, 3, 3))),
    ttnn.topk(logits, sub_core_grids=cores((1, 0, 3, 7))),
    ttnn.topk(logits, indices_tensor=numbers),
    ttnn.topk(wide, k=5, largest=False),
    ttnn.topk(long, k=32),
    ttnn.topk(batch, k=32, sub_core_grids=cores((4, 4, 5, 6), (1, 0, 2, 2))),
    ttnn.topk(batch, k=20, output_tensor=best),
    ttnn.topk(five, k=20, dim=3),
    ttnn.topk(matrix, k=5, dim=0),
    ttnn.topk(few, 2),
    ttnn.topk(narrow, k=40),
    ttnn.argmax(rows, -1, True),
    ttnn.argmax(rows, dim=-1, sub_core_grids=cores((0, 0, 3, 3))),
    ttnn.argmax(one_row, dim=-1, sub_core_grids=cores((1, 0, 3, 6), (5, 0, 6, 6))),
    ttnn.argmax(rows, dim=-1, enable_secondary_dm=False),
    ttnn.argmax(three, dim=0, output_tensor=places),
    ttnn.argmax(five, dim=1, sub_core_grids=cores((0, 0, 3, 3))),
]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
del kept
ttnn.close_device(device)
