# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""An exit stack that can be left in parts, which TT-NN has beside its captures."""

from __future__ import annotations

import contextlib


class ExitStackWithPop(contextlib.ExitStack):
    """An exit stack whose latest entry can be left alone."""

    def pop(self) -> None:
        """Leaves the latest entry."""
        _, leave = self._exit_callbacks.pop()  # type: ignore[attr-defined]
        leave(None, None, None)
