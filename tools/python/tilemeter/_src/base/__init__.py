# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The base of all rooms: configuration, argument errors, names of modules."""
