// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/statistics_operations.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/operations/data_movement/copy.hpp"
#include "runtime/operations/data_movement/gather.hpp"
#include "runtime/operations/data_movement/pad.hpp"
#include "runtime/operations/data_movement/repeat.hpp"
#include "runtime/operations/data_movement/repeat_interleave.hpp"
#include "runtime/operations/data_movement/roll.hpp"
#include "runtime/operations/data_movement/scatter.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/sort.hpp"
#include "runtime/operations/data_movement/stack.hpp"
#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/matmul/matmul.hpp"
#include "runtime/operations/reduction/accumulation.hpp"
#include "runtime/operations/reduction/losses.hpp"
#include "runtime/operations/reduction/prod.hpp"
#include "runtime/operations/reduction/variance.hpp"

namespace tilemeter::oracle {

namespace {

using Inputs = std::vector<Tensor>;

std::int64_t dim_argument(const Row& row) {
    return row.arguments.at("dim");
}

OptionalDataType dtype_argument(const Row& row) {
    if (!row.arguments.contains("dtype")) return std::nullopt;
    return data_type(row.arguments.at("dtype"));
}

using Accumulation = Tensor (*)(const Tensor&, std::int64_t, const OptionalDataType&, bool,
                                const OptionalTensor&, const OptionalMemoryConfig&);
CallOperation accumulation(Accumulation function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), dim_argument(row), dtype_argument(row),
                        row.arguments.at("reverse_order"), std::nullopt, row.out_memory_config);
    };
}

using Spread = Tensor (*)(const Tensor&, const ReduceDims&, bool, const OptionalMemoryConfig&, float, bool);
CallOperation spread(Spread function) {
    return [=](const Row& row, const Inputs& inputs) {
        const auto& dim = row.arguments.at("dim");
        ReduceDims dims;
        if (dim.is_array()) dims = dim.get<std::vector<int>>();
        if (dim.is_number()) dims = dim.get<int>();
        return function(inputs.at(0), dims, row.arguments.at("keepdim"), row.out_memory_config, 1.0F,
                        row.arguments.at("correction"));
    };
}

Tensor call_prod(const Row& row, const Inputs& inputs) {
    const auto& dim = row.arguments.at("dim");
    return prod(inputs.at(0), dim.is_null() ? std::nullopt : std::optional(dim.get<std::int64_t>()),
                row.arguments.at("keepdim"), row.out_memory_config);
}

using Loss = Tensor (*)(const Tensor&, const Tensor&, LossReductionMode, const OptionalMemoryConfig&,
                        const OptionalTensor&);
CallOperation loss(Loss function) {
    return [=](const Row& row, const Inputs& inputs) {
        const std::string reduction = row.arguments.at("reduction");
        const LossReductionMode mode = reduction == "NONE"  ? LossReductionMode::NONE
                                       : reduction == "SUM" ? LossReductionMode::SUM
                                                            : LossReductionMode::MEAN;
        return function(inputs.at(0), inputs.at(1), mode, row.out_memory_config, std::nullopt);
    };
}

Tensor call_gather(const Row& row, const Inputs& inputs) {
    return gather(inputs.at(0), dim_argument(row), inputs.at(1), row.out_memory_config);
}

Tensor call_scatter(const Row& row, const Inputs& inputs) {
    return scatter(inputs.at(0), dim_argument(row), inputs.at(1), inputs.at(2), row.out_memory_config);
}

std::vector<Tensor> call_sort(const Row& row, const Inputs& inputs) {
    return sort(inputs.at(0), dim_argument(row), row.arguments.at("descending"), false,
                row.out_memory_config);
}

Tensor call_stack(const Row& row, const Inputs& inputs) {
    return stack(inputs, dim_argument(row));
}

Tensor call_roll(const Row& row, const Inputs& inputs) {
    return roll(inputs.at(0), row.arguments.at("shifts").get<std::vector<std::int64_t>>(),
                row.arguments.at("dims").get<std::vector<std::int64_t>>());
}

Tensor call_repeat(const Row& row, const Inputs& inputs) {
    return repeat(inputs.at(0), row.arguments.at("times").get<std::vector<std::uint32_t>>(),
                  row.out_memory_config);
}

Tensor call_expand(const Row& row, const Inputs& inputs) {
    return expand(inputs.at(0), row.arguments.at("sizes").get<std::vector<std::int64_t>>(),
                  row.out_memory_config);
}

Tensor call_repeat_interleave(const Row& row, const Inputs& inputs) {
    return repeat_interleave(inputs.at(0), row.arguments.at("repeats"), dim_argument(row),
                             row.out_memory_config);
}

using Triangle = Tensor (*)(const Tensor&, std::int64_t, const OptionalMemoryConfig&);
CallOperation triangle(Triangle function) {
    return [=](const Row& row, const Inputs& inputs) {
        return function(inputs.at(0), row.arguments.at("diagonal"), row.out_memory_config);
    };
}

Tensor call_addmm(const Row& row, const Inputs& inputs) {
    return addmm(inputs.at(0), inputs.at(1), inputs.at(2), row.arguments.at("alpha"),
                 row.arguments.at("beta"), row.out_memory_config);
}

Tensor call_pad(const Row& row, const Inputs& inputs) {
    return pad(inputs.at(0), row.arguments.at("padding").get<Padding>(), 0.0F, row.out_memory_config);
}

Tensor call_clone(const Row& row, const Inputs& inputs) {
    return clone(inputs.at(0), dtype_argument(row), row.out_memory_config);
}

std::vector<Tensor> call_split(const Row& row, const Inputs& inputs) {
    return split(inputs.at(0), row.arguments.at("split_size").get<std::uint32_t>(), dim_argument(row),
                 row.out_memory_config);
}

}  // namespace

std::map<std::string, CallOperation> statistics_operations() {
    return {
        {"addmm", call_addmm},
        {"clone", call_clone},
        {"cumprod", accumulation(cumprod)},
        {"cumsum", accumulation([](const Tensor& input, std::int64_t dim, const OptionalDataType& dtype,
                                   bool reverse_order, const OptionalTensor& out,
                                   const OptionalMemoryConfig& memory_config) {
             return cumsum(input, dim, dtype, reverse_order, out, memory_config);
         })},
        {"expand", call_expand},
        {"gather", call_gather},
        {"l1_loss", loss(l1_loss)},
        {"mse_loss", loss(mse_loss)},
        {"pad", call_pad},
        {"prod", call_prod},
        {"repeat", call_repeat},
        {"repeat_interleave", call_repeat_interleave},
        {"roll", call_roll},
        {"scatter", call_scatter},
        {"sort", call_sort},
        {"split", call_split},
        {"stack", call_stack},
        {"std", spread(tilemeter::std)},
        {"tril", triangle(tril)},
        {"triu", triangle(triu)},
        {"var", spread(var)},
    };
}

}  // namespace tilemeter::oracle
