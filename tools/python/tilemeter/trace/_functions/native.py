# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The extension's part, with the names that the package alone uses, which its stubs leave out."""

from __future__ import annotations

from typing import Any

from tilemeter._tilemeter import trace as _module

trace: Any = _module
