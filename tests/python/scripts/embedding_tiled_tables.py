# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tables of embeddings in tiles: of two and four dimensions, with rows that fill no tile."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape in ([1, 32], [2, 33], [1, 1, 1, 32], [2, 1, 1, 64]):
    tokens = ttnn.from_torch(torch.zeros(*shape, dtype=torch.int32), dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    for table in ([64, 128], [1, 1, 64, 128], [60, 100]):
        weight = ttnn.ones(table, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
        for layout in (None, ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT):
            y = ttnn.embedding(tokens, weight) if layout is None else ttnn.embedding(tokens, weight, layout=layout)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
