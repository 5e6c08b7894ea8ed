# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A spatial transformer: images turned, sampled where a grid says, rolled, added up."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=24576)
images = ttnn.from_torch(torch.randn(2, 14, 14, 64), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
grid = ttnn.from_torch(torch.rand(2, 14, 14, 2) * 2 - 1, dtype=ttnn.float32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
packed = ttnn.from_torch(torch.rand(2, 14, 7, 4) * 2 - 1, dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
turned = ttnn.rotate(images, 30.0, center=(3.0, 4.5), fill=1.0)
smooth = ttnn.rotate(images, -90.0, interpolation_mode="bilinear", memory_config=ttnn.L1_MEMORY_CONFIG)
sampled = ttnn.grid_sample(images, grid)
wide = ttnn.grid_sample(images, packed, align_corners=True)
deep = ttnn.grid_sample(images, packed, batch_output_channels=True, memory_config=ttnn.L1_MEMORY_CONFIG)
rolled = ttnn.roll(smooth, [3, -2], [1, 2])
total = ttnn.add(ttnn.add(turned, sampled), wide)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
print(total.shape, deep.shape, rolled.shape, rolled.memory_config().buffer_type)
ttnn.close_device(device)
