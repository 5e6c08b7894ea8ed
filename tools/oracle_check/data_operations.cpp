// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/data_operations.hpp"

#include <cstdint>

#include "runtime/operations/data_movement/concat.hpp"
#include "runtime/operations/data_movement/layout_conversion.hpp"
#include "runtime/operations/data_movement/permute.hpp"
#include "runtime/operations/data_movement/reshape.hpp"
#include "runtime/operations/data_movement/sharding.hpp"
#include "runtime/operations/data_movement/slice.hpp"
#include "runtime/operations/data_movement/typecast.hpp"

namespace tilemeter::oracle {

namespace {

using Inputs = std::vector<Tensor>;

Tensor call_concat(const Row& row, const Inputs& inputs) {
    return concat(inputs, row.arguments.at("dim"), row.out_memory_config);
}

Tensor call_permute(const Row& row, const Inputs& inputs) {
    return permute(inputs.at(0), row.arguments.at("dims").get<std::vector<std::int64_t>>(),
                   row.out_memory_config);
}

Tensor call_reshape(const Row& row, const Inputs& inputs) {
    return reshape(inputs.at(0), Shape(row.arguments.at("shape").get<std::vector<std::uint32_t>>()));
}

Tensor call_slice(const Row& row, const Inputs& inputs) {
    return slice(inputs.at(0), row.arguments.at("start").get<std::vector<std::int64_t>>(),
                 row.arguments.at("end").get<std::vector<std::int64_t>>(), {}, row.out_memory_config);
}

Tensor call_to_layout(const Row& row, const Inputs& inputs) {
    const Layout layout = row.arguments.at("to") == "TILE" ? Layout::TILE : Layout::ROW_MAJOR;
    return to_layout(inputs.at(0), layout, std::nullopt, row.out_memory_config);
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
        {"concat", call_concat},       {"permute", call_permute},
        {"reshape", call_reshape},     {"slice", call_slice},
        {"to_layout", call_to_layout}, {"to_memory_config", call_to_memory_config},
        {"transpose", call_transpose}, {"typecast", call_typecast},
    };
}

}  // namespace tilemeter::oracle
