// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/statistics_operations.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/operations/eltwise/triangle.hpp"
#include "runtime/operations/matmul/matmul.hpp"

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
        {"tril", triangle(tril)},
        {"triu", triangle(triu)},
    };
}

}  // namespace tilemeter::oracle
