# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions and modules of torch that take tensors of ttnn and return such."""

from tilemeter.tt_lib.fallback_ops import fallback_ops as _own

globals().update({name: getattr(_own, name) for name in _own.__all__})
__all__ = ["fallback_ops", *_own.__all__]
