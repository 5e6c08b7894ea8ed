// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// cumsum, cumprod: sums and products of all elements before, along a dimension; moreh_cumsum, the same as
// moreh's, and its gradient, which sums from the last element on.
//
// Input: TILE, interleaved, at least one dimension. Along the last two dimensions only sums of bfloat16 have a
// program of their own; else the dimension changes its place with the outermost of four, and back, as in
// TT-NN. `out` is not written to: it becomes the result, whatever it was before. All throw RuntimeError (dim out of
// range, layout), OutOfMemoryError.

#pragma once

#include <array>
#include <cstdint>

#include "runtime/operations/core/definition.hpp"

namespace tilemeter {

struct Cumsum {
    Tensor input{};
    std::int64_t dim = 0;
    OptionalDataType dtype{};    ///< of the result, to which the input is converted first; none: the input's
    bool reverse_order = false;  ///< from the last element on
    OptionalTensor out{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input
    bool disable_compensated_sum = false;

    static constexpr OperationInfo kOperation{
        "cumsum",
        "Each element with all before it along dim added up. disable_compensated_sum: float32 without the "
        "buffer for what sums lose."};
    static constexpr auto kParameters =
        parameters(required<&Cumsum::input, &Cumsum::dim>(),
                   keyword<&Cumsum::dtype, &Cumsum::reverse_order>(), keyword<&Cumsum::out>().output(),
                   keyword<&Cumsum::memory_config>(), unrecorded_keyword<&Cumsum::disable_compensated_sum>());

    Tensor body() const;
};

struct Cumprod {
    Tensor input_tensor{};
    std::int64_t dim = 0;
    OptionalDataType dtype{};    ///< of the result, to which the input is converted first; none: the input's
    bool reverse_order = false;  ///< from the last element on
    OptionalTensor out{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation{"cumprod", "Each element times all before it along dim."};
    static constexpr auto kParameters =
        parameters(required<&Cumprod::input_tensor, &Cumprod::dim>(),
                   keyword<&Cumprod::dtype, &Cumprod::reverse_order>(), keyword<&Cumprod::out>().output(),
                   keyword<&Cumprod::memory_config>());

    Tensor body() const;
};

/// moreh's running sums: their names, and those of their tensors.
struct MorehCumsumRow {
    OperationInfo operation;
    const char* input;
    const char* output;
    bool from_end;
};
inline constexpr std::array kMorehCumsums{
    MorehCumsumRow{{"moreh_cumsum", "Running sums along dim."}, "input", "output", false},
    MorehCumsumRow{{"moreh_cumsum_backward", "Their gradient: running sums from the last element on."},
                   "output_grad",
                   "input_grad",
                   true},
};

template <std::size_t Row>
struct MorehRunningSum {
    Tensor input{};
    std::int64_t dim = 0;
    OptionalTensor output{};
    OptionalMemoryConfig memory_config{};  ///< none: that of the input

    static constexpr OperationInfo kOperation = kMorehCumsums[Row].operation;
    static constexpr auto kParameters = parameters(
        required<&MorehRunningSum::input>(kMorehCumsums[Row].input), required<&MorehRunningSum::dim>(),
        keyword<&MorehRunningSum::output>(kMorehCumsums[Row].output).output(),
        keyword<&MorehRunningSum::memory_config>());

    Tensor body() const;
};

using MorehCumsum = MorehRunningSum<0>;
using MorehCumsumBackward = MorehRunningSum<1>;

inline constexpr Operation<Cumsum> cumsum;
inline constexpr Operation<Cumprod> cumprod;
inline constexpr Operation<MorehCumsum> moreh_cumsum;
inline constexpr Operation<MorehCumsumBackward> moreh_cumsum_backward;

}  // namespace tilemeter
