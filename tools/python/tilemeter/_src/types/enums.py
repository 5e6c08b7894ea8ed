# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Enumerations that scripts name and that change nothing here; names and values are TT-NN's."""

from __future__ import annotations

import enum


class Named(enum.Enum):
    """An enumeration whose members print as Name.MEMBER."""

    def __repr__(self) -> str:
        return str(self)


class Arch(Named):
    """Family of chips."""

    GRAYSKULL = 1
    WORMHOLE_B0 = 2
    BLACKHOLE = 3
    QUASAR = 4


class OtherDataType(Named):
    """Types of elements that TT-NN has beside DataType's: programs may name them, no tensor is made of them."""

    FP8_E4M3 = 8
    INT8 = 9
    INVALID = 10

    def __str__(self) -> str:
        return f"DataType.{self.name}"


class BinaryOpType(Named):
    """A function of two elements."""

    ADD = 0
    SUB = 1
    MUL = 2
    GT = 3
    LT = 4
    LE = 5
    GE = 6
    EQ = 7
    NE = 8
    SQUARED_DIFFERENCE = 9
    BIAS_GELU = 10
    LOGADDEXP = 11
    LOGICAL_AND = 12
    LOGICAL_OR = 13
    LOGICAL_XOR = 14
    LDEXP = 15
    LOGADDEXP2 = 16
    DIV = 17
    DIV_FLOOR = 18
    DIV_TRUNC = 19
    REMAINDER = 20
    FMOD = 21
    RSUB = 22
    POWER = 23
    BITWISE_XOR = 24
    BITWISE_AND = 25
    BITWISE_OR = 26
    LEFT_SHIFT = 27
    RIGHT_SHIFT = 28
    LOGICAL_RIGHT_SHIFT = 29
    QUANT = 30
    REQUANT = 31
    DEQUANT = 32
    MAXIMUM = 33
    MINIMUM = 34
    GCD = 35
    LCM = 36
    ADDALPHA = 37
    SUBALPHA = 38
    XLOGY = 39
    HYPOT = 40
    ATAN2 = 41
    NEXTAFTER = 42
    WHERE_TST = 43
    WHERE_TTS = 44
    ISCLOSE = 45
    SITU_GLU = 46


class CoreType(Named):
    """The purpose of a core of the chip."""

    ARC = 0
    DRAM = 1
    ACTIVE_ETH = 2
    IDLE_ETH = 3
    PCIE = 4
    TENSIX = 5
    ROUTER_ONLY = 6
    SECURITY = 7
    L2CPU = 8
    DISPATCH = 9
    HARVESTED = 10
    ETH = 11
    WORKER = 12
    COUNT = 13
    UNSPECIFIED = 14


class DataMovementProcessor(Named):
    """A processor of a core that moves data."""

    RISCV_0 = 0
    RISCV_1 = 1
    RISCV_2 = 2
    RISCV_3 = 3
    RISCV_4 = 4
    RISCV_5 = 5
    RISCV_6 = 6
    RISCV_7 = 7


class DispatchCoreAxis(Named):
    """The direction of the cores that dispatch: rows or columns; without effect here."""

    ROW = 0
    COL = 1


class DispatchCoreType(Named):
    """The cores that commands are dispatched from; without effect here."""

    WORKER = 0
    ETH = 1


class DistributedLayerNormStage(Named):
    """The parts of a norm over several chips."""

    NOT_DISTRIBUTED = 0
    PRE_ALL_GATHER = 1
    POST_ALL_GATHER = 2


class DumpTensorMode(Named):
    """The part that several processes write of a tensor."""

    DISTRIBUTED_GATHER = 0
    LOCAL = 1


class EmbeddingsType(Named):
    """The rows of a table of embeddings that are asked for."""

    GENERIC = 0
    PADDED = 1
    BINARY = 2


class FabricConfig(Named):
    """The wiring of chips for each other; without effect here."""

    DISABLED = 0
    FABRIC_1D = 2
    FABRIC_1D_RING = 3
    FABRIC_1D_NEIGHBOR_EXCHANGE = 1
    FABRIC_2D = 4
    FABRIC_2D_TORUS_XY = 7
    FABRIC_2D_TORUS_X = 5
    FABRIC_2D_TORUS_Y = 6
    CUSTOM = 8


class FabricManagerMode(Named):
    """The one who starts and stops the wiring; without effect here."""

    DEFAULT = 3
    ENABLED = 0
    INIT_FABRIC = 1
    TERMINATE_FABRIC = 2


class FabricReliabilityMode(Named):
    """The meaning of a missing link; without effect here."""

    STRICT_INIT = 0
    RELAXED_INIT = 1
    DYNAMIC_RECONFIG = 2


class FabricTensixConfig(Named):
    """The share of compute cores in sending; without effect here."""

    DISABLED = 0
    MUX = 1


class FabricType(Named):
    """The shape of the wiring."""

    MESH = 1
    TORUS_X = 2
    TORUS_Y = 4
    TORUS_XY = 6


class FabricUDMMode(Named):
    """The movement of data over several chips in one step; without effect here."""

    DISABLED = 0
    ENABLED = 1


class LayerNormType(Named):
    """The kinds of norms."""

    LAYERNORM = 0
    RMSNORM = 1


class NOC(Named):
    """The two networks on the chip."""

    RISCV_0_default = 0
    RISCV_1_default = 1
    NOC_0 = 0
    NOC_1 = 1


class NOC_MODE(Named):
    """The rule whether a processor keeps to one network."""

    DM_DEDICATED_NOC = 0
    DM_DYNAMIC_NOC = 1


class PaddingMode(Named):
    """The pixels beyond the edges of an image."""

    Zeros = 0
    Replicate = 1


class ReduceType(Named):
    """The reductions of many elements."""

    Sum = 0
    Mean = 1
    Max = 2
    Min = 3
    Std = 4
    Var = 5
    Prod = 6


class ShardShapeAlignment(Named):
    """The alignment of shards' sizes: rounded up to tiles, or not."""

    NONE = 0
    REQUIRED = 1
    RECOMMENDED = 2


class SigmoidMode(Named):
    """The way sigmoid is computed."""

    Accurate = 2
    AccurateWithFastExp = 1
    FastApproximate = 0


class ThrottleLevel(Named):
    """The throttling of products; without effect here."""

    NO_THROTTLE = 0
    LEVEL_1 = 1
    LEVEL_2 = 2
    LEVEL_3 = 3
    LEVEL_4 = 4
    LEVEL_5 = 5


class TileReshapeMapMode(Named):
    """The rule whether the table of a reshape is kept."""

    CACHE = 0
    RECREATE = 1


class Topology(Named):
    """The way of data between chips; without effect here."""

    Ring = 2
    Linear = 1
    Mesh = 3
    Torus = 4
