// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/statistics_operations.hpp"

#include <cstdint>

#include "runtime/operations/eltwise/triangle.hpp"

namespace tilemeter::oracle {

namespace {

using Triangle = Tensor (*)(const Tensor&, std::int64_t, const OptionalMemoryConfig&);
CallOperation triangle(Triangle function) {
    return [=](const Row& row, const std::vector<Tensor>& inputs) {
        return function(inputs.at(0), row.arguments.at("diagonal"), row.out_memory_config);
    };
}

}  // namespace

std::map<std::string, CallOperation> statistics_operations() {
    return {
        {"tril", triangle(tril)},
        {"triu", triangle(triu)},
    };
}

}  // namespace tilemeter::oracle
