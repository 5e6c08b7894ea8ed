# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions and modules of torch for tensors of ttnn, with tt_lib's names and parameters."""

from __future__ import annotations

from tilemeter._src.fallbacks.conversion_wrapper import convert_tt_tensors_wrapper as convert_tt_tensors_wrapper
from tilemeter._src.fallbacks.fallback_ops import (
    AdaptiveAvgPool2d as AdaptiveAvgPool2d, BatchNorm2d as BatchNorm2d, Conv2d as Conv2d, GroupNorm as GroupNorm,
    LayerNorm as LayerNorm, MaxPool2d as MaxPool2d, binary_bitwise_and as binary_bitwise_and,
    binary_bitwise_left_shift as binary_bitwise_left_shift, binary_bitwise_or as binary_bitwise_or,
    binary_bitwise_right_shift as binary_bitwise_right_shift, binary_bitwise_xor as binary_bitwise_xor,
    binary_fmod as binary_fmod, bitwise_not as bitwise_not, ceil as ceil, chunk as chunk, concat as concat, conv2d as conv2d,
    floor as floor, full as full, group_norm as group_norm, interpolate as interpolate, layer_norm as layer_norm, pad as pad,
    permute as permute, repeat as repeat, repeat_interleave as repeat_interleave, reshape as reshape, silu as silu,
    softmax as softmax, tensor_slice as tensor_slice, torch_argmax as torch_argmax, torch_argmin as torch_argmin,
    trunc as trunc, unary_bitwise_and as unary_bitwise_and, unary_bitwise_left_shift as unary_bitwise_left_shift,
    unary_bitwise_or as unary_bitwise_or, unary_bitwise_right_shift as unary_bitwise_right_shift,
    unary_bitwise_xor as unary_bitwise_xor, unary_fmod as unary_fmod,
)
