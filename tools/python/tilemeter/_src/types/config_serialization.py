# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Configs as dictionaries of plain values."""

from __future__ import annotations

import json
from typing import Any

from tilemeter._tilemeter import MemoryConfig, WormholeComputeKernelConfig


def memory_config_to_dict(memory_config: MemoryConfig) -> dict[str, Any]:
    """A memory config: its layout, memory and shards as texts."""
    return {
        "memory_layout": str(memory_config.memory_layout),
        "buffer_type": str(memory_config.buffer_type),
        "shard_spec": str(memory_config.shard_spec),
        "is_sharded": bool(memory_config.is_sharded()),
        "interleaved": bool(memory_config.interleaved),
        "hash": hash(memory_config),
    }


def compute_kernel_config_to_dict(compute_kernel_config: WormholeComputeKernelConfig) -> dict[str, Any]:
    """A compute kernel config: fidelity, approximation and accumulation."""
    return {
        "math_fidelity": str(compute_kernel_config.math_fidelity),
        "math_approx_mode": str(compute_kernel_config.math_approx_mode),
        "fp32_dest_acc_en": bool(compute_kernel_config.fp32_dest_acc_en),
        "packer_l1_acc": bool(compute_kernel_config.packer_l1_acc),
        "dst_full_sync_en": bool(compute_kernel_config.dst_full_sync_en),
        "throttle_level": str(getattr(compute_kernel_config, "throttle_level", "ThrottleLevel.NO_THROTTLE")),
    }


def program_config_to_dict(program_config: Any) -> dict[str, Any]:
    """A program config: its values and its type's name."""
    if hasattr(program_config, "to_json"):
        return {**json.loads(program_config.to_json()), "type": type(program_config).__name__}
    return {"type": type(program_config).__name__, "repr": repr(program_config)}
