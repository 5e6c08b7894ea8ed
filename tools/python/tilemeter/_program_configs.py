# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Program configs of softmax and norms: kept and shown; what these occupy follows from their tensors here."""

from __future__ import annotations

import dataclasses

from tilemeter._tilemeter import CoreCoord

Cores = CoreCoord | tuple[int, int]


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


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerNormDefaultProgramConfig:
    """A norm of an interleaved tensor."""

    legacy_reduction: bool = False
    legacy_rsqrt: bool = False
    use_welford: bool = False


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
