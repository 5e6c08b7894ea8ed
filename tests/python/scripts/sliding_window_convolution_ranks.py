# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions of inputs of other ranks, from the host, of padded channels; weights and bias on the device in ROW_MAJOR."""

import sys

import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)


def rows(*shape, layout=ttnn.ROW_MAJOR_LAYOUT, on=None, memory_config=None):
    return ttnn.ones(list(shape), dtype=ttnn.bfloat16, layout=layout, device=on, memory_config=memory_config)


def convolve(x, weight, channels, bias=None, **named):
    kernel = weight.shape[-1]
    return ttnn.conv2d(
        input_tensor=x, weight_tensor=weight, bias_tensor=bias, device=device, in_channels=channels, out_channels=64,
        batch_size=2, input_height=16, input_width=16, kernel_size=(kernel, kernel), stride=(1, 1),
        padding=(kernel // 2, kernel // 2), **named,
    )


def along(x, weight, batch):
    return ttnn.conv1d(
        input_tensor=x, weight_tensor=weight, device=device, in_channels=32, out_channels=64, batch_size=batch,
        input_length=256, kernel_size=3, stride=1, padding=1, bias_tensor=rows(1, 1, 1, 64), return_weights_and_bias=True,
    )[0]


shards = ttnn.create_sharded_memory_config(
    (64, 16), ttnn.CoreGrid(x=8, y=1), ttnn.ShardStrategy.HEIGHT, use_height_and_width_as_shard_shape=True
)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
along(rows(2, 256, 32), rows(64, 32, 3), 2)
along(rows(1, 512, 32, on=device), rows(64, 32, 3), 2)
along(rows(256, 32, on=device, memory_config=ttnn.L1_MEMORY_CONFIG), rows(64, 32, 1, 3), 1)
along(rows(2, 256, 1, 32, layout=ttnn.TILE_LAYOUT), rows(64, 32, 1, 3), 2)
convolve(rows(2, 256, 16, on=device), rows(64, 16, 3, 3), 16)
convolve(rows(1, 2, 16, 16, 16), rows(64, 16, 3, 3), 16, groups=0)
convolve(rows(2, 16, 16, 16), rows(64, 16, 1, 1), 16)
convolve(rows(2, 16, 16, 16, on=device, memory_config=ttnn.L1_MEMORY_CONFIG), rows(64, 3, 3, 3), 3)
convolve(ttnn.to_device(rows(1, 1, 512, 16), device, memory_config=shards), rows(64, 3, 3, 3), 3)
convolve(rows(1, 1, 512, 16, on=device), rows(64, 16, 3, 3, on=device), 16, rows(1, 1, 1, 64, on=device))
convolve(rows(1, 1, 512, 16, on=device), rows(64, 16, 1, 1, on=device), 16, groups=0)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])

kept = rows(1, 1, 512, 16, on=device, memory_config=ttnn.L1_MEMORY_CONFIG)
for arguments in (
    (rows(2, 256, 16, on=device, memory_config=ttnn.L1_MEMORY_CONFIG), rows(64, 16, 3, 3), 16),
    (kept, rows(64, 16, 3, 3, layout=ttnn.TILE_LAYOUT), 16),
    (rows(2, 16, 16, 32, on=device), rows(64, 16, 3, 3), 16),
):
    try:
        convolve(*arguments)
    except RuntimeError:
        continue
    raise AssertionError("expected to be refused")
ttnn.close_device(device)
