// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/composites.hpp"

#include <array>
#include <span>

#include "tilemeter_ttnn/functions/tensor_functions.hpp"
#include "tools/compat/src/fatal.hpp"
#include "ttnn/operations/data_movement/bcast/bcast.hpp"
#include "ttnn/operations/data_movement/clone/clone.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/index_fill/index_fill.hpp"
#include "ttnn/operations/reduction/generic/generic_reductions.hpp"

namespace ttnn {

using tilemeter::compat::refuse_as_fatal;

Tensor normalize_hw(const Tensor& input, const std::optional<MemoryConfig>& memory_config) {
    using operations::unary::EltwiseUnaryWithParam;
    if (input.logical_shape().rank() != 4)
        refuse_as_fatal("normalize_hw", "normalize_hw: input: expected four dimensions, found " +
                                            std::to_string(input.logical_shape().rank()));
    const ttsl::SmallVector<int> dims{2, 3};
    Tensor deviations = [&] {
        const Tensor means = mean(input, dims, true);
        return bcast(input, means, BcastOpMath::SUB, BcastOpDim::HW, input.memory_config());
    }();
    const Tensor variances = [&] {
        const Tensor squares = square(deviations);
        const Shape& padded = input.padded_shape();
        // The elements with the padding of the tiles, as var_hw has them.
        return sum(squares, dims, true, std::nullopt, std::nullopt,
                   1.0F / static_cast<float>(padded[-2] * padded[-1]));
    }();
    const std::array<EltwiseUnaryWithParam, 1> rsqrt{
        EltwiseUnaryWithParam(operations::unary::UnaryOpType::RSQRT)};
    return multiply(deviations, variances, std::nullopt, memory_config, std::nullopt, {}, {}, rsqrt);
}

Tensor normalize_global(const Tensor& input, const std::optional<MemoryConfig>& memory_config) {
    const Shape padded = input.padded_shape();
    if (padded.rank() != 4)
        refuse_as_fatal("normalize_global", "normalize_global: input: expected four dimensions, found " +
                                                std::to_string(padded.rank()));
    const Shape one({1, 1, padded[2], padded[0] * padded[1] * padded[3]});
    return reshape_on_device(normalize_hw(reshape_on_device(input, one), memory_config), padded);
}

Tensor index_fill_new(const Tensor& input, std::uint32_t dim, const Tensor& index,
                      std::variant<float, int> value, const std::optional<MemoryConfig>& memory_config) {
    return index_fill(input, dim, index, value, memory_config);
}

Tensor reshape_on_device(const Tensor& input, const Shape& shape, const Shape& padded_shape,
                         const std::optional<MemoryConfig>& memory_config) {
    if (padded_shape[-1] == input.padded_shape()[-1]) return reshape(input, shape, padded_shape);
    if (padded_shape == input.padded_shape()) {
        const bool stays = !memory_config || *memory_config == input.memory_config();
        return stays ? input : clone(input, std::nullopt, *memory_config, std::nullopt);
    }
    if (shape != padded_shape || input.logical_shape() != input.padded_shape())
        refuse_as_fatal(
            "reshape_on_device",
            "reshape_on_device: expected shapes without padding where the last dimension changes");
    return reshape_on_device(input, shape, memory_config);
}

}  // namespace ttnn
