// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/statistics_operations.hpp"

#include <cstdint>
#include <optional>
#include <string>

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

}  // namespace

std::map<std::string, CallOperation> statistics_operations() {
    return {
        {"addmm", call_addmm},
        {"cumprod", accumulation(cumprod)},
        {"cumsum", accumulation([](const Tensor& input, std::int64_t dim, const OptionalDataType& dtype,
                                   bool reverse_order, const OptionalTensor& out,
                                   const OptionalMemoryConfig& memory_config) {
             return cumsum(input, dim, dtype, reverse_order, out, memory_config);
         })},
        {"l1_loss", loss(l1_loss)},
        {"mse_loss", loss(mse_loss)},
        {"prod", call_prod},
        {"std", spread(tilemeter::std)},
        {"tril", triangle(tril)},
        {"triu", triangle(triu)},
        {"var", spread(var)},
    };
}

}  // namespace tilemeter::oracle
