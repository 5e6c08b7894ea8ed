// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Enumerations of TT-NN 0.81.1 and TT-Metalium with its numbers, which its Python module shows.

#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace tt {

enum class ARCH : std::uint8_t { Invalid = 0, GRAYSKULL = 1, WORMHOLE_B0 = 2, BLACKHOLE = 3, QUASAR = 4 };

enum class DataFormat : std::uint8_t {
    Float32 = 0,
    Float16 = 1,
    Bfp8 = 2,
    Bfp4 = 3,
    Tf32 = 4,
    Float16_b = 5,
    Bfp8_b = 6,
    Bfp4_b = 7,
    Int32 = 8,
    UInt16 = 9,
    Lf8 = 10,
    Bfp2 = 11,
    Int8 = 14,
    Bfp2_b = 15,
    UInt32 = 24,
    UInt8 = 30,
    RawUInt8 = 0xf0,
    RawUInt16 = 0xf1,
    RawUInt32 = 0xf2,
    Fp8_e4m3 = 0x1a,
    Invalid = 0xff
};
std::ostream& operator<<(std::ostream& out, DataFormat format);

}  // namespace tt

namespace tt {

/// What a core of a chip is for.
enum class CoreType : std::uint8_t {
    ARC = 0,
    DRAM = 1,
    ACTIVE_ETH = 2,
    IDLE_ETH = 3,
    PCIE = 4,
    TENSIX = 5,
    ROUTER_ONLY = 6,
    SECURITY = 7,
    L2CPU = 8,
    HARVESTED = 9,
    ETH = 10,
    WORKER = 11,
    COUNT = 12,
    UNKNOWN = 13
};

}  // namespace tt
using tt::CoreType;  // NOLINT(google-global-names-in-headers): global in TT-Metalium, too

inline constexpr std::uint32_t NUM_CIRCULAR_BUFFERS = 64;

namespace tt::tt_metal {

enum class DataType : std::uint8_t {
    BFLOAT16 = 0,
    FLOAT32 = 1,
    UINT32 = 2,
    BFLOAT8_B = 3,
    BFLOAT4_B = 4,
    UINT8 = 5,
    UINT16 = 6,
    INT32 = 7,
    FP8_E4M3 = 8,
    INT8 = 9,
    INVALID = 10
};

enum class Layout : std::uint8_t { ROW_MAJOR = 0, TILE = 1, INVALID = 2 };

enum class BufferType : std::uint8_t { DRAM = 0, L1 = 1, SYSTEM_MEMORY = 2, L1_SMALL = 3, TRACE = 4 };

enum class TensorMemoryLayout : std::uint8_t {
    INTERLEAVED = 0,
    SINGLE_BANK = 1,
    HEIGHT_SHARDED = 2,
    WIDTH_SHARDED = 3,
    BLOCK_SHARDED = 4,
    ND_SHARDED = 5
};

enum class ShardOrientation : std::uint8_t { ROW_MAJOR = 0, COL_MAJOR = 1 };
enum class ShardMode : std::uint8_t { PHYSICAL = 0, LOGICAL = 1 };
enum class ShardDistributionStrategy : std::uint8_t { ROUND_ROBIN_1D = 0, GRID_2D = 1, CONTIGUOUS_1D = 2 };
enum class MathFidelity : std::uint8_t { LoFi = 0, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4, Invalid = 0xff };
enum class StorageType : std::uint8_t { HOST = 0, DEVICE = 1 };
enum NOC : std::uint8_t { RISCV_0_default = 0, RISCV_1_default = 1, NOC_0 = 0, NOC_1 = 1 };
enum class UnpackToDestMode : std::uint8_t { UnpackToDestFp32 = 0, Default = 1 };
enum class DispatchCoreType : std::uint8_t { WORKER = 0, ETH = 1, COUNT = 2 };
enum class DispatchCoreAxis : std::uint8_t { ROW = 0, COL = 1, COUNT = 2 };
enum class HalMemType : std::uint8_t { L1 = 0, DRAM = 1, HOST = 2, COUNT = 3 };

bool is_floating_point(DataType dtype);
bool is_block_float(DataType dtype);
/// Throws std::runtime_error for INVALID.
tt::DataFormat datatype_to_dataformat_converter(DataType dtype);
/// Throws std::runtime_error for formats that no tensor has.
DataType dataformat_to_datatype_converter(tt::DataFormat format);

// Names without their type: "BFLOAT16".
std::ostream& operator<<(std::ostream& out, DataType dtype);
std::ostream& operator<<(std::ostream& out, Layout layout);
std::ostream& operator<<(std::ostream& out, BufferType type);
std::ostream& operator<<(std::ostream& out, TensorMemoryLayout layout);
std::ostream& operator<<(std::ostream& out, ShardOrientation orientation);
std::ostream& operator<<(std::ostream& out, MathFidelity fidelity);
std::ostream& operator<<(std::ostream& out, StorageType type);

}  // namespace tt::tt_metal

namespace tt::tt_fabric {

enum class Topology : std::uint8_t { NeighborExchange = 0, Linear = 1, Ring = 2, Mesh = 3, Torus = 4 };

enum class FabricConfig : std::uint8_t {
    DISABLED = 0,
    FABRIC_1D_NEIGHBOR_EXCHANGE = 1,
    FABRIC_1D = 2,
    FABRIC_1D_RING = 3,
    FABRIC_2D = 4,
    FABRIC_2D_TORUS_X = 5,
    FABRIC_2D_TORUS_Y = 6,
    FABRIC_2D_TORUS_XY = 7,
    CUSTOM = 8
};

}  // namespace tt::tt_fabric

namespace reduction_common {
enum class ReduceType : std::uint8_t { Sum = 0, Mean = 1, Max = 2, Min = 3, Std = 4, Var = 5, Prod = 6 };
}

// MathFidelity is a global name of TT-Metalium's, too.
using tt::tt_metal::MathFidelity;  // NOLINT(google-global-names-in-headers): clients write it so

namespace ttnn {
using tt::tt_metal::BufferType;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MathFidelity;
using tt::tt_metal::ShardDistributionStrategy;
using tt::tt_metal::ShardOrientation;
using tt::tt_metal::StorageType;
using tt::tt_metal::TensorMemoryLayout;

inline constexpr auto uint8 = DataType::UINT8;
inline constexpr auto uint16 = DataType::UINT16;
inline constexpr auto int32 = DataType::INT32;
inline constexpr auto uint32 = DataType::UINT32;
inline constexpr auto float32 = DataType::FLOAT32;
inline constexpr auto bfloat16 = DataType::BFLOAT16;
inline constexpr auto bfloat8_b = DataType::BFLOAT8_B;
inline constexpr auto bfloat4_b = DataType::BFLOAT4_B;
inline constexpr auto TILE_LAYOUT = Layout::TILE;
inline constexpr auto ROW_MAJOR_LAYOUT = Layout::ROW_MAJOR;
inline constexpr auto TILE_SIZE = 32U;

namespace ccl {
using Topology = tt::tt_fabric::Topology;
}  // namespace ccl
namespace types {
using tt::tt_metal::BufferType;
using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::TensorMemoryLayout;
}  // namespace types
}  // namespace ttnn

namespace ttnn::operations::moreh {
namespace moreh_softmax {
enum class MorehSoftmaxOp : std::uint8_t { SOFTMAX, SOFTMIN, LOGSOFTMAX };
enum class MorehSoftmaxOpParallelizationStrategy : std::uint8_t {
    NONE,
    SMALL_W,
    SMALL_H,
    LARGE_W,
    LARGE_H,
    LARGE_C
};
}  // namespace moreh_softmax
namespace moreh_softmax_backward {
enum class MorehSoftmaxBackwardOp : std::uint8_t { SOFTMAX, SOFTMIN, LOGSOFTMAX };
enum class MorehSoftmaxBackwardOpParallelizationStrategy : std::uint8_t {
    NONE,
    SMALL_W,
    SMALL_H,
    LARGE_W,
    LARGE_H,
    LARGE_C
};
}  // namespace moreh_softmax_backward
}  // namespace ttnn::operations::moreh
