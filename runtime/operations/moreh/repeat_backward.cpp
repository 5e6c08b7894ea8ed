// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/operations/moreh/repeat_backward.hpp"

#include <algorithm>
#include <string>

#include "runtime/operations/core/host_transfer.hpp"
#include "runtime/operations/core/planned_values.hpp"
#include "runtime/operations/core/require.hpp"
#include "runtime/operations/core/scoped_tensor.hpp"
#include "runtime/operations/eltwise/creation_like.hpp"
#include "runtime/operations/moreh/moreh_reductions.hpp"

namespace tilemeter {

namespace {

void require_four_dimensions(const Shape& shape) {
    require(shape.rank() >= 4, [&] {
        const std::string rank = std::to_string(shape.rank());
        return "ShapeBase[] index out of range. " + rank + " not in [-4, " + rank + ")";
    });
}

/// The dimension along which the input was repeated; none: along no outer one.
std::optional<int> repeated_dimension(const Shape& times) {
    if (times[0] > 1) {
        require(times[1] == 1 && times[2] == 1 && times[3] == 1, "repeat[1], [2], [3] should be 1");
        return 0;
    }
    if (times[1] > 1) {
        require(times[0] == 1 && times[2] == 1 && times[3] == 1, "repeat[0], [2], [3] should be 1");
        return 1;
    }
    return std::nullopt;
}

/// The tensor that the sum is written to. TT-NN makes it in whole tiles.
Tensor zeros_for(const Tensor& input, int dimension, const MemoryConfig& memory_config) {
    TensorSpec spec = input.spec();
    spec.shape = spec.padded_shape();
    spec.shape.set(dimension, 1);
    spec.memory_config = DRAM_MEMORY_CONFIG;
    const Tensor host = host_or_planned(spec, [spec] { return HostArray(spec.dtype, spec.shape); });
    return upload(host, input.shared_device(), memory_config);
}

}  // namespace

std::vector<OptionalTensor> RepeatGradient::body() const {
    const Shape& input = input_tensor.shape();
    require(input.rank() == 0 || input[0] == 1,
            [&] { return "Input shape[0] must be 1 but got " + std::to_string(input[0]); });
    require_four_dimensions(shape);
    require_four_dimensions(input);
    const MemoryConfig config = memory_config.value_or(input_tensor.memory_config());
    const auto times = shape.dimensions();
    if (std::find(times.begin(), times.end(), 0U) != times.end())
        return {unscoped::full_like(input_tensor, 0.0F, config)};
    const std::optional<int> dimension = repeated_dimension(shape);
    if (!dimension) return {};
    ScopedTensor total(zeros_for(input_tensor, *dimension, config));
    unscoped::moreh_sum(grad_tensor, *dimension, true, *total, config);
    return {total.take()};
}

}  // namespace tilemeter
