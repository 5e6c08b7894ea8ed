# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions as graphs: traced, compiled, derived, planned on devices; trees of arguments."""
