# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""conv2d of images on the host, to each memory: what is uploaded, and freed at the end."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
weight = ttnn.from_torch(torch.ones(32, 32, 3, 3), dtype=ttnn.float32)
bias = ttnn.from_torch(torch.ones(1, 1, 1, 32), dtype=ttnn.float32)
options = {
    "device": device, "in_channels": 32, "out_channels": 32, "batch_size": 1, "input_height": 16, "input_width": 16,
    "kernel_size": (3, 3), "stride": (1, 1), "padding": (1, 1),
}
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for layout in (ttnn.ROW_MAJOR_LAYOUT, ttnn.TILE_LAYOUT):
    images = ttnn.from_torch(torch.ones(1, 16, 16, 32), dtype=ttnn.bfloat16, layout=layout)
    for memory_config in (None, ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG):
        y = ttnn.conv2d(input_tensor=images, weight_tensor=weight, bias_tensor=bias, memory_config=memory_config, **options)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
