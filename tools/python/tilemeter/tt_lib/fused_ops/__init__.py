# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions that are made of several operations."""

from tilemeter.tt_lib.fused_ops.linear import Linear as Linear
from tilemeter.tt_lib.fused_ops.softmax import softmax as softmax
