// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tilemeter_ttnn/functions/unary_functions.hpp"

#include <utility>

#include "tools/compat/src/arguments.hpp"

namespace ttnn {

namespace {

using operations::unary::EltwiseUnaryWithParam;
using operations::unary::UnaryOpType;
using tilemeter::compat::call;
using tilemeter::compat::returned;
using tilemeter::compat::to_argument;

struct Places {
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config;
    const std::optional<Tensor>& output_tensor;
    const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids;
};

void add(EltwiseUnaryWithParam& function, float parameter) {
    function.base_params.emplace_back(parameter);
}
void add(EltwiseUnaryWithParam& function, std::int32_t parameter) {
    function.base_params.emplace_back(parameter);
}
void add(EltwiseUnaryWithParam& function, std::uint32_t parameter) {
    function.base_params.emplace_back(parameter);
}
void add(EltwiseUnaryWithParam& function, const std::variant<std::uint32_t, std::int32_t, float>& parameter) {
    std::visit([&](auto value) { add(function, value); }, parameter);
}

template <typename... Parameters>
Tensor unary(UnaryOpType type, const Tensor& input_tensor, const Places& places, Parameters... parameters) {
    EltwiseUnaryWithParam function(type);
    (add(function, parameters), ...);
    return returned<Tensor>(call(
        "unary_chain", {{"input_tensor", to_argument(input_tensor)},
                        {"ops_chain", to_argument(std::vector<EltwiseUnaryWithParam>{std::move(function)})},
                        {"memory_config", to_argument(places.memory_config)},
                        {"output_tensor", to_argument(places.output_tensor)},
                        {"sub_core_grids", to_argument(places.sub_core_grids)}}));
}

}  // namespace

Tensor add_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::ADD_UNARY_SFPU, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor add_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::ADD_UNARY_SFPU, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor sub_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::SUB_UNARY_SFPU, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor sub_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::RSUB, input_tensor, {memory_config, output_tensor, sub_core_grids}, parameter);
}

Tensor mul_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::MUL_UNARY_SFPU, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor mul_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::MUL_UNARY_SFPU, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor div_sfpu(const Tensor& input_tensor, float parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::DIV_UNARY_SFPU, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor div_sfpu(float parameter, const Tensor& input_tensor,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::RDIV, input_tensor, {memory_config, output_tensor, sub_core_grids}, parameter);
}

Tensor eq_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::UNARY_EQ, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor ge_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::UNARY_GE, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor gt_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::UNARY_GT, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor le_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::UNARY_LE, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor lt_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::UNARY_LT, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor ne_unary(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> parameter,
                const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                const std::optional<Tensor>& output_tensor,
                const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::UNARY_NE, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 parameter);
}

Tensor power(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> exponent,
             const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
             const std::optional<Tensor>& output_tensor,
             const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::POWER, input_tensor, {memory_config, output_tensor, sub_core_grids}, exponent);
}

Tensor power_iterative(const Tensor& input_tensor, std::uint32_t exponent,
                       const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                       const std::optional<Tensor>& output_tensor,
                       const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::POWER_ITERATIVE, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 exponent);
}

Tensor prelu_sfpu(const Tensor& input_tensor, float weight,
                  const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                  const std::optional<Tensor>& output_tensor,
                  const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::PRELU_SFPU, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 weight);
}

Tensor unary_fmod(const Tensor& input_tensor, float divisor,
                  const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                  const std::optional<Tensor>& output_tensor,
                  const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::FMOD, input_tensor, {memory_config, output_tensor, sub_core_grids}, divisor);
}

Tensor unary_remainder(const Tensor& input_tensor, std::variant<std::uint32_t, std::int32_t, float> divisor,
                       const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                       const std::optional<Tensor>& output_tensor,
                       const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::REMAINDER, input_tensor, {memory_config, output_tensor, sub_core_grids},
                 divisor);
}

Tensor clamp_tss(const Tensor& input_tensor, float min, float max,
                 const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                 const std::optional<Tensor>& output_tensor,
                 const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::CLAMP_TSS, input_tensor, {memory_config, output_tensor, sub_core_grids}, min,
                 max);
}

Tensor clamp_tss(const Tensor& input_tensor, std::int32_t min, std::int32_t max,
                 const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                 const std::optional<Tensor>& output_tensor,
                 const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::CLAMP_TSS, input_tensor, {memory_config, output_tensor, sub_core_grids}, min,
                 max);
}

Tensor mac_tss(const Tensor& input_tensor, float factor, float summand,
               const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
               const std::optional<Tensor>& output_tensor,
               const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(UnaryOpType::MAC_TSS, input_tensor, {memory_config, output_tensor, sub_core_grids}, factor,
                 summand);
}

Tensor unary_with_int32_param(UnaryOpType op_type, const Tensor& input_tensor, std::int32_t parameter,
                              const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                              const std::optional<Tensor>& output_tensor,
                              const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return unary(op_type, input_tensor, {memory_config, output_tensor, sub_core_grids}, parameter);
}

Tensor where_tss(const Tensor& condition, const std::variant<std::uint32_t, std::int32_t, float>& value_true,
                 const std::variant<std::uint32_t, std::int32_t, float>& value_false,
                 const std::optional<tt::tt_metal::MemoryConfig>& memory_config,
                 const std::optional<Tensor>& output_tensor,
                 const std::optional<tt::tt_metal::CoreRangeSet>& sub_core_grids) {
    return returned<Tensor>(call("where", {{"predicate", to_argument(condition)},
                                           {"true_value", to_argument(value_true)},
                                           {"false_value", to_argument(value_false)},
                                           {"memory_config", to_argument(memory_config)},
                                           {"output_tensor", to_argument(output_tensor)},
                                           {"sub_core_grids", to_argument(sub_core_grids)}}));
}

}  // namespace ttnn
