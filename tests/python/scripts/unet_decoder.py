# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Two steps of a U-Net's decoder: a transposed convolution, what was skipped beside it, a convolution; then a larger image
in slices, with weights prepared beforehand."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=24576)


def weights_of(*shape):
    return ttnn.from_torch(torch.randn(*shape), dtype=ttnn.bfloat16)


def upsample(x, weight, bias, batch, size, channels, outputs, **more):
    return ttnn.conv_transpose2d(
        input_tensor=x, weight_tensor=weight, bias_tensor=bias, device=device, in_channels=channels, out_channels=outputs,
        batch_size=batch, input_height=size, input_width=size, kernel_size=(2, 2), stride=(2, 2), padding=(0, 0),
        dilation=(1, 1), groups=1, return_output_dim=True, **more,
    )


batch, size, channels = 2, 16, 128
x = ttnn.from_torch(torch.randn(1, 1, batch * size * size, channels), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT,
                    device=device, memory_config=ttnn.L1_MEMORY_CONFIG)
skipped = ttnn.from_torch(torch.randn(1, 1, 4 * batch * size * size, channels // 2), dtype=ttnn.bfloat16,
                          layout=ttnn.TILE_LAYOUT, device=device)
image = ttnn.from_torch(torch.randn(1, 1, 128 * 128, 64), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
weight, bias = weights_of(channels, channels // 2, 2, 2), weights_of(1, 1, 1, channels // 2)
weight_of_conv = weights_of(channels // 2, channels, 3, 3)
weight_of_image = weights_of(64, 32, 2, 2)
config = ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, shard_layout=ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
                           deallocate_activation=True)
slices = ttnn.Conv2dSliceConfig(slice_type=ttnn.Conv2dDRAMSliceHeight, num_slices=4)
where = dict(input_memory_config=image.memory_config(), input_layout=image.layout, in_channels=64, out_channels=32,
             batch_size=1, input_height=128, input_width=128, kernel_size=(2, 2), stride=(2, 2), padding=(0, 0),
             dilation=(1, 1), groups=1, device=device, input_dtype=ttnn.bfloat16, dram_slice_config=slices)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
y, [height, width], [weight, bias] = upsample(x, weight, bias, batch, size, channels, channels // 2, conv_config=config,
                                              return_weights_and_bias=True)
y = ttnn.to_memory_config(y, ttnn.DRAM_MEMORY_CONFIG)
y = ttnn.concat([y, skipped], dim=-1)
y = ttnn.conv2d(
    input_tensor=y, weight_tensor=weight_of_conv, device=device, in_channels=channels, out_channels=channels // 2,
    batch_size=batch, input_height=height, input_width=width, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1),
    dilation=(1, 1), groups=1, conv_config=ttnn.Conv2dConfig(activation=ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)),
)
prepared = ttnn.prepare_conv_transpose2d_weights(weight_tensor=weight_of_image, weights_format="IOHW", has_bias=False, **where)
large, [height, width] = upsample(image, prepared, None, 1, 128, 64, 32, dram_slice_config=slices)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
print(y.shape, large.shape, height, width)
ttnn.close_device(device)
