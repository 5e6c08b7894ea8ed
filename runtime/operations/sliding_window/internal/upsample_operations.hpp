// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// The device operations that make images larger, or smaller by broken factors: [batch, height, width,
// channels]. All have one name and are four programs.

#pragma once

#include <array>
#include <cstdint>

#include "runtime/operations/core/device_operation.hpp"
#include "runtime/operations/sliding_window/internal/sliding_window.hpp"

namespace tilemeter {

/// What the four share.
template <typename Derived>
struct UpsampleOperation : DeviceOperationWith<Derived> {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";
};

/// Pixels repeated, of interleaved images, ROW_MAJOR or whole tiles.
class UpsampleDeviceOperation : public UpsampleOperation<UpsampleDeviceOperation> {
public:
    UpsampleDeviceOperation(std::array<std::uint32_t, 2> scale, MemoryConfig memory_config)
        : scale_(scale), memory_config_(std::move(memory_config)) {}
    auto attributes() const {
        return std::make_tuple(scale_[0], scale_[1], std::string_view("nearest"), memory_config_);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::array<std::uint32_t, 2> scale_;
    MemoryConfig memory_config_;
};

/// The same where the images lie in shards of rows, and stay there.
class UpsampleShards : public UpsampleOperation<UpsampleShards> {
public:
    explicit UpsampleShards(std::array<std::uint32_t, 2> scale) : scale_(scale) {}
    auto attributes() const { return std::make_tuple(scale_[0], scale_[1], std::string_view("nearest")); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::array<std::uint32_t, 2> scale_;
};

/// The nearest pixel by factors that may be broken, ROW_MAJOR.
class UpsampleFloat : public UpsampleOperation<UpsampleFloat> {
public:
    UpsampleFloat(std::array<float, 2> scale, MemoryConfig memory_config)
        : scale_(scale), memory_config_(std::move(memory_config)) {}
    auto attributes() const {
        return std::make_tuple(scale_[0], scale_[1], std::string_view("nearest"), memory_config_);
    }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    std::array<float, 2> scale_;
    MemoryConfig memory_config_;
};

/// Between four pixels, of the halo of images in HEIGHT shards.
class UpsampleBilinear : public UpsampleOperation<UpsampleBilinear> {
public:
    UpsampleBilinear(SlidingWindow window, std::uint32_t channels) : window_(window), channels_(channels) {}
    auto attributes() const { return std::make_tuple(window_, channels_, std::string_view("bilinear")); }

    void validate(std::span<const TensorSpec> inputs) const;
    TensorSpecs infer(std::span<const TensorSpec> inputs) const;
    ProgramPlan plan(std::span<const TensorSpec> inputs, std::span<const TensorSpec> outputs,
                     const DeviceDescription& device) const;
    std::vector<HostArray> compute(std::span<const HostArray* const> inputs,
                                   std::span<const TensorSpec> outputs) const;

private:
    SlidingWindow window_;
    std::uint32_t channels_;
};

}  // namespace tilemeter
