# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""tt_lib's functions that run in torch or are made of several operations."""
