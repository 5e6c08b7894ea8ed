// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that make tiles of rows, and rows of tiles.

#pragma once

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/data_movement/block_split.hpp"
#include "runtime/operations/work/work_cores.hpp"

namespace tilemeter {

/// The padded tensor as matrices of tiles, whatever its layout.
TileGrid tile_grid(const Shape& shape);

/// ROW_MAJOR to TILE. Rows and columns are whole tiles.
struct TilizeOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "TilizeDeviceOperation";
    static constexpr std::string_view kAttributesName = "TilizeParams";

    MemoryConfig memory_config;
    DataType dtype;
    CoreChoice cores{};
    bool low_memory = false;  ///< one core, a tile at a time
    bool row_fits = true;     ///< a row of tiles, in and out, in the L1 that is free

    auto attributes() const {
        return std::make_tuple(memory_config, dtype, cores.use_multicore, row_fits, low_memory,
                               cores.sub_core_grids);
    }

    bool works_in_shards(const TensorSpec& input) const;
    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// ROW_MAJOR to TILE, padded to `padded`: whole tiles, as much as the input or more.
struct TilizeWithValPaddingOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "TilizeWithValPaddingDeviceOperation";
    static constexpr std::string_view kAttributesName = "TilizeWithValPaddingParams";

    Shape padded;
    float pad_value;
    MemoryConfig memory_config;
    DataType dtype;
    CoreChoice cores{};
    bool row_fits = true;  ///< as in TilizeOperation

    auto attributes() const {
        return std::make_tuple(padded, pad_value, memory_config, dtype, cores.use_multicore, row_fits,
                               cores.sub_core_grids);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// TILE to ROW_MAJOR. Rows and columns are whole tiles, or lie in shards that stay as they are.
struct UntilizeOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "UntilizeDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeOperationAttributes";

    MemoryConfig memory_config;
    CoreChoice cores{};
    bool row_fits = true;  ///< as in TilizeOperation

    auto attributes() const {
        return std::make_tuple(memory_config, cores.use_multicore, cores.sub_core_grids, row_fits);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// The same for interleaved bfloat16 and bfloat8_b: spreads the columns of few tile rows over the cores.
struct UntilizeCodegen {
    static constexpr bool kKeepsProgramsByFreeL1 = true;
    static constexpr std::string_view kName = "UntilizeCodegenDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeCodegenOperationAttributes";

    MemoryConfig memory_config;

    auto attributes() const { return std::make_tuple(memory_config); }

    /// True if TT-NN takes it for such an input, where so much of each core is free beside the output.
    bool takes(const TensorSpec& input, const DeviceDescription& device, std::uint64_t free_l1_bytes) const;

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// TILE to ROW_MAJOR, up to the element `last`: without padding, or with a part of it (as zeros), or less
/// than all.
struct UntilizeWithUnpaddingOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "UntilizeWithUnpaddingDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeWithUnpaddingParams";

    Shape last;  ///< index of the last element
    MemoryConfig memory_config;
    CoreChoice cores{};
    bool row_fits = true;  ///< as in TilizeOperation

    auto attributes() const {
        return std::make_tuple(last, memory_config, cores.use_multicore, row_fits, cores.sub_core_grids);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device,
                     std::uint64_t free_l1_bytes) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// True if a row of tiles fits in that much of a core, in and out; to tiles also the rows that it is read from.
bool row_of_tiles_fits(std::uint64_t columns, DataType from, DataType to, bool to_tiles,
                       const DeviceDescription& device, std::uint64_t free_l1_bytes);

}  // namespace tilemeter
