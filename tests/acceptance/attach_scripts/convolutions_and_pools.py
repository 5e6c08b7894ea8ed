# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions, pools and an upsampling, twice: what is prepared, halos, small L1 buffers."""

import os
import sys

import ttnn

L1, DRAM = ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG


def begin(mode=None):
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, mode or sys.argv[2]))


def end(name=None):
    ttnn.graph.end_graph_capture_to_file(os.path.join(os.path.dirname(sys.argv[1]), name) if name else sys.argv[1])


def tiles(*shape, device, dtype=ttnn.bfloat16, memory_config=L1):
    return ttnn.ones(list(shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory_config)


import torch

device = ttnn.open_device(device_id=0, l1_small_size=32768)
torch.manual_seed(0)
weight = ttnn.from_torch(torch.randn(64, 32, 3, 3), dtype=ttnn.bfloat16)
bias = ttnn.from_torch(torch.randn(1, 1, 1, 64), dtype=ttnn.bfloat16)


def model(x, w, b):
    x, (height, width), (w, b) = ttnn.conv2d(
        input_tensor=x, weight_tensor=w, bias_tensor=b, device=device, in_channels=32, out_channels=64, batch_size=2,
        input_height=32, input_width=32, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), dilation=(1, 1), groups=1,
        return_output_dim=True, return_weights_and_bias=True,
        conv_config=ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16),
    )
    x = ttnn.max_pool2d(
        input_tensor=x, batch_size=2, input_h=height, input_w=width, channels=64, kernel_size=[2, 2], stride=[2, 2],
        padding=[0, 0], dilation=[1, 1],
    )
    x = ttnn.to_memory_config(x, DRAM)
    x = ttnn.to_layout(x, ttnn.ROW_MAJOR_LAYOUT)
    x = ttnn.upsample(ttnn.reshape(x, (2, height // 2, width // 2, 64)), 2)
    return ttnn.mean(ttnn.to_layout(x, ttnn.TILE_LAYOUT), dim=-1), w, b


host = ttnn.from_torch(torch.randn(1, 1, 2 * 32 * 32, 32), dtype=ttnn.bfloat16)
begin()
x = ttnn.to_device(host, device)
y, weight, bias = model(x, weight, bias)
del y
y, weight, bias = model(x, weight, bias)
end()
ttnn.close_device(device)
