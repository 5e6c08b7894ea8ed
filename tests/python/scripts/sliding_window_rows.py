# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Weights of convolutions along rows prepared on the host, and the shards of a filter for each channel where nobody says which."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
L = ttnn.TensorMemoryLayout


def asked(channels, outputs, height, width, kernel, groups, **config):
    return {
        "in_channels": channels, "out_channels": outputs, "batch_size": 1, "input_height": height, "input_width": width,
        "kernel_size": kernel, "stride": (1, 1), "padding": (0, kernel[1] // 2), "dilation": (1, 1), "groups": groups,
        "device": device, "conv_config": ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, config_tensors_in_dram=True, **config),
    }


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
# Before a convolution: on the host alone, whatever the shards.
for channels, outputs, kernel, layout, memory, config in (
    (64, 128, 3, ttnn.TILE_LAYOUT, ttnn.DRAM_MEMORY_CONFIG, {"shard_layout": L.WIDTH_SHARDED}),
    (64, 64, 5, ttnn.ROW_MAJOR_LAYOUT, ttnn.DRAM_MEMORY_CONFIG, {"shard_layout": L.HEIGHT_SHARDED}),
    (48, 96, 7, ttnn.TILE_LAYOUT, ttnn.DRAM_MEMORY_CONFIG, {"shard_layout": L.BLOCK_SHARDED}),
    (192, 32, 3, ttnn.ROW_MAJOR_LAYOUT, ttnn.DRAM_MEMORY_CONFIG, {}),
    (256, 64, 2, ttnn.TILE_LAYOUT, ttnn.L1_MEMORY_CONFIG, {}),
):
    call = asked(channels, outputs, 1, 256, (1, kernel), 1, **config)
    given = {"input_memory_config": memory, "input_layout": layout, "input_dtype": ttnn.bfloat16}
    weight = ttnn.from_torch(torch.rand(outputs, channels, 1, kernel), dtype=ttnn.bfloat16)
    weight = ttnn.prepare_conv_weights(weight_tensor=weight, weights_format="OIHW", has_bias=True, **call, **given)
    bias = ttnn.from_torch(torch.rand(1, 1, 1, outputs), dtype=ttnn.bfloat16)
    bias = ttnn.prepare_conv_bias(bias_tensor=bias, **call, **given)
    x = ttnn.from_torch(torch.rand(1, 1, 256, channels), dtype=ttnn.bfloat16, layout=layout, device=device, memory_config=memory)
    y = ttnn.conv2d(input_tensor=x, weight_tensor=weight, bias_tensor=bias, dtype=ttnn.bfloat16, **call)
    del x, y, weight, bias
# Transposed: in blocks of channels as for rows, each of whole tiles.
for channels, outputs, size, kernel, layout, config in (
    (64, 64, (1, 128), (1, 3), ttnn.TILE_LAYOUT, {}),
    (64, 32, (16, 16), (3, 3), ttnn.TILE_LAYOUT, {"shard_layout": L.BLOCK_SHARDED}),
    (96, 128, (16, 28), (4, 4), ttnn.TILE_LAYOUT, {"shard_layout": L.BLOCK_SHARDED}),
    (64, 64, (1, 50), (1, 5), ttnn.ROW_MAJOR_LAYOUT, {"shard_layout": L.BLOCK_SHARDED}),
    (3, 128, (7, 7), (3, 3), ttnn.TILE_LAYOUT, {}),
    (256, 64, (8, 8), (2, 2), ttnn.TILE_LAYOUT, {}),
):
    call = asked(channels, outputs, *size, kernel, 1, **config) | {"padding": (0, 0)}
    given = {"input_memory_config": ttnn.DRAM_MEMORY_CONFIG, "input_layout": layout, "input_dtype": ttnn.bfloat16}
    weight = ttnn.from_torch(torch.rand(channels, outputs, *kernel), dtype=ttnn.bfloat16)
    weight = ttnn.prepare_conv_transpose2d_weights(weight_tensor=weight, weights_format="IOHW", has_bias=True, **call, **given)
    bias = ttnn.from_torch(torch.rand(1, 1, 1, outputs), dtype=ttnn.bfloat16)
    bias = ttnn.prepare_conv_transpose2d_bias(bias_tensor=bias, **call, **given)
    del weight, bias
# A filter for each channel along a row: HEIGHT_SHARDED without a bias, what takes least of L1 with one.
for channels, length, kernel, memory, has_bias in (
    (2560, 1024, 4, ttnn.DRAM_MEMORY_CONFIG, False), (128, 512, 3, ttnn.L1_MEMORY_CONFIG, False),
    (512, 64, 4, ttnn.L1_MEMORY_CONFIG, True),
):
    x = ttnn.from_torch(torch.rand(1, length, 1, channels), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device,
                        memory_config=memory)
    y = ttnn.conv1d(
        input_tensor=x, weight_tensor=ttnn.from_torch(torch.rand(channels, 1, kernel), dtype=ttnn.bfloat16),
        bias_tensor=ttnn.from_torch(torch.rand(1, 1, 1, channels), dtype=ttnn.bfloat16) if has_bias else None,
        in_channels=channels, out_channels=channels, device=device, kernel_size=kernel, stride=1, padding=kernel - 1, batch_size=1,
        input_length=length, groups=channels, conv_config=ttnn.Conv1dConfig(weights_dtype=ttnn.bfloat16))
    del x, y
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
