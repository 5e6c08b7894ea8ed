# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Steps of training a classifier of two layers by hand: forward, loss, backward, optimizers, all with moreh's operations."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tiles(*shape):
    return ttnn.from_torch(torch.rand(*shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


x, target = tiles(64, 96), tiles(64, 32)
first, second, bias = tiles(128, 96), tiles(32, 128), tiles(1, 128)
images, square_of_96 = tiles(2, 3, 64, 96), tiles(96, 96)
accurate = ttnn.WormholeComputeKernelConfig(math_fidelity=ttnn.MathFidelity.HiFi4, fp32_dest_acc_en=True)

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
average, square = ttnn.moreh_full_like(second, 0.0), ttnn.moreh_full_like(second, 0.0)
buffer = None
for step in (1, 2):
    hidden = ttnn.moreh_linear(x, first, bias=bias)
    active = ttnn.gelu(hidden)
    scores = ttnn.moreh_matmul(active, second, transpose_other=True, compute_kernel_config=accurate)
    shares = ttnn.moreh_logsoftmax(scores, 1)
    loss = ttnn.moreh_mean(ttnn.neg(ttnn.multiply(shares, target)))
    grad = ttnn.moreh_mean_backward(loss, dim=[0, 1], keepdim=True, input_grad_shape=scores.shape)
    grad = ttnn.mul_bw(grad, shares, target, are_required_outputs=[True, False])[0]
    grad = ttnn.moreh_logsoftmax_backward(shares, grad, 1)
    of_second = ttnn.moreh_matmul(grad, active, transpose_input=True)
    grad = ttnn.gelu_bw(ttnn.moreh_matmul(grad, second), hidden)[0]
    of_first = ttnn.moreh_matmul(grad, x, transpose_input=True)
    of_bias = ttnn.moreh_sum(grad, 0, keepdim=True)
    norm = ttnn.moreh_norm(of_first, 2.0)
    first, buffer = ttnn.moreh_sgd(first, of_first, buffer, None, None, 0.1, 0.9, momentum_initialized=buffer is not None)
    second, average, square, _ = ttnn.moreh_adamw(second, of_second, average, square, step=step)
    bias = ttnn.moreh_sgd(bias, of_bias, None, bias, None, 0.1, momentum_initialized=False)[0]
for dim in (3, 2, 1, 0, [2, 3], None):
    total = ttnn.moreh_sum(images, dim, memory_config=ttnn.L1_MEMORY_CONFIG)
    mean = ttnn.moreh_mean(images, dim=dim, keepdim=True, compute_kernel_config=accurate)
for dim in (3, 2, 1):
    y = ttnn.moreh_softmax(images, dim, compute_kernel_config=accurate)
    z = ttnn.moreh_softmin(images, dim)
    g = ttnn.moreh_softmin_backward(z, images, dim)
    n = ttnn.moreh_norm(images, float("inf"), dim=dim, keepdim=True)
    b = ttnn.moreh_sum_backward(n, input=images, dim=dim, keepdim=True)
into = ttnn.moreh_linear_backward(hidden, x, first, bias=bias, input_grad=x, weight_grad=first, bias_grad=bias)
into = ttnn.moreh_matmul_backward(images, images, square_of_96, input_a_grad=images, input_b_grad=square_of_96)
into = ttnn.moreh_norm_backward(images, n, n, 2.0, dim=1, keepdim=True)
adam = ttnn.moreh_adam(x, x, x, x, step=1, amsgrad=True, max_exp_avg_sq_in=x)
p = ttnn.moreh_abs_pow(images, 2.5)
c = ttnn.moreh_cumsum(images, 0)
c = ttnn.moreh_cumsum_backward(images, 1)
d = ttnn.moreh_dot(tiles(1, 1, 1, 96), tiles(1, 1, 1, 96))
m = ttnn.moreh_bmm(tiles(3, 64, 32), tiles(3, 32, 64))
f = ttnn.moreh_full([2, 64, 64], 2.0, device)
a = ttnn.moreh_arange(0, 200, 1, device)
r = ttnn.moreh_arange(0, 200, 1, device, untilize_out=True)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
