# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""repeat along several dimensions, stack, and pools of images whose rows fill no tile."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape, repeats in (
    ([1, 1, 64, 64], [2, 3, 1, 1]), ([1, 2, 64, 64], [2, 3, 1, 1]), ([1, 1, 32, 64], [1, 2, 2, 2]), ([1, 1, 49, 60], [2, 2, 2, 2]),
    ([2, 3, 4, 5], [2, 1, 3, 1]), ([64, 64], [2, 2]), ([3, 64, 64], [2, 1, 2]), ([2, 2, 2, 32, 32], [1, 2, 2, 1, 1]),
    ([64, 64], [2, 2, 1, 1]), ([1, 1, 64], [2, 3, 4]),
):
    for layout in (ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT):
        x = ttnn.ones(shape, dtype=ttnn.bfloat16, layout=layout, device=device)
        y = ttnn.repeat(x, ttnn.Shape(repeats))
for rows in (49, 64):
    x = ttnn.ones([3, rows, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    for dim in (0, 1):
        y = ttnn.stack([x, x], dim=dim)
x = ttnn.ones([1, 1, 49, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
y = ttnn.global_avg_pool2d(x)
y = ttnn.unsqueeze_to_4D(ttnn.squeeze(ttnn.squeeze(x, 0), 0))
for dtype in (ttnn.bfloat16, ttnn.bfloat8_b):
    mask = ttnn.create_group_norm_input_mask(64, 2, 1, dtype)
    mask = ttnn.create_group_norm_input_negative_mask(64, 2, 1, dtype)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
