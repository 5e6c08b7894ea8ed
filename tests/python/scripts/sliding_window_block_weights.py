# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions of each channel by its own filter along a row, without bias, in blocks; transposed weights."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
BLOCKS = ttnn.TensorMemoryLayout.BLOCK_SHARDED


def asked(channels, length, kernel, stride, dilation, weights_dtype, **config):
    if weights_dtype is not None:
        config["weights_dtype"] = weights_dtype
    return {
        "in_channels": channels, "out_channels": channels, "batch_size": 1, "input_height": 1, "input_width": length,
        "kernel_size": (1, kernel), "stride": (1, stride), "padding": (0, kernel // 2), "dilation": (1, dilation),
        "groups": channels, "device": device, "conv_config": ttnn.Conv2dConfig(shard_layout=BLOCKS, **config),
    }


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for channels, length, kernel, stride, dilation, dtype, weights_dtype, rows in (
    (512, 64, 7, 1, 1, ttnn.bfloat16, None, 0), (64, 64, 7, 1, 1, ttnn.float32, ttnn.bfloat16, 0),
    (96, 257, 4, 1, 1, ttnn.bfloat16, ttnn.bfloat8_b, 0), (256, 257, 3, 2, 1, ttnn.bfloat16, None, 32),
    (64, 500, 5, 1, 2, ttnn.bfloat16, ttnn.bfloat16, 64), (32, 64, 3, 1, 1, ttnn.bfloat16, None, 0),
):
    call = asked(channels, length, kernel, stride, dilation, weights_dtype, act_block_h_override=rows)
    x = ttnn.from_torch(torch.rand(1, 1, length, channels), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)
    weight = ttnn.from_torch(torch.rand(channels, 1, 1, kernel), dtype=dtype)
    y = ttnn.conv2d(input_tensor=x, weight_tensor=weight, dtype=dtype, **call)
    given = {"input_memory_config": ttnn.DRAM_MEMORY_CONFIG, "input_layout": ttnn.TILE_LAYOUT, "input_dtype": dtype}
    weight = ttnn.prepare_conv_weights(weight_tensor=weight, weights_format="OIHW", has_bias=False, **call, **given)
    del x, y, weight
for memory, has_bias in (
    (ttnn.DRAM_MEMORY_CONFIG, False), (ttnn.L1_MEMORY_CONFIG, False), (ttnn.DRAM_MEMORY_CONFIG, True),
):
    call = asked(64, 32, 3, 1, 1, None) | {"groups": 1, "input_height": 16, "kernel_size": (3, 3), "padding": (0, 0)}
    given = {"input_memory_config": memory, "input_layout": ttnn.TILE_LAYOUT, "input_dtype": ttnn.bfloat16}
    weight = ttnn.from_torch(torch.rand(64, 64, 3, 3), dtype=ttnn.bfloat16)
    try:
        ttnn.prepare_conv_transpose2d_weights(weight_tensor=weight, weights_format="IOHW", has_bias=has_bias, **call, **given)
    except RuntimeError as error:
        assert memory == ttnn.DRAM_MEMORY_CONFIG and "weights_dtype to be already set" in str(error)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
