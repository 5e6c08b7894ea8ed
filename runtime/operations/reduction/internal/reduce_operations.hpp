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

/// The reduction of four dimensions, the last (W), the last but one (H), or both, where the tensor is a single tile.
/// AVG is a sum times a scaler. Sums over one dimension also take ROW_MAJOR tensors.
struct ReduceDeviceOperation {
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "ReduceDeviceOperation";
    static constexpr std::string_view kAttributesName = "ReduceParams";

    /// In a tall tensor with few columns, H is reduced in two stages, so that all cores have work: the first leaves
    /// `slices` rows (row-major), the second reduces these.
    enum class Stage : std::uint8_t { kOnly, kSlices, kOfSlices };

    ReduceOpMath math;
    ReduceOpDim dim;
    float scaler;
    MemoryConfig memory_config;
    DataType output_dtype;
    Layout output_layout = Layout::TILE;
    Stage stage = Stage::kOnly;
    std::uint64_t slices = 1;
    OptionalCores sub_core_grids{};  ///< of interleaved tensors

    std::tuple<std::string, std::string, float, MemoryConfig, DataType, std::string, std::string, bool, int,
               std::string, std::uint64_t, bool, bool, int, Layout>
    attributes() const;
    auto key_attributes() const {
        return std::tie(math, dim, scaler, memory_config, output_dtype, output_layout, slices, stage,
                        sub_core_grids);
    }

    void validate(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    MemoryConfig on_cores_of(const TensorSpec& input) const;
    MemoryConfig with_shards_of_one_row_or_column(MemoryConfig place) const;
};

/// Sum over a dimension that is not inside the tiles. The result's last two dimensions are whole tiles.
struct FastReduceNCDeviceOperation {
    static constexpr bool kMakesOutputsFirst = true;
    static constexpr bool kTakesNdShards = true;
    static constexpr std::string_view kName = "FastReduceNCDeviceOperation";
    static constexpr std::string_view kAttributesName = "FastReduceNCParams";

    std::size_t dimension;
    MemoryConfig memory_config;
    DataType output_dtype;
    OptionalCores sub_core_grids{};

    auto attributes() const {
        return std::make_tuple(dimension, memory_config, output_dtype, sub_core_grids);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// True if the minimum of such elements is made as the negative of the maximum of their negatives.
bool takes_negatives(DataType dtype);

/// True if the program that takes the minimum of columns of such elements has room for their negatives. If not, the
/// tensor is negated as a whole.
bool keeps_negatives_apart(const TensorSpec& input, const DeviceDescription& device);

}  // namespace tilemeter
