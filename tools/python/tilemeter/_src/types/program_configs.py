# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Program configs of softmax and norms: kept and shown; only operations on shards look at them."""

from __future__ import annotations

import dataclasses
from typing import Any

from tilemeter._tilemeter import CoreCoord

Cores = CoreCoord | tuple[int, int] | list[int]


def _text(config: Any, separator: str) -> str:
    """In TT-NN's form: flags as 0 and 1, grids as x-y."""

    def value_text(value: Any) -> str:
        if isinstance(value, (list, tuple)):
            return "-".join(str(each) for each in value)
        return str(int(value)) if isinstance(value, bool) else str(value)

    shown = [field.name for field in dataclasses.fields(config) if field.name != "legacy_rsqrt"]
    values = separator.join(f"{name}={value_text(getattr(config, name))}" for name in shown)
    return f"{type(config).__name__}({values})"


@dataclasses.dataclass(frozen=True)
class SoftmaxProgramConfig:
    """Any of the two."""


@dataclasses.dataclass(frozen=True)
class SoftmaxDefaultProgramConfig(SoftmaxProgramConfig):
    """softmax of an interleaved tensor."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class SoftmaxShardedMultiCoreProgramConfig(SoftmaxProgramConfig):
    """softmax of a sharded tensor; sizes in tiles."""

    compute_with_storage_grid_size: Cores
    subblock_w: int
    block_h: int
    block_w: int

    def __repr__(self) -> str:
        return _text(self, ", ")


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerNormDefaultProgramConfig:
    """A norm of an interleaved tensor."""

    legacy_reduction: bool = False
    legacy_rsqrt: bool = False
    use_welford: bool = False

    def __repr__(self) -> str:
        return _text(self, ",")


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerNormShardedMultiCoreProgramConfig:
    """A norm of a sharded tensor; sizes in tiles."""

    compute_with_storage_grid_size: Cores
    subblock_w: int
    block_h: int
    block_w: int
    inplace: bool
    legacy_reduction: bool = False
    legacy_rsqrt: bool = False
    use_welford: bool = False

    def __repr__(self) -> str:
        return _text(self, ",")
