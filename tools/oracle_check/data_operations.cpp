// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/data_operations.hpp"

#include <cstdint>

#include "runtime/operations/permute.hpp"
#include "runtime/operations/reshape.hpp"
#include "runtime/operations/sharding.hpp"
#include "runtime/operations/typecast.hpp"

namespace tilemeter::oracle {

namespace {

using Inputs = std::vector<Tensor>;

Tensor call_permute(const Row& row, const Inputs& inputs) {
    return permute(inputs.at(0), row.arguments.at("dims").get<std::vector<std::int64_t>>(),
                   row.out_memory_config);
}

Tensor call_reshape(const Row& row, const Inputs& inputs) {
    return reshape(inputs.at(0), Shape(row.arguments.at("shape").get<std::vector<std::uint32_t>>()));
}

Tensor call_to_memory_config(const Row& row, const Inputs& inputs) {
    return to_memory_config(inputs.at(0), row.out_memory_config.value());
}

Tensor call_transpose(const Row& row, const Inputs& inputs) {
    return transpose(inputs.at(0), row.arguments.at("dim0"), row.arguments.at("dim1"), row.out_memory_config);
}

Tensor call_typecast(const Row& row, const Inputs& inputs) {
    return typecast(inputs.at(0), data_type(row.arguments.at("to")), row.out_memory_config);
}

}  // namespace

std::map<std::string, CallOperation> data_operations() {
    return {
        {"permute", call_permute},
        {"reshape", call_reshape},
        {"to_memory_config", call_to_memory_config},
        {"transpose", call_transpose},
        {"typecast", call_typecast},
    };
}

}  // namespace tilemeter::oracle
