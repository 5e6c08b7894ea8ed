// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

// Functions of one element by the names of the device's functions, as TT-NN's composite operations call them.

#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "tilemeter_ttnn/configs.hpp"
#include "tilemeter_ttnn/tensor.hpp"

namespace ttnn {

Tensor add_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor add_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor sub_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor sub_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor mul_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor mul_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor div_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor div_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor eq_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor ge_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor gt_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor le_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor lt_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor ne_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                const std::optional<Tensor>& output_tensor = std::nullopt,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor power(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> exponent,
             const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
             const std::optional<Tensor>& output_tensor = std::nullopt,
             const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor power_iterative(const Tensor& input_tensor, std::uint32_t exponent,
                       const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                       const std::optional<Tensor>& output_tensor = std::nullopt,
                       const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor prelu_sfpu(const Tensor& input_tensor, float weight,
                  const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                  const std::optional<Tensor>& output_tensor = std::nullopt,
                  const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor unary_fmod(const Tensor& input_tensor, float divisor,
                  const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                  const std::optional<Tensor>& output_tensor = std::nullopt,
                  const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor unary_remainder(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> divisor,
                       const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                       const std::optional<Tensor>& output_tensor = std::nullopt,
                       const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor clamp_tss(const Tensor& input_tensor, float min, float max,
                 const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                 const std::optional<Tensor>& output_tensor = std::nullopt,
                 const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor clamp_tss(const Tensor& input_tensor, std::int32_t min, std::int32_t max,
                 const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                 const std::optional<Tensor>& output_tensor = std::nullopt,
                 const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
Tensor mac_tss(const Tensor& input_tensor, float factor, float summand,
               const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
               const std::optional<Tensor>& output_tensor = std::nullopt,
               const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
/// Any function that takes a whole number.
Tensor unary_with_int32_param(operations::unary::UnaryOpType op_type, const Tensor& input_tensor,
                              std::int32_t parameter,
                              const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                              const std::optional<Tensor>& output_tensor = std::nullopt,
                              const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);
/// One number where `condition` is not 0, the other elsewhere.
Tensor where_tss(const Tensor& condition, const std::variant<std::uint32_t, std::int32_t, float>& value_true,
                 const std::variant<std::uint32_t, std::int32_t, float>& value_false,
                 const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
                 const std::optional<Tensor>& output_tensor = std::nullopt,
                 const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids = std::nullopt);

}  // namespace ttnn
