# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""reshape() told of a padded shape, which counts only where whole tiles stay where they are."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for shape, to, padded in (
    ((1, 1, 256, 128), (1, 32, 8, 128), (1, 32, 8, 128)),
    ((1, 1, 256, 128), (1, 32, 8, 128), (1, 32, 64, 128)),
    ((1, 1, 256, 128), (1, 32, 8, 128), (1, 32, 32, 128)),
    ((1, 2, 20, 64), (1, 1, 40, 64), (1, 1, 40, 64)),
    ((1, 1, 20, 64), (1, 20, 64), (1, 24, 64)),
    ((1, 1, 20, 64), (1, 1, 20, 64), (1, 1, 20, 64)),
    ((1, 1, 20, 64), (1, 1, 20, 64), (1, 1, 32, 64)),
    ((1, 1, 32, 64), (1, 1, 64, 32), (1, 1, 64, 64)),
    ((1, 1, 64, 64), (1, 2, 32, 64), (1, 2, 32, 64)),
):
    x = ttnn.from_torch(torch.ones(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    y = ttnn.reshape(x, to, padded)
    assert tuple(y.shape) == to
    del x, y
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
