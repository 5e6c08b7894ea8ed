// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that reductions are made of: planned by the rules of TT-NN 0.81.1.
//
// Thread safety: const calls may run at the same time; calls that change an object need outside locking.

#pragma once

#include <cstdint>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/reduction/reduction.hpp"

namespace tilemeter {

enum class ReduceOpDim : std::uint8_t { H, W, HW };

/// Of four dimensions, the last (W), the last but one (H), or both, where the tensor is a single tile. AVG is
/// a sum times a scaler. Sums over one dimension also take ROW_MAJOR tensors.
class ReduceDeviceOperation : public DeviceOperationWith<ReduceDeviceOperation> {
public:
    static constexpr std::string_view kName = "ReduceDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReduceParams";

    /// Of a tall tensor with few columns, H is reduced in two stages, so that all cores have work: the first
    /// leaves `slices` rows (row-major), the second reduces these.
    enum class Stage : std::uint8_t { kOnly, kSlices, kOfSlices };

    ReduceDeviceOperation(ReduceOpMath math, ReduceOpDim dim, float scaler, MemoryConfig memory_config,
                          DataType output_dtype, Layout output_layout = Layout::TILE,
                          Stage stage = Stage::kOnly, std::uint64_t slices = 1)
        : math_(math),
          dim_(dim),
          scaler_(scaler),
          memory_config_(std::move(memory_config)),
          output_dtype_(output_dtype),
          output_layout_(output_layout),
          stage_(stage),
          slices_(slices) {}

    std::tuple<std::string, std::string, float, MemoryConfig, DataType, std::string, std::string, bool, int,
               std::string, std::uint64_t, bool, bool, int, Layout>
    attributes() const;
    auto key_attributes() const {
        return std::tie(math_, dim_, scaler_, memory_config_, output_dtype_, output_layout_, slices_, stage_);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    ReduceOpMath math_;
    ReduceOpDim dim_;
    float scaler_;
    MemoryConfig memory_config_;
    DataType output_dtype_;
    Layout output_layout_;
    Stage stage_;
    std::uint64_t slices_;
};

/// Sum over a dimension that is not inside the tiles. The result's last two dimensions are whole tiles.
class FastReduceNCDeviceOperation : public DeviceOperationWith<FastReduceNCDeviceOperation> {
public:
    static constexpr std::string_view kName = "FastReduceNCDeviceOperation";
    static constexpr std::string_view kAttributesName = "FastReduceNCParams";

    FastReduceNCDeviceOperation(std::size_t dimension, MemoryConfig memory_config, DataType output_dtype)
        : dimension_(dimension), memory_config_(std::move(memory_config)), output_dtype_(output_dtype) {}

    auto attributes() const { return std::make_tuple(dimension_, memory_config_, output_dtype_); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::size_t dimension_;
    MemoryConfig memory_config_;
    DataType output_dtype_;
};

/// Whether the minimum of such elements is made as the negative of the maximum of their negatives.
bool takes_negatives(DataType dtype);

/// Whether the program that takes the minimum of columns of such elements has room for their negatives. If
/// not, the tensor is negated as a whole.
bool keeps_negatives_apart(const TensorSpec& input, const DeviceDescription& device);

}  // namespace tilemeter
