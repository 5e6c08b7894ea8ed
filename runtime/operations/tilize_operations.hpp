// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that make tiles of rows, and rows of tiles.

#pragma once

#include <optional>

#include "runtime/operations/block_split.hpp"
#include "runtime/operations/device_operation.hpp"

namespace tilemeter {

/// The padded tensor as matrices of tiles, whatever its layout.
TileGrid tile_grid(const Shape& shape);

/// ROW_MAJOR to TILE. Rows and columns are whole tiles.
class Tilize : public DeviceOperationWith<Tilize> {
public:
    static constexpr std::string_view kName = "TilizeDeviceOperation";
    static constexpr std::string_view kAttributesName = "TilizeParams";

    Tilize(MemoryConfig memory_config, DataType dtype)
        : memory_config_(std::move(memory_config)), dtype_(dtype) {}
    auto attributes() const { return std::make_tuple(memory_config_, dtype_); }

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    MemoryConfig memory_config_;
    DataType dtype_;
};

/// ROW_MAJOR to TILE, padded to whole tiles.
class TilizeWithValPadding : public DeviceOperationWith<TilizeWithValPadding> {
public:
    static constexpr std::string_view kName = "TilizeWithValPaddingDeviceOperation";
    static constexpr std::string_view kAttributesName = "TilizeWithValPaddingParams";

    TilizeWithValPadding(float pad_value, MemoryConfig memory_config, DataType dtype)
        : pad_value_(pad_value), memory_config_(std::move(memory_config)), dtype_(dtype) {}
    auto attributes() const { return std::make_tuple(pad_value_, memory_config_, dtype_); }

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    float pad_value_;
    MemoryConfig memory_config_;
    DataType dtype_;
};

/// TILE to ROW_MAJOR. Rows and columns are whole tiles, or lie in shards that stay as they are.
class Untilize : public DeviceOperationWith<Untilize> {
public:
    static constexpr std::string_view kName = "UntilizeDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeOperationAttributes";

    explicit Untilize(MemoryConfig memory_config) : memory_config_(std::move(memory_config)) {}
    auto attributes() const { return std::make_tuple(memory_config_, true); }

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    MemoryConfig memory_config_;
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

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    MemoryConfig memory_config_;
};

/// TILE to ROW_MAJOR, without the padding.
class UntilizeWithUnpadding : public DeviceOperationWith<UntilizeWithUnpadding> {
public:
    static constexpr std::string_view kName = "UntilizeWithUnpaddingDeviceOperation";
    static constexpr std::string_view kAttributesName = "UntilizeWithUnpaddingParams";

    UntilizeWithUnpadding(const Shape& last, MemoryConfig memory_config)
        : last_(last), memory_config_(std::move(memory_config)) {}
    auto attributes() const { return std::make_tuple(last_, memory_config_, true); }

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    Shape last_;  ///< index of the last element
    MemoryConfig memory_config_;
};

}  // namespace tilemeter
