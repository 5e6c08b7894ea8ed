# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""conv2d of images on the host that go straight into shards, padded on the host, on the device or by way of DRAM."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=32768)
bias = ttnn.from_torch(torch.ones(1, 1, 1, 64), dtype=ttnn.bfloat16)
layouts = ttnn.TensorMemoryLayout


def convolve(images, channels, size, kernel, shards=None, flat=False, dtype=ttnn.bfloat16, **config):
    layout = ttnn.TILE_LAYOUT if dtype == ttnn.bfloat8_b else ttnn.ROW_MAJOR_LAYOUT
    shape = (1, 1, images * size * size, channels) if flat else (images, size, size, channels)
    weights = dtype if dtype == ttnn.float32 else ttnn.bfloat16
    return ttnn.conv2d(
        input_tensor=ttnn.from_torch(torch.ones(shape), dtype=dtype, layout=layout),
        weight_tensor=ttnn.from_torch(torch.ones(64, channels, kernel, kernel), dtype=weights), bias_tensor=bias, device=device,
        in_channels=channels, out_channels=64, batch_size=images, input_height=size, input_width=size, stride=(1, 1),
        kernel_size=(kernel, kernel), padding=(kernel // 2, kernel // 2), slice_config=ttnn.Conv2dL1FullSliceConfig,
        conv_config=ttnn.Conv2dConfig(weights_dtype=weights, shard_layout=shards, **config))


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for arguments in (
    (1, 16, 32, 3), (1, 3, 32, 3, None, True), (2, 48, 32, 3, layouts.BLOCK_SHARDED), (1, 250, 8, 3, layouts.WIDTH_SHARDED),
    (1, 256, 9, 3, layouts.WIDTH_SHARDED), (1, 250, 9, 3, layouts.BLOCK_SHARDED), (1, 256, 9, 3, layouts.BLOCK_SHARDED),
    (1, 250, 9, 3, layouts.HEIGHT_SHARDED, True), (2, 48, 32, 1, layouts.HEIGHT_SHARDED), (2, 40, 16, 1),
    (1, 256, 16, 1, layouts.BLOCK_SHARDED), (1, 20, 9, 3, None, False, ttnn.float32), (1, 32, 32, 3, None, False, ttnn.bfloat8_b),
):
    y = convolve(*arguments)
    y.deallocate(True)
y = convolve(1, 250, 9, 3, layouts.BLOCK_SHARDED, deallocate_activation=True)
z = convolve(1, 250, 9, 1, layouts.BLOCK_SHARDED, deallocate_activation=True, reallocate_halo_output=False)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
