# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A convolution, a pooling, a residual sum, the channel mean."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
batch, height, width, channels, outputs = 2, 28, 28, 32, 64
x = ttnn.from_torch(
    torch.randn(1, 1, batch * height * width, channels), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device
)
weight = ttnn.from_torch(torch.randn(outputs, channels, 3, 3), dtype=ttnn.bfloat16)
bias = ttnn.from_torch(torch.randn(1, 1, 1, outputs), dtype=ttnn.bfloat16)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
y, [out_height, out_width], [weight_on_device, bias_on_device] = ttnn.conv2d(
    input_tensor=x, weight_tensor=weight, bias_tensor=bias, device=device, in_channels=channels, out_channels=outputs,
    batch_size=batch, input_height=height, input_width=width, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1),
    dilation=(1, 1), groups=1,
    conv_config=ttnn.Conv2dConfig(
        weights_dtype=ttnn.bfloat16, shard_layout=ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
        activation=ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU),
    ),
    return_output_dim=True, return_weights_and_bias=True,
)
pooled = ttnn.max_pool2d(
    input_tensor=y, batch_size=batch, input_h=out_height, input_w=out_width, channels=outputs, kernel_size=[2, 2],
    stride=[2, 2], padding=[0, 0], dilation=[1, 1],
)
ttnn.deallocate(y)
z = ttnn.to_memory_config(pooled, ttnn.DRAM_MEMORY_CONFIG)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
