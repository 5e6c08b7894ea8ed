# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`python -m tilemeter VERB REPORT`: the program `tilemeter`."""

from __future__ import annotations

from tilemeter.commands import tilemeter

if __name__ == "__main__":
    tilemeter()
