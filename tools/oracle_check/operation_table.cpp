// SPDX-FileCopyrightText: 2026 tilemeter contributors
// SPDX-License-Identifier: Apache-2.0

#include "tools/oracle_check/operation_table.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "runtime/operation_list.hpp"
#include "runtime/operations/eltwise/complex.hpp"
#include "tools/oracle_check/definition_call.hpp"

namespace tilemeter::oracle {

namespace {

using nlohmann::json;
using Definitions = std::vector<const ListedOperation*>;

/// The definitions of a name, in the order of the family's list.
Definitions definitions_of(std::string_view name) {
    Definitions found;
    for (const ListedOperation& each : all_operations()) {
        if (each.definition.name == name) found.push_back(&each);
    }
    return found;
}

/// The row with arguments that it does not have: `fixed`.
Row with_arguments(Row row, const json& fixed) {
    if (!row.arguments.is_object()) row.arguments = json::object();
    row.arguments.update(fixed);
    return row;
}

/// An operation whose rows have other names, or leave out arguments with which they were recorded.
struct Special {
    const char* operation = "";
    std::vector<NameInRows> names{};
    json fixed = json::object();
};

const std::vector<Special>& special_rows() {
    static const std::vector<Special> kRows = {
        {"addalpha", {}, {{"alpha", 2.0}}},
        {"addcdiv", {}, {{"value", 2.0}}},
        {"addcmul", {}, {{"value", 2.0}}},
        {"bernoulli", {}, {{"seed", 3}}},
        {"clamp", {}, {{"min", true}, {"max", true}}},
        {"expand", {{"output_shape", "sizes"}}},
        {"fill_implicit_tile_padding", {}, {{"fill_value", 1.0}}},
        {"index_fill", {}, {{"value", 2.0}}},
        {"lerp", {{"weight", "number"}}},
        {"logit", {}, {{"eps", 0.1}}},
        {"mac", {{"input_tensor_c", "number"}}},
        {"polyval", {}, {{"coeffs", {1.0, 2.0, 3.0}}}},
        {"rdiv", {}, {{"value", 2.0}}},
        {"repeat", {{"repeat_dims", "times"}}},
        {"roll", {{"dim", "dims"}}},
        {"sampling", {{"sub_core_grids", "cores"}}},
        {"slice", {{"slice_start", "start"}, {"slice_end", "end"}}},
        {"subalpha", {}, {{"alpha", 2.0}}},
        {"to_layout", {{"layout", "to"}}},
        {"transpose", {{"dim1", "dim0"}, {"dim2", "dim1"}}},
        {"typecast", {{"dtype", "to"}}},
        {"uniform", {}, {{"seed", 3}}},
        {"where", {{"true_value", "x"}, {"false_value", "y"}}},
    };
    return kRows;
}

/// The first definition, or the second where the row's operand is a number.
CallOperation by_operand(const Definitions& definitions, const Special& special) {
    return [definitions, &special](const Row& recorded, const std::vector<Tensor>& inputs) {
        Row row = with_arguments(recorded, special.fixed);
        for (const NameInRows& each : special.names)
            row.arguments.erase(each.row);
        for (const NameInRows& each : special.names) {
            if (recorded.arguments.contains(each.row))
                row.arguments[each.parameter] = recorded.arguments.at(each.row);
        }
        const bool of_number = definitions.size() > 1 && row.arguments.contains("scalar");
        return call_definition(*definitions.at(of_number ? 1 : 0), row, inputs);
    };
}

/// Rows have the residual before weight and bias, the table of parameters after them.
CallResult call_norm(const ListedOperation& operation, const Row& row, const std::vector<Tensor>& inputs) {
    std::vector<Tensor> in_order = inputs;
    const bool has_table = row.arguments.value("recip_tensor", false);
    if (row.arguments.value("residual", false))
        std::rotate(in_order.begin() + 1, in_order.begin() + 2, in_order.end() - (has_table ? 1 : 0));
    return call_definition(operation, row, in_order);
}

CallResult call_group_norm(const ListedOperation& operation, const Row& row,
                           const std::vector<Tensor>& inputs) {
    Row with_mask = row;
    with_mask.arguments["input_mask"] = row.arguments.value("mask", true);
    with_mask.arguments["epsilon"] = 1e-5F;
    return call_definition(operation, with_mask, inputs);
}

/// Some rows of products with a bias have the name matmul.
CallResult call_matmul(const ListedOperation& operation, const Row& row, const std::vector<Tensor>& inputs) {
    static const ListedOperation& linear = *definitions_of("linear").at(0);
    return call_definition(row.arguments.value("bias", false) ? linear : operation, row, inputs);
}

/// Weights and bias follow from the sizes.
CallResult call_convolution(const ListedOperation& operation, const Row& row,
                            const std::vector<Tensor>& inputs) {
    const bool is_transposed = operation.name == "conv_transpose2d";
    Row full = row;
    json& given = full.arguments;
    const std::uint32_t in = given.at("in_channels"), out = given.at("out_channels");
    const std::uint32_t groups = given.value("groups", 1U);
    const std::array<std::uint32_t, 2> kernel = given.at("kernel_size");
    const auto planned = [](const Shape& shape) {
        return Tensor::planned_on_host({shape, DataType::BFLOAT16, Layout::ROW_MAJOR, DRAM_MEMORY_CONFIG});
    };
    std::vector<Tensor> tensors = {
        inputs.at(0),
        planned({is_transposed ? in : out, (is_transposed ? out : in) / groups, kernel[0], kernel[1]})};
    if (given.at("bias")) tensors.push_back(planned({1, 1, 1, out}));
    given["bias_tensor"] = given.at("bias");
    given["conv_config"] = row.arguments;
    given["return_weights_and_bias"] = given.value("return_weights", true);
    if (given.value("l1_full", false)) given["slice"] = {"L1_FULL", 0};
    if (given.contains("slice"))
        given[is_transposed ? "dram_slice_config" : "slice_config"] = given.at("slice");
    return call_definition(operation, full, tensors);
}

/// Rows list both strides in one, and cores by their number in both directions.
CallResult call_fold(const ListedOperation& operation, const Row& row, const std::vector<Tensor>& inputs) {
    Row split = row;
    if (row.arguments.contains("transposed")) {
        split.arguments["use_transpose_as_fold"] = true;
        if (row.arguments.contains("grid")) {
            const std::array<std::uint32_t, 2> size = row.arguments.at("grid");
            split.arguments["grid_size"] = {{0, 0, size[0] - 1, size[1] - 1}};
        }
    }
    split.arguments["stride_h"] = row.arguments.at("stride").at(0);
    split.arguments["stride_w"] = row.arguments.at("stride").at(1);
    return call_definition(operation, split, inputs);
}

using CallListed = CallResult (*)(const ListedOperation& operation, const Row& row,
                                  const std::vector<Tensor>& inputs);

/// Operations whose rows need more than other names.
const std::map<std::string_view, CallListed>& composed_rows() {
    static const std::map<std::string_view, CallListed> kRows = {
        {"conv2d", call_convolution},
        {"conv_transpose2d", call_convolution},
        {"dit_rms_norm_unary_fused", call_norm},
        {"fold", call_fold},
        {"group_norm", call_group_norm},
        {"layer_norm", call_norm},
        {"matmul", call_matmul},
        {"rms_norm", call_norm},
    };
    return kRows;
}

/// The call of the definitions of one name; `name`: as rows have it.
CallOperation call_of(const std::string& name, const Definitions& definitions) {
    const ListedOperation& first = *definitions.front();
    if (const auto found = composed_rows().find(name); found != composed_rows().end()) {
        return [&first, call = found->second](const Row& row, const std::vector<Tensor>& inputs) {
            return call(first, row, inputs);
        };
    }
    static const Special kAsRecorded{};
    const auto special = std::ranges::find(special_rows(), name, &Special::operation);
    const bool has_rows = first.definition.row != nullptr;
    return by_operand(
        has_rows || name == "div_no_nan" || name == "floor_div" ? definitions : Definitions{&first},
        special == special_rows().end() ? kAsRecorded : *special);
}

/// Under its last word, "experimental::" and the like left out, as rows have it; under the whole name where an earlier
/// operation has the same last word.
std::map<std::string, CallOperation> all_calls() {
    std::map<std::string, CallOperation> calls;
    for (const ListedOperation& each : all_operations()) {
        if (std::string_view(each.family) == "ccl") continue;  // these need a mesh, rows have one device
        const std::string name = each.definition.name;
        const Definitions definitions = definitions_of(name);
        if (definitions.front() != &each) continue;
        const std::string last_word = name.substr(name.find_last_of(":.") + 1);
        if (!calls.contains(last_word)) {
            calls.emplace(last_word, call_of(last_word, definitions));
        } else {
            calls.emplace(name, call_of(name, definitions));
        }
    }
    return calls;
}

}  // namespace

const CallOperation* find_operation(const std::string& name) {
    static const std::map<std::string, CallOperation> kCalls = all_calls();
    const auto found = kCalls.find(name);
    return found == kCalls.end() ? nullptr : &found->second;
}

}  // namespace tilemeter::oracle
