// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/sliding_window/image_sampling.hpp"

#include <string>
#include <tuple>

#include "runtime/device/device.hpp"
#include "runtime/device/errors.hpp"
#include "runtime/operations/core/launch.hpp"
#include "runtime/operations/core/operation_scope.hpp"
#include "runtime/operations/sliding_window/internal/image_sampling_operations.hpp"

namespace tilemeter {

namespace {

Interpolation interpolation(std::string_view name, const char* what) {
    if (name == "nearest") return Interpolation::kNearest;
    if (name == "bilinear") return Interpolation::kBilinear;
    throw RuntimeError(std::string(what) + ": expected \"nearest\" or \"bilinear\", found \"" +
                       std::string(name) + "\"");
}

}  // namespace

Tensor rotate(const Tensor& input_tensor, float angle, const std::optional<std::array<float, 2>>& center,
              float fill, std::string_view interpolation_mode, const OptionalMemoryConfig& memory_config) {
    static const OperationName kName("rotate");
    return in_operation(kName, std::tie(input_tensor, angle, fill, memory_config), [&] {
        require_on_device(input_tensor, "rotate", "input_tensor");
        return launch(Rotate(angle, center, fill, interpolation(interpolation_mode, "rotate"),
                             memory_config.value_or(input_tensor.memory_config())),
                      {input_tensor});
    });
}

Tensor grid_sample(const Tensor& input_tensor, const Tensor& grid, const GridSampleArguments& arguments) {
    static const OperationName kName("grid_sample");
    return in_operation(kName, std::tie(input_tensor, grid, arguments.memory_config), [&] {
        require_on_device(input_tensor, "grid_sample", "input_tensor");
        require_on_device(grid, "grid_sample", "grid");
        if (arguments.padding_mode != "zeros") {
            throw RuntimeError("Only zeros padding mode is currently supported, found \"" +
                               std::string(arguments.padding_mode) + "\"");
        }
        return launch(GridSample({interpolation(arguments.mode, "grid_sample"), arguments.align_corners,
                                  arguments.use_precomputed_grid, arguments.batch_output_channels,
                                  arguments.memory_config.value_or(grid.memory_config())}),
                      {input_tensor, grid});
    });
}

}  // namespace tilemeter
