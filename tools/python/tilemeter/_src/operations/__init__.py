# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What a call of an operation is: its record, hooks, signature and documentation."""
