# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Transformers for video: norms spread over chips with heads and rotation, attention of a ring's parts."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT):
    return ttnn.zeros(list(shape), dtype=dtype, layout=layout, device=device)


def kernels(precise):
    return ttnn.init_device_compute_kernel_config(
        device.arch(), math_fidelity=ttnn.MathFidelity.HiFi4, math_approx_mode=False, fp32_dest_acc_en=precise,
        packer_l1_acc=False,
    )


def chunks(q, k):
    return ttnn.SDPAProgramConfig(
        compute_with_storage_grid_size=device.compute_with_storage_grid_size(), q_chunk_size=q, k_chunk_size=k
    )


experimental, attention = ttnn.experimental, ttnn.transformer.ring_distributed_scaled_dot_product_attention
x, turn = tensor(1, 1, 96, 480), tensor(1, 1, 32, 32)
stats, wide_stats = tensor(1, 1, 96, 64), tensor(1, 1, 96, 128, dtype=ttnn.float32)
weight, cosines, sines = tensor(1, 480), tensor(1, 1, 96, 160), tensor(1, 1, 96, 160)
precise_cosines = tensor(1, 1, 96, 480, dtype=ttnn.float32)
q, k, short = tensor(1, 4, 1024, 64), tensor(1, 2, 1024, 64), tensor(2, 4, 512, 64)
blocks, table = tensor(48, 2, 64, 64), tensor(2, 24, dtype=ttnn.int32, layout=ttnn.ROW_MAJOR_LAYOUT)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = []
kept.append(experimental.wan_fused_rmsnorm_pre_allgather(x))
kept.append(
    experimental.wan_fused_rmsnorm_pre_allgather(x, dtype=ttnn.float32, compute_kernel_config=kernels(False))
)
kept.append(experimental.wan_fused_rmsnorm_post_allgather(x, stats))
kept.append(experimental.wan_fused_rmsnorm_post_allgather(x, stats, num_heads_per_device=3, weight=weight))
for precise in (True, False):
    kept.append(
        experimental.wan_fused_rmsnorm_post_allgather(
            x, wide_stats, num_heads_per_device=3, weight=weight, transformation_mat=turn, rope_cos=cosines,
            rope_sin=sines, compute_kernel_config=kernels(precise), dtype=ttnn.bfloat8_b,
        )
    )
kept.append(
    experimental.wan_fused_rmsnorm_post_allgather(
        x, stats, transformation_mat=turn, rope_cos=precise_cosines, rope_sin=precise_cosines,
        memory_config=ttnn.L1_MEMORY_CONFIG,
    )
)
for part in range(2):
    kept.append(attention(q, k, k, 2, part, program_config=chunks(64, 128)))
kept.append(attention(q, k, k, ring_size=4, ring_id=3, scale=0.5, memory_config=ttnn.L1_MEMORY_CONFIG))
kept.append(
    attention(short, blocks, blocks, 4, 1, program_config=chunks(64, 32), page_table=table, chunk_start_idx=1024)
)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
