# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Gradients of elementwise operations ("_bw"), in DRAM, in L1, into given tensors, of shards, only some of them."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tiles(*shape, dtype=ttnn.bfloat16):
    return ttnn.from_torch(torch.rand(*shape), dtype=dtype, layout=ttnn.TILE_LAYOUT, device=device)


cores = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 0))})
shards = ttnn.MemoryConfig(
    ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, ttnn.ShardSpec(cores, [32, 64], ttnn.ShardOrientation.ROW_MAJOR)
)
grad, a, b, c, given = (tiles(1, 2, 64, 96) for _ in range(5))
real = tiles(1, 1, 50, 70, dtype=ttnn.float32)
s = ttnn.to_memory_config(tiles(1, 1, 128, 64), shards)
OF_ONE = (
    "abs acos acosh asin asinh atan atanh ceil celu cos cosh deg2rad digamma elu erf erfc erfinv exp exp2 expm1 fill fill_zero "
    "floor frac gelu hardshrink hardsigmoid hardswish hardtanh i0 leaky_relu lgamma log log10 log1p log2 log_sigmoid logit "
    "logiteps multigammaln neg rad2deg reciprocal relu relu6 round rsqrt selu sigmoid sign silu sin sinh softplus softshrink "
    "softsign sqrt square tan tanh tanhshrink trunc"
).split()
OF_TWO = (
    "add addalpha assign atan2 bias_gelu div fmod hypot ldexp logaddexp logaddexp2 max min mul remainder rsub "
    "squared_difference sub subalpha xlogy"
).split()

ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for name in OF_ONE:
    getattr(ttnn, f"{name}_bw")(grad, a, memory_config=ttnn.L1_MEMORY_CONFIG)
for name in ("exp", "fill", "gelu", "neg", "rsqrt", "silu", "sqrt", "tanh"):
    getattr(ttnn, f"{name}_bw")(grad, a, input_grad=given)
for name in ("gelu", "relu", "sigmoid", "tanh", "exp", "log"):
    getattr(ttnn, f"{name}_bw")(s, s)
    getattr(ttnn, f"{name}_bw")(real, real)
for name in OF_TWO:
    getattr(ttnn, f"{name}_bw")(grad, a, b, memory_config=ttnn.L1_MEMORY_CONFIG)
for name in ("add", "sub", "mul", "div", "rsub"):
    getattr(ttnn, f"{name}_bw")(grad, a, b, are_required_outputs=[True, False])
    getattr(ttnn, f"{name}_bw")(grad, a, b, are_required_outputs=[False, True])
for name in ("add", "sub", "mul", "div", "fmod", "remainder", "rdiv", "div_no_nan", "bias_gelu"):
    getattr(ttnn, f"{name}_bw")(grad, a, 2.0)
ttnn.rdiv_bw(grad, a, -2.0)
ttnn.rdiv_bw(grad, a, 2.0, rounding_mode="floor")
ttnn.div_bw(grad, a, b, rounding_mode="trunc")
ttnn.div_bw(grad, a, 0.0)
ttnn.polygamma_bw(grad, a, 2)
ttnn.threshold_bw(grad, a, 0.5, 1.0)
ttnn.clamp_bw(grad, a, 0.1, 0.9)
ttnn.clamp_bw(grad, a, min=0.1)
ttnn.clip_bw(grad, a, b, c)
for exponent in (0.0, 0.5, 1.0, 2.0, 3.5):
    ttnn.pow_bw(grad, a, exponent)
    ttnn.rpow_bw(grad, a, exponent)
ttnn.addcmul_bw(grad, a, b, c, 2.0)
ttnn.addcdiv_bw(grad, a, b, c, 2.0)
ttnn.lerp_bw(grad, a, b, c)
ttnn.lerp_bw(grad, a, b, 0.5)
ttnn.where_bw(grad, a, b, c)
x = ttnn.gelu_bw(grad, a, variant=ttnn.GeluVariant.Tanh)[0]
y = ttnn.bias_gelu_bw(grad, a, b, approximate="tanh")
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
