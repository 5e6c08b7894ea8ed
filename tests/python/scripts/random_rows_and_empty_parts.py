# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Random tensors in rows, parts of which there is nothing, copies to some cores, errors that are kept."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape in ([2, 3], [7], [3, 17, 40], [1, 1, 64, 64], [300, 1000]):
    for dtype in (ttnn.bfloat16, ttnn.float32):
        for memory in (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG):
            ttnn.randn(shape, dtype=dtype, layout=ttnn.ROW_MAJOR_LAYOUT, device=device, memory_config=memory)
            ttnn.rand(shape, dtype=dtype, layout=ttnn.ROW_MAJOR_LAYOUT, device=device, memory_config=memory)
for shape in ((0, 9), (0, 10), (1, 0, 10), (4, 0)):
    for layout in (ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT):
        x = ttnn.from_torch(torch.zeros(*shape), dtype=ttnn.bfloat16, layout=layout, device=device)
        for part in (slice(0, 0 if shape[-1] == 0 else 1), slice(shape[-1] // 2, shape[-1])):
            y = x[..., part]
            del y
        del x
rows = {"dtype": ttnn.uint32, "layout": ttnn.ROW_MAJOR_LAYOUT}
whole = ttnn.from_torch(torch.ones(1, 1, 32, 32, dtype=torch.int32), **rows)
x = ttnn.allocate_tensor_on_device(ttnn.Shape((1, 1, 32, 32)), ttnn.uint32, ttnn.ROW_MAJOR_LAYOUT, device, ttnn.DRAM_MEMORY_CONFIG)
ttnn.copy_host_to_device_tensor(whole, x)
first = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))})
ttnn.copy_host_to_device_tensor_partial(whole, x, first)
del x
kept = []
for size in (80, 96):  # no whole tiles for each head: what was given lives as long as the error
    x = ttnn.from_torch(torch.zeros(2, 64, 8 * 3 * size), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    try:
        ttnn.transformer.split_query_key_value_and_split_heads(x, num_heads=8)
    except RuntimeError as error:
        kept.append(error)
    x = None
kept.clear()
x = ttnn.from_torch(torch.zeros(2, 64, 64), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
