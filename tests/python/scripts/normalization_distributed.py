# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Norms of rows that several chips share, as one of them computes: its sums, then its part by the sums of all."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device)


x = tensor(1, 1, 64, 1024)
residual = tensor(1, 1, 64, 1024)
short = tensor(1, 1, 30, 100)
blocks = tensor(1, 1, 32, 1024, dtype=ttnn.bfloat8_b)
tall = tensor(1, 1, 256, 4096)
weight = tensor(1, 1, 32, 32, layout=ttnn.ROW_MAJOR_LAYOUT)
gathered = tensor(1, 1, 64, 256)
gathered_tall = tensor(1, 1, 256, 128)
gathered_short = tensor(1, 1, 30, 128)
kernels = ttnn.WormholeComputeKernelConfig(
    math_fidelity=ttnn.MathFidelity.HiFi4, math_approx_mode=True, fp32_dest_acc_en=True, packer_l1_acc=True
)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = [
    ttnn.rms_norm_pre_all_gather(x),
    ttnn.rms_norm_pre_all_gather(x, residual_input_tensor=residual, memory_config=ttnn.L1_MEMORY_CONFIG),
    ttnn.rms_norm_pre_all_gather(blocks, dtype=ttnn.float32, compute_kernel_config=kernels),
    ttnn.rms_norm_pre_all_gather(tall, use_2d_core_grid=True),
    ttnn.layer_norm_pre_all_gather(x),
    ttnn.layer_norm_pre_all_gather(short),
    ttnn.rms_norm_post_all_gather(x, gathered, epsilon=1e-5, weight=weight),
    ttnn.rms_norm_post_all_gather(x, gathered, weight=weight, bias=weight, dtype=ttnn.bfloat8_b),
    ttnn.rms_norm_post_all_gather(tall, gathered_tall, use_2d_core_grid=True),
    ttnn.layer_norm_post_all_gather(x, gathered),
    ttnn.layer_norm_post_all_gather(x, gathered, weight=weight, bias=weight, compute_kernel_config=kernels),
    ttnn.layer_norm_post_all_gather(short, gathered_short, memory_config=ttnn.L1_MEMORY_CONFIG),
]
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
del kept
ttnn.close_device(device)
