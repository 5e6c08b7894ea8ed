# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Normalization of groups of channels as moreh's and its gradients: small and large groups, ragged images, given tensors."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape):
    return ttnn.zeros(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


moreh = ttnn.operations.moreh
cases = ((2, 4, 1, 23, 23), (2, 4, 2, 64, 96), (3, 6, 3, 100, 64), (1, 4, 1, 288, 544), (1, 64, 2, 32, 33))
given = tensor(2, 4, 64, 96), tensor(1, 1, 2, 2), tensor(1, 1, 2, 2)
small = tensor(2, 4, 64, 96), tensor(1, 1, 1, 4), tensor(1, 1, 1, 4)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
kept = []
for n, channels, groups, height, width in cases:
    x, grad = tensor(n, channels, height, width), tensor(n, channels, height, width)
    mean, rstd = tensor(1, 1, n, groups), tensor(1, 1, n, groups)
    gamma, beta = tensor(1, 1, 1, channels), tensor(1, 1, 1, channels)
    kept.append(moreh.group_norm(x, groups, 1e-5, gamma, beta, are_required_outputs=(True, True, True)))
    kept.append(moreh.group_norm(x, groups, beta=beta, are_required_outputs=(True, False, True)))
    kept.append(moreh.group_norm(x, groups, memory_config=ttnn.L1_MEMORY_CONFIG if channels == 6 else None))
    kept.append(
        moreh.group_norm_backward(
            grad, x, mean, rstd, groups, are_required_outputs=(True, True, True), gamma=gamma
        )
    )
    kept.append(moreh.group_norm_backward(grad, x, mean, rstd, groups))
    kept.append(moreh.group_norm_backward(grad, x, mean, rstd, groups, are_required_outputs=(False, False, True)))
x, grad, mean = tensor(2, 4, 64, 96), tensor(2, 4, 64, 96), tensor(1, 1, 2, 2)
moreh.group_norm(x, 2, output=given[0], mean=given[1], rstd=given[2], are_required_outputs=(True, True, True))
moreh.group_norm_backward(
    grad, x, mean, mean, 2, are_required_outputs=(True, True, True), input_grad=small[0], gamma_grad=small[1],
    beta_grad=small[2],
)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
