# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""softmax of elementwise operations and sums."""

from __future__ import annotations

from tilemeter._src.fallbacks.softmax import softmax as softmax
