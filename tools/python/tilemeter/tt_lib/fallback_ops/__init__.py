# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions and modules of torch that take tensors of ttnn and return such."""

from __future__ import annotations

from tilemeter.tt_lib.fallback_ops import conversion_wrapper as conversion_wrapper, fallback_ops as fallback_ops
from tilemeter.tt_lib.fallback_ops.fallback_ops import *  # noqa: F403
