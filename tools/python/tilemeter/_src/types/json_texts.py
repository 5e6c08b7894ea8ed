# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Cores, shards and memory configs as JSON texts, and back: to_json and from_json, in TT-NN's form."""

from __future__ import annotations

import json
from typing import Any

from tilemeter._src.types.types import _made_with
from tilemeter._tilemeter import (
    BufferType, CoreCoord, CoreRange, CoreRangeSet, MatmulMultiCoreReuseMultiCast1DProgramConfig,
    MatmulMultiCoreReuseMultiCastProgramConfig, MatmulMultiCoreReuseProgramConfig, MemoryConfig, NdShardSpec,
    ShardDistributionStrategy, ShardOrientation, ShardSpec, TensorMemoryLayout,
)

_SIZES = ("compute_with_storage_grid_size", "in0_block_w", "out_subblock_h", "out_subblock_w", "per_core_M", "per_core_N")
_BLOCKS = ("out_block_h", "out_block_w", "fuse_batch")
_PROGRAM_CONFIGS: dict[type, tuple[str, ...]] = {
    MatmulMultiCoreReuseProgramConfig: _SIZES,
    MatmulMultiCoreReuseMultiCastProgramConfig: (*_SIZES, *_BLOCKS, "transpose_mcast"),
    MatmulMultiCoreReuseMultiCast1DProgramConfig: (*_SIZES, *_BLOCKS, "mcast_in0"),
}
# The fields that a config has in TT-NN beyond that, at its default.
_DEFAULTS: dict[type, dict[str, Any]] = {
    MatmulMultiCoreReuseProgramConfig: {"allowed_worker_cores": None},
    MatmulMultiCoreReuseMultiCastProgramConfig: {"allowed_worker_cores": None},
    MatmulMultiCoreReuseMultiCast1DProgramConfig: {
        "allowed_worker_cores": None, "gather_in0": False, "hop_cores": [], "num_global_cb_receivers": 1,
        "stream_in1": False, "untilize_out": False,
    },
}


def _number(value: Any) -> int:
    return int(value.value)


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, CoreCoord):
        return {"x": value.x, "y": value.y}
    if isinstance(value, CoreRange):
        return {"start": _plain(value.start), "end": _plain(value.end)}
    if isinstance(value, CoreRangeSet):
        return [_plain(area) for area in value.ranges()]
    if isinstance(value, ShardSpec):
        return {"grid": _plain(value.grid), "shape": list(value.shape), "orientation": _number(value.orientation)}
    if isinstance(value, NdShardSpec):  # TT-NN's text has a word of regret in the place of the shape
        return {"grid": _plain(value.grid), "shard_shape": list(value.shard_shape), "orientation": _number(value.orientation),
                "shard_distribution_strategy": _number(value.shard_distribution_strategy)}
    if isinstance(value, MemoryConfig):
        parts = {"nd_shard_spec": _made_with(value), "shard_spec": value.shard_spec}
        spec = {name: _plain(part) for name, part in parts.items() if part is not None}
        layout, memory = _number(value.memory_layout), _number(value.buffer_type)
        flags = {"created_with_nd_shard_spec": "nd_shard_spec" in spec, "per_core_allocation": False}
        return {"memory_layout": layout, "buffer_type": memory, **flags, **spec}
    if type(value) in _PROGRAM_CONFIGS:
        names = _PROGRAM_CONFIGS[type(value)]
        if getattr(value, "fused_activation", None) is not None:
            raise RuntimeError(f"to_json: a fused activation has no JSON form: {value.fused_activation}")
        shown = {name: _plain(getattr(value, name)) for name in names}
        return {**shown, **_DEFAULTS[type(value)], **({"fused_activation": None} if "fuse_batch" in names else {})}
    return value


def _core(value: Any) -> CoreCoord:
    return CoreCoord(value["x"], value["y"])


def _range(value: Any) -> CoreRange:
    return CoreRange(_core(value["start"]), _core(value["end"]))


def _ranges(value: Any) -> CoreRangeSet:
    return CoreRangeSet([_range(each) for each in value])


def _shards(value: Any) -> ShardSpec:
    return ShardSpec(_ranges(value["grid"]), value["shape"], ShardOrientation(value["orientation"]))


def _config(value: Any) -> MemoryConfig:
    several = value.get("nd_shard_spec")
    if several is not None:
        spread = ShardDistributionStrategy(several["shard_distribution_strategy"])
        shards = NdShardSpec(several["shard_shape"], _ranges(several["grid"]), ShardOrientation(several["orientation"]), spread)
        return MemoryConfig(BufferType(value["buffer_type"]), shards)
    spec = value.get("shard_spec")
    layout, memory = TensorMemoryLayout(value["memory_layout"]), BufferType(value["buffer_type"])
    return MemoryConfig(layout, memory, None if spec is None else _shards(spec))


def _to_json(self: Any) -> str:
    """The value as JSON text."""
    return json.dumps(_plain(self), sort_keys=True, separators=(",", ":"))


def _reader(kind: type, read: Any) -> Any:
    def from_json(json_string: str) -> Any:
        """The value that to_json wrote. Raises RuntimeError for another text."""
        try:
            return read(json.loads(json_string))
        except (ValueError, KeyError, TypeError) as error:
            raise RuntimeError(f"{kind.__name__}.from_json: expected a text of to_json: {error!r}") from None

    return staticmethod(from_json)


def _program_config_reader(kind: type) -> Any:
    def read(value: Any) -> Any:
        given = {name: value[name] for name in _PROGRAM_CONFIGS[kind]}
        return kind(**{**given, "compute_with_storage_grid_size": _core(given["compute_with_storage_grid_size"])})

    return read


for _kind, _read in (
    (CoreCoord, _core), (CoreRange, _range), (CoreRangeSet, _ranges), (ShardSpec, _shards), (MemoryConfig, _config),
    *((kind, _program_config_reader(kind)) for kind in _PROGRAM_CONFIGS),
):
    setattr(_kind, "to_json", _to_json)
    setattr(_kind, "from_json", _reader(_kind, _read))
