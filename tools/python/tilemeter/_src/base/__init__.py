# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What all rooms stand on: configuration, argument errors, names of modules."""
