# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Products whose bias has more dimensions than they, results that are given with more, and activations as types."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def on_device(*shape):
    return ttnn.from_torch(torch.rand(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for a, b, bias, shape in (
    ((32, 32), (32, 32), (32,), [32, 32]), ((32, 32), (32, 32), (1, 1, 32), [1, 32, 32]),
    ((17, 40), (40, 64), (1, 1, 1, 1, 64), [1, 1, 1, 17, 64]), ((1, 64), (64, 64), (1, 1, 1, 1, 64), [1, 1, 1, 1, 64]),
    ((2, 32, 64), (64, 32), (1, 1, 1, 32), [1, 2, 32, 32]), ((32, 32), (32, 64), (1, 2, 32, 64), [1, 2, 32, 64]),
    ((64, 64), (64, 64), (1, 1, 1, 64), [1, 1, 64, 64]),
):
    y = ttnn.linear(on_device(*a), on_device(*b), bias=on_device(*bias))
    assert list(y.shape) == shape, (list(y.shape), shape)
    del y
for a, b, bias, given in (
    ((17, 64), (64, 32), (1, 32), (1, 1, 17, 32)), ((64, 64), (64, 64), (1, 1, 1, 1, 64), (1, 1, 1, 64, 64)),
    ((64, 32), (32, 64), (1, 1, 64), (64, 64)),
):
    y = ttnn.linear(on_device(*a), on_device(*b), bias=on_device(*bias), optional_output_tensor=on_device(*given))
    assert tuple(y.shape) == given
    del y
grid, kinds = ttnn.CoreGrid(y=2, x=2), ttnn.UnaryOpType
a, b = on_device(1, 32, 128), on_device(128, 128)
for activation in (
    "relu", "mish", "exp", ttnn.UnaryWithParam(kinds.RELU), ttnn.UnaryWithParam(kinds.SILU), ttnn.UnaryWithParam(kinds.ABS),
    ttnn.UnaryWithParam(kinds.HARDTANH, -0.5, 0.5), ttnn.UnaryWithParam(kinds.SOFTPLUS, 1.0, 20.0),
):
    for cores in (grid, None):
        try:
            ttnn.linear(a, b, activation=activation, core_grid=cores)
        except RuntimeError as error:
            assert "Unsupported UnaryOpType for fused activation: UnaryOpType::" in str(error)
ttnn.matmul(a, b, activation=ttnn.UnaryWithParam(kinds.GELU))
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
