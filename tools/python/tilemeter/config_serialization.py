# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Configs as dictionaries of plain values."""

from __future__ import annotations

from tilemeter._src.types.config_serialization import (
    compute_kernel_config_to_dict as compute_kernel_config_to_dict, memory_config_to_dict as memory_config_to_dict,
    program_config_to_dict as program_config_to_dict,
)
from tilemeter._tilemeter import MemoryConfig as MemoryConfig, WormholeComputeKernelConfig as WormholeComputeKernelConfig
