# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""NumPy's and torch's functions on arrays, written in the operations of graphs: values, element types and keywords as there."""
