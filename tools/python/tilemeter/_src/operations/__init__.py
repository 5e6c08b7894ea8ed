# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Calls of an operation: its record, hooks, signature and documentation."""
