# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Complex tensors: functions and gradients, in one place and from one to another."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def part(*shape, dtype, memory_config):
    return ttnn.from_torch(torch.rand(*shape) + 0.5, dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device,
                           memory_config=memory_config)


def every_function(shape, dtype, source, target):
    def complex_tensor():
        return ttnn.complex_tensor(
            part(*shape, dtype=dtype, memory_config=source), part(*shape, dtype=dtype, memory_config=source)
        )

    x, grad, other = complex_tensor(), complex_tensor(), complex_tensor()
    real_grad = part(*shape, dtype=dtype, memory_config=source)
    for function in (ttnn.real, ttnn.imag, ttnn.is_real, ttnn.is_imag, ttnn.angle, ttnn.conj, ttnn.polar):
        function(x, memory_config=target)
        function(x)
    ttnn.abs(x, memory_config=target)
    ttnn.reciprocal(x, memory_config=target)
    for gradient in (ttnn.real_bw, ttnn.imag_bw, ttnn.angle_bw, ttnn.abs_bw):
        gradient(real_grad, x, memory_config=target)
    for gradient in (ttnn.conj_bw, ttnn.reciprocal_bw, ttnn.polar_bw):
        gradient(grad, x, memory_config=target)
    for gradient in (ttnn.mul_bw, ttnn.div_bw):
        gradient(grad, x, other, memory_config=target)
    for gradient in (ttnn.add_bw, ttnn.sub_bw):
        gradient(grad, x, other, 2.0, memory_config=target)
        gradient(grad, x, other, 2.0)
    kept = ttnn.conj(x)
    x.deallocate()
    return kept[1], kept.real


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
every_function((1, 1, 32, 64), ttnn.bfloat16, ttnn.DRAM_MEMORY_CONFIG, ttnn.DRAM_MEMORY_CONFIG)
every_function((2, 3, 40, 50), ttnn.bfloat16, ttnn.L1_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG)
every_function((1, 2, 64, 64), ttnn.float32, ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
