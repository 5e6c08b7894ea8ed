# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions as wide as their stride, of images in HEIGHT shards: the stride is folded in the shards."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)


def convolve(batch, size, channels, outputs, kernel, cores, layout=ttnn.TILE_LAYOUT, flat=False, free=True, dtype=ttnn.bfloat16):
    columns, rows = cores
    shards = ttnn.create_sharded_memory_config(
        (1, 1, batch * size * size, channels), core_grid=ttnn.CoreGrid(y=rows, x=columns), strategy=ttnn.ShardStrategy.HEIGHT
    )
    shape = (1, 1, batch * size * size, channels) if flat else (batch, size, size, channels)
    x = ttnn.from_torch(torch.ones(shape), dtype=dtype, layout=layout, device=device, memory_config=shards)
    weight = ttnn.from_torch(torch.ones(outputs, channels, kernel, kernel), dtype=ttnn.bfloat16)
    bias = ttnn.from_torch(torch.ones(1, 1, 1, outputs), dtype=ttnn.bfloat16)
    config = ttnn.Conv2dConfig(
        weights_dtype=ttnn.bfloat16, shard_layout=ttnn.TensorMemoryLayout.HEIGHT_SHARDED, deallocate_activation=free
    )
    y = ttnn.conv2d(
        input_tensor=x, weight_tensor=weight, bias_tensor=bias, device=device, in_channels=channels, out_channels=outputs,
        batch_size=batch, input_height=size, input_width=size, kernel_size=(kernel, kernel), stride=(kernel, kernel),
        padding=(0, 0), conv_config=config, slice_config=ttnn.Conv2dL1FullSliceConfig,
    )
    del x, y


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
convolve(1, 64, 64, 32, 8, (8, 8))
convolve(1, 64, 64, 64, 4, (8, 8), flat=True)
convolve(1, 64, 64, 64, 4, (8, 8), free=False)
convolve(1, 32, 64, 64, 2, (8, 1))
convolve(1, 32, 64, 64, 2, (8, 1), layout=ttnn.ROW_MAJOR_LAYOUT)
convolve(3, 32, 64, 64, 2, (8, 4))
convolve(1, 24, 96, 64, 2, (6, 1), layout=ttnn.ROW_MAJOR_LAYOUT)
convolve(1, 32, 64, 64, 2, (8, 4), dtype=ttnn.bfloat8_b)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
