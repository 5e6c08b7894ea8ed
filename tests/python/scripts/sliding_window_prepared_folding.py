# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Weights and bias prepared for convolutions whose stride is folded into channels, and the convolutions with them."""

import sys

import ttnn

device = ttnn.open_device(device_id=0, l1_small_size=16384)


def rows(*shape, layout=ttnn.ROW_MAJOR_LAYOUT):
    return ttnn.ones(list(shape), dtype=ttnn.bfloat16, layout=layout)


def prepared(weight, kernel, groups, bias=None):
    named = dict(
        in_channels=16, out_channels=64, batch_size=2, input_height=16, input_width=16, kernel_size=(kernel, kernel),
        stride=(kernel, kernel), padding=(0, 0), groups=groups, device=device,
    )
    told = dict(
        input_memory_config=ttnn.DRAM_MEMORY_CONFIG, input_layout=ttnn.ROW_MAJOR_LAYOUT, dilation=(1, 1),
        input_dtype=ttnn.bfloat16,
    )
    weight = ttnn.prepare_conv_weights(weight_tensor=weight, weights_format="OIHW", has_bias=bias is not None, **told, **named)
    if bias is not None:
        config = ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16)
        bias = ttnn.prepare_conv_bias(bias_tensor=bias, conv_config=config, **told, **named)
    x = ttnn.to_device(rows(1, 1, 512, 16), device)
    return ttnn.conv2d(input_tensor=x, weight_tensor=weight, bias_tensor=bias, **named)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
prepared(rows(64, 16, 2, 2), 2, 1)
prepared(rows(64, 16, 4, 4), 4, 0)
prepared(rows(64, 8, 4, 4), 4, 2, rows(1, 1, 1, 64))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])

for refused in (rows(64, 16, 2, 2, layout=ttnn.TILE_LAYOUT), ttnn.to_device(rows(64, 16, 2, 2), device)):
    try:
        prepared(refused, 2, 1)
    except RuntimeError:
        continue
    raise AssertionError("expected to be refused")
ttnn.close_device(device)
