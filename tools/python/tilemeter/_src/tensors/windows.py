# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's names around convolutions and poolings."""

from __future__ import annotations

from typing import Any

from tilemeter._src.operations import wrapped
from tilemeter._tilemeter import (
    Conv2dConfig, Conv2dSliceConfig, Conv3dConfig, CoreRangeSet, DataType, Layout, MemoryConfig, ShardOrientation, Tensor,
    TensorMemoryLayout,
)

Conv1dConfig = Conv2dConfig
Op2DSliceConfig = Conv2dSliceConfig
Conv2dDRAMSliceHeight = Conv2dSliceConfig.SliceTypeEnum.DRAMSliceHeight
Conv2dDRAMSliceWidth = Conv2dSliceConfig.SliceTypeEnum.DRAMSliceWidth
Conv2dL1Full = Conv2dSliceConfig.SliceTypeEnum.L1Full
Conv2dL1FullSliceConfig = Conv2dSliceConfig(slice_type=Conv2dL1Full)
Op2DDRAMSliceHeight, Op2DDRAMSliceWidth, Op2DL1Full = Conv2dDRAMSliceHeight, Conv2dDRAMSliceWidth, Conv2dL1Full
Op2DL1FullSliceConfig = Conv2dL1FullSliceConfig


class SlidingWindowParallelConfig:
    """The sharing of the rows of a sliding window's input among the cores of `grid`. Raises TypeError for other
    types."""

    __slots__ = ("grid", "shard_scheme", "shard_orientation")

    def __init__(
        self, *, grid: CoreRangeSet, shard_scheme: TensorMemoryLayout, shard_orientation: ShardOrientation
    ) -> None:
        for name, value, expected in (
            ("grid", grid, CoreRangeSet), ("shard_scheme", shard_scheme, TensorMemoryLayout),
            ("shard_orientation", shard_orientation, ShardOrientation),
        ):
            if not isinstance(value, expected):
                raise TypeError(
                    f"SlidingWindowParallelConfig: {name}: expected {expected.__name__}, got {type(value).__name__}"
                )
        self.grid, self.shard_scheme, self.shard_orientation = grid, shard_scheme, shard_orientation


_FIELDS = (
    "weights_dtype", "activation", "deallocate_activation", "reallocate_halo_output", "config_tensors_in_dram",
    "act_block_h_override", "act_block_w_div", "reshard_if_not_optimal", "override_sharding_config", "shard_layout",
    "core_grid", "transpose_shards", "output_layout", "enable_act_double_buffer", "enable_weights_double_buffer",
    "full_inner_dim", "enable_kernel_stride_folding", "enable_activation_reuse", "force_split_reader",
    "override_output_sharding_config",
)


def _value_text(value: Any) -> str:
    if value is None:
        return "std::nullopt"
    if isinstance(value, bool):
        return str(int(value))
    return str(value).replace(".", "::") if hasattr(type(value), "__members__") else str(value)


def _config_text(self: Conv2dConfig) -> str:
    values = ",".join(f"{name}={_value_text(getattr(self, name))}" for name in _FIELDS)
    return f"Conv2dConfig({values},padding_mode=PaddingMode::{self.padding_mode.name})"


def _volumes_text(self: Conv3dConfig) -> str:
    grid = self.compute_with_storage_grid_size
    blocks = ",".join(f"{name}={getattr(self, name)}" for name in
                      ("T_out_block", "W_out_block", "H_out_block", "C_out_block", "C_in_block"))
    return (f"Conv3dConfig(weights_dtype={_value_text(self.weights_dtype)},output_layout={_value_text(self.output_layout)},"
            f"{blocks},dilation={{{', '.join(map(str, self.dilation))}}},alignment={self.alignment},"
            f"compute_with_storage_grid_size={grid.x}-{grid.y},"
            f"enable_fp32_operand_split={int(self.enable_fp32_operand_split)})")


def _slices_text(self: Conv2dSliceConfig) -> str:
    kinds = {Conv2dDRAMSliceHeight: "DRAM_HEIGHT", Conv2dDRAMSliceWidth: "DRAM_WIDTH", Conv2dL1Full: "L1_FULL"}
    return f"Op2DSliceConfig(slice_type=SliceType::{kinds[self.slice_type]},num_slices={self.num_slices})"


setattr(Conv2dConfig, "__repr__", _config_text)
setattr(Conv2dSliceConfig, "__repr__", _slices_text)
setattr(Conv3dConfig, "__repr__", _volumes_text)


def global_avg_pool2d(
    input_tensor: Tensor, *, memory_config: MemoryConfig | None = None, dtype: DataType | None = None
) -> Tensor:
    """The mean of each channel over each image [batch, height, width, channels] or without leading dimensions, as
    [batch, 1, 1, channels] in TILE. Raises ValueError for other ranks."""
    shape = list(input_tensor.shape)
    if not 2 <= len(shape) <= 4:
        raise ValueError(f"global_avg_pool2d expects rank 2, 3, or 4 input, got rank {len(shape)}")
    batch, height, width, channels = [1] * (4 - len(shape)) + shape if len(shape) > 2 else [1, *shape, 1]
    config = input_tensor.memory_config()
    if config.is_sharded():
        input_tensor = wrapped.to_memory_config(
            input_tensor, MemoryConfig(TensorMemoryLayout.INTERLEAVED, config.buffer_type)
        )
    pooled = wrapped.avg_pool2d(
        input_tensor=input_tensor, batch_size=batch, input_h=height, input_w=width, channels=channels,
        kernel_size=(height, width), stride=(1, 1), padding=(0, 0), memory_config=memory_config,
        dtype=DataType.BFLOAT16 if dtype is None else dtype, output_layout=Layout.TILE,
    )
    return wrapped.reshape(pooled, (batch, 1, 1, channels))


def get_conv_output_dim(input: int, window: int, stride: int = 1, pad: int = 0, dilation: int = 1) -> int:
    """Height or width of a convolution's output."""
    return (input + 2 * pad - dilation * (window - 1) - 1) // stride + 1
