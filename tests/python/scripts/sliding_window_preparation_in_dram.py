# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Weights and biases prepared for images in DRAM, in rows and in tiles, and for strides that are folded into shards."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
halves = ttnn.Conv2dSliceConfig(slice_type=ttnn.Conv2dDRAMSliceHeight, num_slices=2)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for inputs, size, layout, slices in (
    (3, 64, ttnn.TILE_LAYOUT, None), (3, 64, ttnn.ROW_MAJOR_LAYOUT, None), (3, 512, ttnn.TILE_LAYOUT, None),
    (16, 64, ttnn.TILE_LAYOUT, halves), (40, 64, ttnn.TILE_LAYOUT, halves), (24, 64, ttnn.ROW_MAJOR_LAYOUT, halves),
    (64, 32, ttnn.TILE_LAYOUT, ttnn.Conv2dL1FullSliceConfig),
):
    asked = {
        "input_memory_config": ttnn.DRAM_MEMORY_CONFIG, "input_layout": layout, "in_channels": inputs, "out_channels": 64,
        "batch_size": 1, "input_height": size, "input_width": size, "kernel_size": (3, 3), "stride": (1, 1),
        "padding": (1, 1), "dilation": (1, 1), "groups": 1, "device": device, "input_dtype": ttnn.bfloat16,
        "conv_config": ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16), "slice_config": slices,
    }
    weight = ttnn.from_torch(torch.rand(64, inputs, 3, 3), dtype=ttnn.bfloat16)
    weight = ttnn.prepare_conv_weights(weight_tensor=weight, weights_format="OIHW", has_bias=True, **asked)
    bias = ttnn.from_torch(torch.rand(1, 1, 1, 64), dtype=ttnn.bfloat16)
    bias = ttnn.prepare_conv_bias(bias_tensor=bias, **asked)
    del weight, bias
for channels, size, kernel in ((32, 128, 8), (64, 64, 4)):
    x = ttnn.from_torch(torch.rand(1, size, size, channels), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    asked = {
        "in_channels": channels, "out_channels": channels, "batch_size": 1, "input_height": size, "input_width": size,
        "kernel_size": (kernel, kernel), "stride": (kernel, kernel), "padding": (0, 0), "dilation": (1, 1), "groups": 1,
        "device": device, "slice_config": ttnn.Conv2dL1FullSliceConfig,
        "conv_config": ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, shard_layout=ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
                                         reallocate_halo_output=True),
    }
    given = {"input_memory_config": ttnn.DRAM_MEMORY_CONFIG, "input_layout": ttnn.TILE_LAYOUT, "input_dtype": ttnn.bfloat16}
    weight = ttnn.from_torch(torch.rand(channels, channels, kernel, kernel), dtype=ttnn.bfloat16)
    weight = ttnn.prepare_conv_weights(weight_tensor=weight, weights_format="OIHW", has_bias=True, **asked, **given)
    bias = ttnn.from_torch(torch.rand(1, 1, 1, channels), dtype=ttnn.bfloat16)
    bias = ttnn.prepare_conv_bias(bias_tensor=bias, **asked, **given)
    y = ttnn.conv2d(input_tensor=x, weight_tensor=weight, bias_tensor=bias, dtype=ttnn.bfloat16, **asked)
    del x, y, weight, bias
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
