// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Small steps between an operation's arguments and its program, that need no device: a scalar as a kernel gets it, the
// function after a product, a convolution's results as they were asked for.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/results.hpp"

namespace ttnn::operations {

namespace unary::utils {

/// The bits of an integer where the tensor has integers, those of a float where it has not.
inline std::uint32_t pack_scalar_runtime_arg_impl(float param, tt::tt_metal::DataType dtype) {
    const bool is_integer = dtype == tt::tt_metal::DataType::INT32 || dtype == tt::tt_metal::DataType::UINT32;
    return is_integer ? std::bit_cast<std::uint32_t>(static_cast<std::int32_t>(param))
                      : std::bit_cast<std::uint32_t>(param);
}
inline std::uint32_t pack_scalar_runtime_arg_impl(std::int32_t param, tt::tt_metal::DataType dtype) {
    const bool is_integer = dtype == tt::tt_metal::DataType::INT32 || dtype == tt::tt_metal::DataType::UINT32;
    return std::bit_cast<std::uint32_t>(is_integer ? param
                                                   : std::bit_cast<std::int32_t>(static_cast<float>(param)));
}
inline std::uint32_t pack_scalar_runtime_arg_impl(std::uint32_t param, tt::tt_metal::DataType dtype) {
    const bool is_integer = dtype == tt::tt_metal::DataType::INT32 || dtype == tt::tt_metal::DataType::UINT32;
    return is_integer ? param : std::bit_cast<std::uint32_t>(static_cast<float>(param));
}
/// The parameter at `index`. Throws std::runtime_error where the function has none there.
inline std::uint32_t pack_scalar_runtime_arg(const EltwiseUnaryWithParam& op, std::size_t index,
                                             tt::tt_metal::DataType dtype) {
    if (index >= op.params().size())
        throw std::runtime_error("pack_scalar_runtime_arg: index: expected less than " +
                                 std::to_string(op.params().size()) + ", found " + std::to_string(index));
    return std::visit([dtype](auto param) { return pack_scalar_runtime_arg_impl(param, dtype); },
                      op.params()[index]);
}

}  // namespace unary::utils

namespace matmul {

/// By name or as it is.
inline std::optional<unary::UnaryWithParam> get_fused_activation(
    const std::optional<const std::variant<std::string, unary::BasicUnaryWithParam<float>>>& activation) {
    if (!activation) return std::nullopt;
    if (const auto* const name = std::get_if<std::string>(&*activation))
        return unary::utils::string_to_unary_with_param(*name);
    return unary::UnaryWithParam(std::get<unary::BasicUnaryWithParam<float>>(*activation));
}

}  // namespace matmul

namespace conv::conv2d {

/// Output, height, width, weight, bias.
using Result = std::tuple<Tensor, std::uint32_t, std::uint32_t, Tensor, std::optional<Tensor>>;

/// The output alone, or with its size, with weight and bias, or with all.
inline Conv2dResultWithOptions result_to_result_with_options(const Result& result, bool return_output_dim,
                                                             bool return_weights_and_bias) {
    const auto& [output, height, width, weight, bias] = result;
    if (return_output_dim && return_weights_and_bias)
        return std::tuple(output, std::tuple(height, width), std::tuple(weight, bias));
    if (return_output_dim) return std::tuple(output, std::tuple(height, width));
    if (return_weights_and_bias) return std::tuple(output, std::tuple(weight, bias));
    return output;
}

}  // namespace conv::conv2d

namespace conv::conv_transpose2d {

using Result = conv2d::Result;
using conv2d::result_to_result_with_options;

}  // namespace conv::conv_transpose2d

}  // namespace ttnn::operations
