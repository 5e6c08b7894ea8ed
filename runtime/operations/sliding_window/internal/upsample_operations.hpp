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

/// Pixels repeated, of interleaved images, ROW_MAJOR or whole tiles.
struct UpsampleDeviceOperation {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    std::array<std::uint32_t, 2> scale;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(scale[0], scale[1], std::string_view("nearest"), memory_config);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// The same where the images lie in shards of rows, and stay there.
struct UpsampleShards {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    std::array<std::uint32_t, 2> scale;

    auto attributes() const { return std::make_tuple(scale[0], scale[1], std::string_view("nearest")); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// The nearest pixel by factors that may be broken, ROW_MAJOR.
struct UpsampleFloat {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    std::array<float, 2> scale;
    MemoryConfig memory_config;

    auto attributes() const {
        return std::make_tuple(scale[0], scale[1], std::string_view("nearest"), memory_config);
    }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

/// Between four pixels, of the halo of images in HEIGHT shards.
struct UpsampleBilinear {
    static constexpr std::string_view kName = "UpsampleOperation";
    static constexpr std::string_view kAttributesName = "UpsampleParams";

    SlidingWindow window;
    std::uint32_t channels;

    auto attributes() const { return std::make_tuple(window, channels, std::string_view("bilinear")); }

    void validate(SpecsView inputs) const;
    TensorSpecs infer(SpecsView inputs) const;
    ProgramPlan plan(SpecsView inputs, SpecsView outputs, const DeviceDescription& device) const;
    std::vector<HostArray> compute(ArraysView inputs, SpecsView outputs) const;
};

}  // namespace tilemeter
