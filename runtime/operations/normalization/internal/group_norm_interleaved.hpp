// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// group_norm of interleaved tensors in tiles: each core takes tile rows of one image and the channels of
// whole groups, in turns of as many tile rows as num_out_blocks says.
//
//     grid of cores  ─▶  virtual columns: share out the channels; as many as divide the groups and leave
//                        whole tiles
//                    ─▶  virtual rows: columns side by side; share out the tile rows
//
// The rules follow sweeps of TT-NN 0.81.1 on n150 and p150.

#pragma once

#include <optional>
#include <string>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

/// The number of columns, of a grid of `grid_x`, among which the channels of the groups are shared out; 0: none fits.
std::uint32_t group_norm_virtual_columns(std::uint32_t grid_x, std::uint32_t num_channels,
                                         std::uint32_t num_groups);

/// The largest grid, columns first, within `compute_grid` over which rows of tiles (`input_nhw` rows of
/// elements in all) are shared out evenly, with whole rows of cores per image or whole images per row of
/// cores. Nothing: there is none.
std::optional<CoreCoord> find_group_norm_grid(CoreCoord compute_grid, std::uint32_t num_channels,
                                              std::uint32_t num_groups, std::uint64_t input_nhw,
                                              std::uint32_t num_batches);

/// Throws RuntimeError.
[[noreturn]] void refuse_group_norm(const std::string& what);

struct InterleavedGroupNormRequest {
    std::uint32_t groups = 1;
    float epsilon = 0.0F;
    MemoryConfig memory_config;
    Layout output_layout = Layout::TILE;
    std::optional<CoreCoord> core_grid;          ///< nothing: the largest that fits
    std::optional<std::int32_t> num_out_blocks;  ///< -1 as by itself; nothing: 1 with a core_grid
    bool has_mask = false;
    bool has_weight = false;
    bool has_bias = false;
    bool use_welford = false;
};

/// Inputs: the tensor [images, 1, height * width, channels], TILE; mask, weight and bias as far as they are
/// there, as those of sharded tensors. dtypes: bfloat16, float32.
struct InterleavedGroupNorm {
    static constexpr std::string_view kName = "GroupNormDeviceOperation";
    static constexpr std::string_view kAttributesName = "GroupNormParams";

    InterleavedGroupNormRequest request;

    auto attributes() const {
        return std::make_tuple(request.epsilon, request.groups, request.memory_config, grid_text(),
                               request.num_out_blocks.value_or(0), request.output_layout, request.has_mask,
                               request.has_weight, request.has_bias, request.use_welford);
    }

    void validate(SpecsView inputs) const;
    void validate_program(SpecsView inputs, const DeviceDescription& device) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;

private:
    std::string grid_text() const;
};

}  // namespace tilemeter
