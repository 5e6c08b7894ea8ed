// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that make tiles of rows, and rows of tiles.

#pragma once

#include <optional>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/core/work_cores.hpp"
#include "runtime/operations/data_movement/internal/block_split.hpp"

namespace tilemeter {

/// The padded tensor as matrices of tiles, whatever its layout.
TileGrid tile_grid(const Shape& shape);

/// ROW_MAJOR to TILE. Rows and columns are whole tiles.
class TilizeOperation : public DeviceOperationWith<TilizeOperation> {
public:
    static constexpr std::string_view kName = "TilizeDeviceOperation";
    static constexpr std::string_view kAttributesName = "TilizeParams";

    TilizeOperation(MemoryConfig memory_config, DataType dtype, CoreChoice cores = {},
                    bool low_memory = false)
        : memory_config_(std::move(memory_config)),
          dtype_(dtype),
          cores_(std::move(cores)),
          low_memory_(low_memory) {}
    auto attributes() const {
        return std::make_tuple(memory_config_, dtype_, cores_.use_multicore, low_memory_,
                               cores_.sub_core_grids);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    MemoryConfig memory_config_;
    DataType dtype_;
    CoreChoice cores_;
    bool low_memory_;  ///< one core, a tile at a time
};

/// ROW_MAJOR to TILE, padded to `padded`: whole tiles, as much as the input or more.
class TilizeWithValPaddingOperation : public DeviceOperationWith<TilizeWithValPaddingOperation> {
public:
    static constexpr std::string_view kName = "TilizeWithValPaddingDeviceOperation";
    static constexpr std::string_view kAttributesName = "TilizeWithValPaddingParams";

    TilizeWithValPaddingOperation(const Shape& padded, float pad_value, MemoryConfig memory_config,
                                  DataType dtype, CoreChoice cores = {})
        : padded_(padded),
          pad_value_(pad_value),
          memory_config_(std::move(memory_config)),
          dtype_(dtype),
          cores_(std::move(cores)) {}
    auto attributes() const {
        return std::make_tuple(padded_, pad_value_, memory_config_, dtype_, cores_.use_multicore,
                               cores_.sub_core_grids);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    Shape padded_;
    float pad_value_;
    MemoryConfig memory_config_;
    DataType dtype_;
    CoreChoice cores_;
};

/// TILE to ROW_MAJOR. Rows and columns are whole tiles, or lie in shards that stay as they are.
class UntilizeOperation : public DeviceOperationWith<UntilizeOperation> {
public:
    static constexpr std::string_view kName = "UntilizeDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeOperationAttributes";

    explicit UntilizeOperation(MemoryConfig memory_config, CoreChoice cores = {})
        : memory_config_(std::move(memory_config)), cores_(std::move(cores)) {}
    auto attributes() const {
        return std::make_tuple(memory_config_, cores_.use_multicore, cores_.sub_core_grids);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    MemoryConfig memory_config_;
    CoreChoice cores_;
};

/// The same for interleaved bfloat16 and bfloat8_b: spreads the columns of few tile rows over the cores.
class UntilizeCodegen : public DeviceOperationWith<UntilizeCodegen> {
public:
    static constexpr std::string_view kName = "UntilizeCodegenDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeCodegenOperationAttributes";

    explicit UntilizeCodegen(MemoryConfig memory_config) : memory_config_(std::move(memory_config)) {}
    auto attributes() const { return std::make_tuple(memory_config_); }

    /// Whether TT-NN takes it for such an input.
    static bool takes(const TensorSpec& input, const MemoryConfig& memory_config);

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    MemoryConfig memory_config_;
};

/// TILE to ROW_MAJOR, up to the element `last`: without padding, or with a part of it (as zeros), or less
/// than all.
class UntilizeWithUnpaddingOperation : public DeviceOperationWith<UntilizeWithUnpaddingOperation> {
public:
    static constexpr std::string_view kName = "UntilizeWithUnpaddingDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeWithUnpaddingParams";

    UntilizeWithUnpaddingOperation(const Shape& last, MemoryConfig memory_config, CoreChoice cores = {})
        : last_(last), memory_config_(std::move(memory_config)), cores_(std::move(cores)) {}
    auto attributes() const {
        return std::make_tuple(last_, memory_config_, cores_.use_multicore, cores_.sub_core_grids);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    Shape last_;  ///< index of the last element
    MemoryConfig memory_config_;
    CoreChoice cores_;
};

}  // namespace tilemeter
