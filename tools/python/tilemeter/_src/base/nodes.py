# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Nodes of captures."""

from __future__ import annotations

from typing import Any

Node = dict[str, Any]  # one of TT-NN's node list, or a record beside it, by the names that JSON has
