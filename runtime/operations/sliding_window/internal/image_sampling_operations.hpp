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

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

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

    explicit GridSample(GridSampling sampling) : sampling_(std::move(sampling)) {}
    auto attributes() const {
        return std::make_tuple(
            std::string_view(sampling_.interpolation == Interpolation::kBilinear ? "bilinear" : "nearest"),
            std::string_view("zeros"), sampling_.align_corners, sampling_.precomputed,
            sampling_.points_as_channels, sampling_.memory_config);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs, const DeviceDescription& device) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    MemoryConfig output_memory(const TensorSpec& grid, std::uint32_t points, std::uint32_t channels,
                               CoreCoord compute_grid) const;

    GridSampling sampling_;
};

}  // namespace tilemeter
