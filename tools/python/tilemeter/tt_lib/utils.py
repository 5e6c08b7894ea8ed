# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Small helpers of tt_lib: rounding, padding torch tensors to whole tiles, comparing values."""

from __future__ import annotations

from tilemeter._src.fallbacks.utils import (
    divup as divup, find_closest_largest_divisor as find_closest_largest_divisor,
    find_closest_largest_divisor_with_num_padding as find_closest_largest_divisor_with_num_padding,
    float_to_bits as float_to_bits, is_close as is_close, nearest_32 as nearest_32, pad_activation as pad_activation,
    pad_weight as pad_weight, print_diff_argmax as print_diff_argmax, roundup as roundup, roundup32 as roundup32,
    tilize as tilize, tilize_to_list as tilize_to_list, tt2torch as tt2torch, tt2torch_rm as tt2torch_rm, untilize as untilize,
)
