# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The likeness of two tensors' values."""

from __future__ import annotations

from tilemeter._src.golden.comparison import (
    comp_pcc as comp_pcc, comp_ulp as comp_ulp, pearson_correlation_coefficient as pearson_correlation_coefficient, ulp as ulp,
)
from tilemeter._src.operations.operation import python_operation as python_operation
