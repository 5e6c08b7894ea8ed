# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions of each channel by its own filter along a row, without bias, as Mamba's."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)
compute = ttnn.init_device_compute_kernel_config(device.arch(), math_fidelity=ttnn.MathFidelity.LoFi)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for channels, length, kernel, padding, dtype, options in (
    (64, 256, 4, 0, ttnn.bfloat16, {}),
    (2560, 35, 4, 0, ttnn.bfloat16, {}),  # more than one transfer takes
    (1024, 64, 4, 0, ttnn.bfloat16, {}),
    (48, 512, 3, 1, ttnn.bfloat16, {}),  # no whole tiles
    (128, 1024, 3, 1, ttnn.bfloat8_b, {}),
    (64, 4096, 4, 3, ttnn.bfloat16, {}),
    (64, 4096, 3, 3, ttnn.bfloat16, {"enable_act_double_buffer": True, "enable_weights_double_buffer": True}),
    (64, 4096, 4, 3, ttnn.bfloat16, {"act_block_h_override": 32, "enable_weights_double_buffer": True}),
    (64, 4096, 4, 3, ttnn.bfloat16, {"act_block_h_override": 64, "force_split_reader": True}),
):
    x = ttnn.from_torch(torch.rand(1, length, 1, channels), dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    weight = ttnn.from_torch(torch.rand(channels, 1, kernel), dtype=ttnn.bfloat16)
    config = ttnn.Conv1dConfig(weights_dtype=dtype, shard_layout=ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
                               deallocate_activation=True, **options)
    for _ in range(2):  # weights as they came, and as they are on the device
        y, _, (weight, _) = ttnn.conv1d(
            input_tensor=x, weight_tensor=weight, in_channels=channels, out_channels=channels, device=device,
            bias_tensor=None, kernel_size=kernel, stride=1, padding=padding, batch_size=1, input_length=length,
            dtype=dtype, conv_config=config, compute_config=compute, groups=channels, return_output_dim=True,
            return_weights_and_bias=True)
        assert tuple(y.shape) == (1, 1, length + 2 * padding - kernel + 1, channels)
        del y
    del x, weight
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
