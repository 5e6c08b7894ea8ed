# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A linear layer of matmul and add."""

from __future__ import annotations

from tilemeter._src.fallbacks.linear import Linear as Linear
