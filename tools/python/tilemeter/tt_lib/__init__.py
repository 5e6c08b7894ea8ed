# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's older package beside ttnn: with `tilemeter.as_ttnn`, `import tt_lib` is this one."""

from tilemeter.tt_lib import fused_ops as fused_ops
