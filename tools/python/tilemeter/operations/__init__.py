# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's modules of operations by family, which the package makes once it is complete (_src/package/families.py)."""
