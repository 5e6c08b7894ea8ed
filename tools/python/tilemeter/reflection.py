# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of calls."""

from __future__ import annotations

from tilemeter._src.operations.reflection import pop_argument as pop_argument
