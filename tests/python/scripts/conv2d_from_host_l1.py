# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions of images on the host that are to lie in L1, with nothing said of slices: they go in one piece."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for batch, size, channels, outputs, kernel, padding, layout in (
    (6, 16, 192, 256, 1, 0, None),
    (2, 16, 64, 64, 3, 1, None),
    (1, 32, 48, 64, 3, 1, ttnn.TensorMemoryLayout.HEIGHT_SHARDED),
    (1, 32, 64, 64, 1, 0, ttnn.TensorMemoryLayout.BLOCK_SHARDED),
):
    for memory_config in (ttnn.L1_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG):
        x = ttnn.from_torch(torch.ones(batch, size, size, channels), ttnn.bfloat16, memory_config=memory_config)
        weight = ttnn.from_torch(torch.ones(outputs, channels, kernel, kernel), dtype=ttnn.bfloat16)
        y = ttnn.conv2d(
            input_tensor=x, weight_tensor=weight, device=device, in_channels=channels, out_channels=outputs, batch_size=batch,
            input_height=size, input_width=size, kernel_size=(kernel, kernel), stride=(1, 1), padding=(padding, padding),
            conv_config=ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, shard_layout=layout, deallocate_activation=True),
        )
        del x, y
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
