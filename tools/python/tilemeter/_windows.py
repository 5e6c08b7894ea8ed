# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's names around convolutions."""

from __future__ import annotations

from tilemeter._tilemeter import Conv2dConfig, Conv2dSliceConfig

Conv1dConfig = Conv2dConfig
Op2DSliceConfig = Conv2dSliceConfig
Conv2dDRAMSliceHeight = Conv2dSliceConfig.SliceTypeEnum.DRAMSliceHeight
Conv2dDRAMSliceWidth = Conv2dSliceConfig.SliceTypeEnum.DRAMSliceWidth
Conv2dL1Full = Conv2dSliceConfig.SliceTypeEnum.L1Full
Conv2dL1FullSliceConfig = Conv2dSliceConfig(slice_type=Conv2dL1Full)


def get_conv_output_dim(input: int, window: int, stride: int = 1, pad: int = 0, dilation: int = 1) -> int:
    """Height or width of a convolution's output."""
    return (input + 2 * pad - dilation * (window - 1) - 1) // stride + 1
