# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of torch for tensors of ttnn."""

from __future__ import annotations

from tilemeter._src.fallbacks.conversion_wrapper import (
    Placement as Placement, convert_pt_tensor_to_tt_tensor as convert_pt_tensor_to_tt_tensor,
    convert_tt_tensor_to_pt_tensor as convert_tt_tensor_to_pt_tensor, convert_tt_tensors_wrapper as convert_tt_tensors_wrapper,
)
