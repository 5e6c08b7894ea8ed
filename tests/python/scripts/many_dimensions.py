# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors of five dimensions and more, of which programs see four: dimensions of 1 in front go one by one."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape in ((1, 2, 3, 2, 40, 64), (1, 1, 3, 2, 5, 64), (1, 1, 1, 1, 2, 33, 64), (2, 1, 3, 2, 33, 64), (1, 2, 3, 40, 64)):
    tiles = ttnn.from_torch(torch.ones(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    rows = ttnn.to_layout(tiles, ttnn.ROW_MAJOR_LAYOUT)
    again = ttnn.to_layout(rows, ttnn.TILE_LAYOUT)
    stacked = ttnn.stack([tiles, again], dim=-2)
    part = tiles[..., 5:]
    total = ttnn.sum(tiles, dim=-1)
    wider = ttnn.pad(rows, [(0, 0)] * (len(shape) - 1) + [(0, 2)], value=0.0)
    taller = ttnn.pad(tiles, [(0, 0)] * (len(shape) - 2) + [(0, 32), (0, 32)], value=0.0)
    cut = ttnn.untilize_with_unpadding(tiles, [size - 1 for size in shape])
    del tiles, rows, again, stacked, part, total, wider, taller, cut
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
