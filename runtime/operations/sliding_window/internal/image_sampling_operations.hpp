// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations behind rotate and grid_sample: each pixel of the result is one of the input's, or
// lies between four.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/operations/core/device_operation.hpp"

namespace tilemeter {

enum class Interpolation { kNearest, kBilinear };

class Rotate : public DeviceOperationWith<Rotate> {
public:
    static constexpr std::string_view kName = "RotateDeviceOperation";
    static constexpr std::string_view kAttributesName = "operation_attributes_t";

    Rotate(float angle, std::optional<std::array<float, 2>> center, float fill, Interpolation interpolation,
           MemoryConfig memory_config)
        : angle_(angle),
          center_(center),
          fill_(fill),
          interpolation_(interpolation),
          memory_config_(std::move(memory_config)) {}
    auto attributes() const {
        return std::make_tuple(
            angle_, fill_,
            std::string_view(interpolation_ == Interpolation::kBilinear ? "bilinear" : "nearest"),
            memory_config_);
    }

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    float angle_;
    std::optional<std::array<float, 2>> center_;
    float fill_;
    Interpolation interpolation_;
    MemoryConfig memory_config_;
};

struct GridSampling {
    Interpolation interpolation;
    bool align_corners;
    bool precomputed;
    bool points_as_channels;
    MemoryConfig memory_config;

    /// Of one point.
    std::uint32_t values() const { return precomputed && interpolation == Interpolation::kBilinear ? 6 : 2; }
};

class GridSample : public DeviceOperationWith<GridSample> {
public:
    static constexpr std::string_view kName = "GridSampleOperation";
    static constexpr std::string_view kAttributesName = "GridSampleParams";

    GridSample(GridSampling sampling, CoreCoord compute_grid)
        : sampling_(std::move(sampling)), compute_grid_(compute_grid) {}
    auto attributes() const {
        return std::make_tuple(
            std::string_view(sampling_.interpolation == Interpolation::kBilinear ? "bilinear" : "nearest"),
            std::string_view("zeros"), sampling_.align_corners, sampling_.precomputed,
            sampling_.points_as_channels, sampling_.memory_config);
    }

    void validate(std::span<const TensorSpec> inputs) const override;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const override;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const override;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const override;

private:
    MemoryConfig output_memory(const TensorSpec& grid, std::uint32_t points, std::uint32_t channels) const;

    GridSampling sampling_;
    CoreCoord compute_grid_;  // shards of the result lie on all of it
};

}  // namespace tilemeter
