# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Weights of transposed convolutions, and of products of single pixels, prepared for images in DRAM and in L1."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for inputs, outputs, size, kernel, stride, layout, memory in (
    (80, 128, (32, 32), (3, 3), 1, ttnn.ROW_MAJOR_LAYOUT, ttnn.L1_MEMORY_CONFIG),
    (128, 200, (16, 40), (1, 1), 1, ttnn.TILE_LAYOUT, ttnn.L1_MEMORY_CONFIG),
    (32, 200, (56, 56), (1, 1), 1, ttnn.ROW_MAJOR_LAYOUT, ttnn.L1_MEMORY_CONFIG),
    (16, 64, (64, 64), (1, 1), 1, ttnn.ROW_MAJOR_LAYOUT, ttnn.DRAM_MEMORY_CONFIG),
    (3, 64, (32, 32), (1, 1), 1, ttnn.TILE_LAYOUT, ttnn.DRAM_MEMORY_CONFIG),
):
    asked = {
        "input_memory_config": memory, "input_layout": layout, "in_channels": inputs, "out_channels": outputs,
        "batch_size": 1, "input_height": size[0], "input_width": size[1], "kernel_size": kernel, "padding": (0, 0),
        "dilation": (1, 1), "groups": 1, "device": device, "input_dtype": ttnn.bfloat16, "has_bias": True,
        "conv_config": ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16),
    }
    weight = ttnn.from_torch(torch.rand(inputs, outputs, *kernel), dtype=ttnn.bfloat16)
    weight = ttnn.prepare_conv_transpose2d_weights(
        weight_tensor=weight, weights_format="IOHW", stride=(stride, stride), **asked
    )
    del weight
    if kernel == (1, 1):
        for slices in (None, ttnn.Conv2dL1FullSliceConfig):
            weight = ttnn.from_torch(torch.rand(outputs, inputs, 1, 1), dtype=ttnn.bfloat16)
            weight = ttnn.prepare_conv_weights(
                weight_tensor=weight, weights_format="OIHW", stride=(1, 1), slice_config=slices, **asked
            )
            del weight
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
